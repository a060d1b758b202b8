# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The typed report of one snapshot: what `halocline snapshot` writes to snapshot.json, version 1."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from halocline.documents.store import DocumentPart

SCHEMA_NAME = "halocline.snapshot"
SCHEMA_VERSION = 1

Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0.0)]
Percent = Annotated[float, Field(ge=0.0)]
Kind = Literal["point-to-point", "collective", "one-sided", "file", "management"]


class Spread(DocumentPart):
    """A quantity over ranks."""

    min: float = Field(description="smallest rank")
    mean: float = Field(description="mean over ranks")
    max: float = Field(description="largest rank")
    max_rank: Count = Field(description="the rank with the largest value")


class Mpi(DocumentPart):
    """The MPI library, as the program found it."""

    family: Literal["openmpi", "mpich"] = Field(description="ABI of the library")
    library: str = Field(description="first line of MPI_Get_library_version")
    thread_level: str = Field(description="thread level given to the program")


class Host(DocumentPart):
    """One machine of the job."""

    name: str = Field(description="host name")
    ranks: list[Count] = Field(description="its ranks")
    cpus: Count = Field(description="hardware threads that the host shows")


class Status(DocumentPart):
    """How much of the run the report covers."""

    state: Literal["complete", "partial"] = Field(description="partial: some rank did not finish")
    exit_code: int = Field(description="exit code of the command, as passed on")
    reasons: list[str] = Field(
        default_factory=list, description="why it is partial, a sentence each"
    )


class Times(DocumentPart):
    """Where the time went; percentages are of `elapsed_s` and means over ranks."""

    elapsed_s: Seconds = Field(description="MPI_Init to MPI_Finalize, slowest rank")
    process_s: Seconds = Field(description="start to end of the process, slowest rank")
    wall_s: Seconds = Field(description="the whole command, launcher included")
    mpi_s: Spread = Field(description="time inside MPI calls of a rank")
    mpi_percent: Percent = Field(description="100 × mean MPI time ÷ mean elapsed time")
    imbalance_percent: Percent = Field(
        description="100 × (mean − min MPI time of a rank) ÷ mean elapsed time"
    )
    io_s: Spread | None = Field(None, description="time inside file system calls of a rank")
    io_percent: Percent | None = Field(None, description="100 × mean I/O time ÷ mean elapsed time")


class Function(DocumentPart):
    """One MPI function over all ranks."""

    name: str = Field(description="as in the standard, e.g. MPI_Allreduce")
    kind: Kind = Field(description="class of the function")
    calls: Count = Field(description="calls, sum over ranks")
    bytes: Count = Field(description="bytes that went in or out of its buffers, sum over ranks")
    seconds: Spread = Field(description="time inside it, over all ranks")
    percent_of_mpi: Percent = Field(description="its share of the MPI time of all ranks")
    percent_of_elapsed: Percent = Field(description="its share of the elapsed time of all ranks")
    imbalance_s: float = Field(
        description="mean − time of the slowest rank; below 0: that rank waits here itself"
    )
    imbalance_share_percent: float | None = Field(
        None, description="100 × imbalance_s ÷ the sum over functions; null: no imbalance"
    )


class Bin(DocumentPart):
    """Messages between two powers of two."""

    min_bytes: Count = Field(description="smallest size counted here; 0 for empty messages")
    max_bytes: Count = Field(description="largest size counted here")
    messages: Count = Field(description="messages or calls")
    bytes: Count = Field(description="their bytes, where the recorder sums them; else an estimate")


class Histogram(DocumentPart):
    """Message sizes of one function, sum over ranks."""

    function: str
    bins: list[Bin] = Field(description="only bins that are not empty, smallest first")


class Link(DocumentPart):
    """Point-to-point traffic from one rank to another, counted by the sender."""

    source: Count
    target: Count
    messages: Count
    bytes: Count


class Usage(DocumentPart):
    """What the kernel counted for one rank's process, from MPI_Init to MPI_Finalize."""

    user_s: Seconds = Field(description="CPU time in the program")
    system_s: Seconds = Field(description="CPU time in the kernel")
    cpu_percent: Percent = Field(description="100 × CPU time ÷ elapsed time, all threads")
    voluntary_switches: Count = Field(description="the process gave the core away, e.g. to wait")
    involuntary_switches: Count = Field(description="the kernel took the core away")
    minor_faults: Count = Field(description="page faults answered from memory")
    major_faults: Count = Field(description="page faults answered from disk")
    peak_rss_bytes: Count = Field(description="largest resident memory")
    run_queue_s: Seconds | None = Field(None, description="ready to run, but no core was free")


class Io(DocumentPart):
    """File system calls of one rank."""

    seconds: Seconds = Field(description="time inside them")
    read_bytes: Count
    written_bytes: Count
    calls: Count


class Rank(DocumentPart):
    """One rank of MPI_COMM_WORLD."""

    rank: Count
    host: str
    cpus: list[Count] = Field(description="hardware threads it may run on")
    threads: Count = Field(description="threads that called MPI or ran OpenMP regions")
    finished: bool = Field(description="its MPI_Finalize was seen")
    ending: str = Field(description="how it ended, as the recorder saw it")
    elapsed_s: Seconds = Field(description="MPI_Init to MPI_Finalize, or to its last sign of life")
    process_s: Seconds = Field(description="start to end of its process")
    mpi_s: Seconds = Field(description="time inside MPI calls")
    wait_s: Seconds = Field(description="its MPI time above that of the rank with the least")
    usage: Usage
    io: Io | None = Field(None, description="null: not recorded")


class CallSite(DocumentPart):
    """A place that calls MPI, merged over ranks."""

    function: str
    place: str = Field(description="caller: function and file:line, or module + offset")
    module: str = Field(description="program or library that holds the call")
    offset: Count = Field(description="offset of the return address in the module")
    symbol: str | None = Field(None, description="name of the calling function, where known")
    file: str | None = Field(None, description="source file, where debug information exists")
    line: Count | None = Field(None, description="line in that file")
    ranks: Count = Field(description="ranks that called from here")
    calls: Count
    bytes: Count
    seconds: Spread = Field(description="time here, over the ranks that called from here")


class OpenMp(DocumentPart):
    """Parallel regions of all ranks."""

    runtime: str = Field(description="how they were seen: GCC's runtime wrapped, or OMPT")
    regions: Count = Field(description="parallel regions entered, sum over ranks")
    seconds: Spread = Field(description="time inside parallel regions of a rank")
    imbalance_percent: Percent = Field(
        description="100 × Σ (max − mean thread CPU time) ÷ Σ max thread CPU time"
    )


class Buffers(DocumentPart):
    """Where the buffers of messages lay."""

    host_messages: Count
    host_bytes: Count
    device_messages: Count
    device_bytes: Count


class NotAvailable(DocumentPart):
    """A figure that could not be measured."""

    figure: str
    reason: str


class Verdict(DocumentPart):
    """What holds the program back first, and what to try."""

    rule: str = Field(description="rule that decided, see docs/snapshot.md")
    finding: str = Field(description="one sentence")
    advice: str = Field(description="one sentence")


class Snapshot(DocumentPart):
    """One run of an MPI program."""

    schema_name: Literal["halocline.snapshot"] = Field(
        alias="schema", description="always `halocline.snapshot`"
    )
    schema_version: Literal[1] = Field(description="1; raised when a key changes its meaning")
    made_by: str = Field(description="halocline and its version")
    started: str = Field(description="UTC, ISO 8601")
    command: list[str] = Field(description="launch line as given, without the recorder")
    working_directory: str = Field(description="where it was started")
    program: str = Field(description="executable of the ranks")
    mpi: Mpi
    hosts: list[Host]
    status: Status
    verdict: Verdict
    warnings: list[str] = Field(default_factory=list, description="what may spoil the figures")
    times: Times
    functions: list[Function] = Field(description="most time first")
    histograms: list[Histogram] = Field(description="as `functions`")
    links: list[Link] = Field(description="the rank × rank matrix, entries that are not zero")
    call_sites: list[CallSite] = Field(description="most time first")
    ranks: list[Rank]
    slowest_rank: Count | None = Field(None, description="most time outside MPI")
    most_waited_for_rank: Count | None = Field(None, description="the others waited longest for it")
    openmp: OpenMp | None = None
    buffers: Buffers | None = None
    not_available: list[NotAvailable] = Field(default_factory=list)
