# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The typed report of one snapshot, version 1: what `halocline snapshot` writes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from halocline.documents.store import DocumentPart

SCHEMA_NAME = "halocline.snapshot"
SCHEMA_VERSION = 1

Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0.0)]
Percent = Annotated[float, Field(ge=0.0)]
Kind = Literal[
    "point-to-point", "collective", "one-sided", "file", "communicator", "datatype", "local"
]


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
    exit_code: int | None = Field(
        description="exit code of the command, as passed on; null: halocline did not start it"
    )
    reasons: list[str] = Field(
        default_factory=list, description="why it is partial, a sentence each"
    )


class Times(DocumentPart):
    """Where the time went; percentages are of the elapsed time and means over ranks."""

    elapsed_s: Seconds = Field(
        description="MPI_Init to MPI_Finalize, slowest rank; without what MPI_Pcontrol(0) left out"
    )
    process_s: Seconds = Field(description="start to end of the process, slowest rank")
    wall_s: Seconds | None = Field(None, description="the whole command, launcher included")
    mpi_s: Spread = Field(description="time in which a rank was inside MPI with a thread or more")
    mpi_percent: Percent = Field(description="100 × Σ MPI time ÷ Σ elapsed time, over ranks")
    imbalance_percent: Percent | None = Field(
        None, description="100 × mean waiting inside MPI ÷ elapsed_s; null: not measured"
    )
    load_imbalance_percent: Percent = Field(
        description="100 × (max − mean) ÷ max of the time outside MPI"
    )
    finalize_wait_s: Seconds = Field(description="mean waiting in MPI_Finalize for the last rank")
    io_percent: Percent | None = Field(
        None, description="100 × Σ time in file calls outside MPI ÷ Σ elapsed time"
    )


class Function(DocumentPart):
    """One MPI function over all ranks."""

    name: str = Field(description="as in the standard, e.g. MPI_Allreduce")
    kind: Kind = Field(description="class of the function")
    calls: Count = Field(description="calls, sum over ranks")
    bytes: Count = Field(
        description="size of its messages by the rules of snapshot-raw.md, sum over ranks"
    )
    seconds: Spread = Field(description="time inside it, over all ranks")
    percent_of_mpi: Percent = Field(description="its share of the MPI time of all ranks")
    percent_of_elapsed: Percent = Field(description="its share of the elapsed time of all ranks")
    waiting_s: Seconds = Field(description="mean over ranks of the waiting inside it")
    imbalance_share_percent: Percent = Field(
        description="100 × waiting_s ÷ the waiting in all functions and MPI_Finalize"
    )
    received_bytes: Count = Field(0, description="bytes that arrived by it, sum over ranks")
    untimed_calls: Count = Field(
        0, description="those of its calls whose time is the mean of timed ones, sum over ranks"
    )
    unfinished_calls: Count = Field(
        0, description="those of its calls that had not returned when the ranks were last heard of"
    )


class Bin(DocumentPart):
    """Messages between two powers of two."""

    min_bytes: Count = Field(description="smallest size counted here; 0 for empty messages")
    max_bytes: Count = Field(description="largest size counted here")
    messages: Count = Field(description="messages or calls")
    bytes: Count = Field(description="their bytes")


class Histogram(DocumentPart):
    """Message sizes of one function, sum over ranks."""

    function: str
    bins: list[Bin] = Field(description="only bins that are not empty, smallest first")


class Link(DocumentPart):
    """Traffic from one rank to another."""

    source: Count
    target: Count
    messages: Count = Field(description="point-to-point and one-sided messages")
    bytes: Count = Field(description="their bytes")
    collective_messages: Count = Field(
        0, description="messages that collectives need whatever their algorithm"
    )
    collective_bytes: Count = Field(0, description="their bytes")


class Usage(DocumentPart):
    """What the kernel counted for the process of a rank from MPI_Init on."""

    user_s: Seconds = Field(description="CPU time in the program")
    system_s: Seconds = Field(description="CPU time in the kernel")
    cpu_percent: Percent = Field(description="100 × CPU time ÷ elapsed time, all threads")
    voluntary_switches: Count = Field(description="the process gave the core away, e.g. to wait")
    involuntary_switches: Count = Field(description="the kernel took the core away")
    minor_faults: Count = Field(description="page faults answered from memory")
    major_faults: Count = Field(description="page faults answered from disk")
    peak_rss_bytes: Count = Field(description="largest resident memory")
    run_queue_s: Seconds | None = Field(
        None,
        description="ready to run, but no core was free; mean over the threads that do its work",
    )
    taken_s: Seconds | None = Field(
        None, description="part of it in which other processes had the core; the rest: the job"
    )


class Io(DocumentPart):
    """File calls of one rank outside MPI."""

    seconds: Seconds = Field(description="time inside them")
    read_bytes: Count
    written_bytes: Count
    calls: Count


class FileTraffic(DocumentPart):
    """One file, over all ranks."""

    path: str
    seconds: Seconds = Field(description="time in calls on it, sum over ranks")
    read_bytes: Count
    written_bytes: Count
    ranks: Count = Field(description="ranks that used it")


class Thread(DocumentPart):
    """One thread that called MPI."""

    main: bool = Field(description="it called MPI_Init")
    calls: Count
    mpi_s: Seconds = Field(description="its time inside MPI calls")


class Rank(DocumentPart):
    """One rank of MPI_COMM_WORLD."""

    rank: Count
    host: str
    cpus: list[Count] = Field(description="hardware threads it may run on")
    mpi_threads: Count = Field(description="threads that called MPI")
    openmp_threads: Count = Field(description="largest OpenMP team; 1: no parallel region")
    finished: bool = Field(description="its MPI_Finalize was reached")
    ending: str = Field(description="how it ended, as the recorder saw it")
    elapsed_s: Seconds = Field(
        description="MPI_Init to MPI_Finalize, or to its last sign of life; without what "
        "MPI_Pcontrol(0) left out"
    )
    process_s: Seconds = Field(description="start to end of its process")
    mpi_s: Seconds = Field(description="time in which a thread or more was inside MPI")
    threads: list[Thread] = Field(
        default_factory=list, description="where several threads called MPI; their sum may be more"
    )
    unfinished_call: str | None = Field(
        None, description="the call it was in when it was last heard of; the longest of its threads"
    )
    unfinished_s: Seconds = Field(0.0, description="how long it had been in that call")
    wait_s: Seconds = Field(description="part of it that waits for others")
    finalize_wait_s: Seconds = Field(description="waiting in MPI_Finalize for the last rank")
    caused_wait_s: Seconds = Field(
        description="waiting of all others in collectives that this rank entered last"
    )
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


class PhaseFunction(DocumentPart):
    """One MPI function in a phase."""

    name: str
    calls: Count = Field(description="sum over ranks")
    seconds: Seconds = Field(description="mean over ranks")


class Phase(DocumentPart):
    """What happened under one level of MPI_Pcontrol."""

    level: int = Field(description="argument of MPI_Pcontrol; 1 also before its first call")
    entered: Count = Field(description="how often it began, sum over ranks")
    elapsed_s: Spread = Field(description="time in the phase, over all ranks")
    mpi_s: Spread = Field(description="MPI time in the phase, over all ranks")
    mpi_percent: Percent = Field(description="100 × Σ MPI time ÷ Σ elapsed time of the phase")
    functions: list[PhaseFunction] = Field(description="most time first")


class Region(DocumentPart):
    """One OpenMP parallel region, merged over ranks."""

    place: str = Field(description="function and file:line, or module + offset")
    nested: bool = Field(False, description="its calls from inside other regions")
    calls: Count = Field(description="times entered, sum over ranks")
    measured_calls: Count | None = Field(
        None, description="those whose threads were measured; they stand for the others"
    )
    threads: Count = Field(description="largest team")
    seconds: Seconds = Field(
        description="time inside, sum over ranks; of nested ones over the threads around them, too"
    )
    imbalance_percent: Percent = Field(
        description="100 × (busy_max − busy_mean) ÷ busy_max of its threads' CPU time"
    )
    lost_s: Seconds = Field(
        description="busy_max − busy_mean, mean over ranks and over the threads of regions around"
    )


class OpenMp(DocumentPart):
    """Parallel regions of all ranks."""

    runtime: str = Field(description="runtime that was seen: libgomp, libomp")
    entered: Count = Field(description="parallel regions entered, sum over ranks")
    nested: Count = Field(0, description="those of them inside other regions")
    measured: Count | None = Field(
        None, description="those whose threads were measured; they stand for the others"
    )
    seconds: Spread = Field(description="time inside parallel regions of a rank")
    imbalance_percent: Percent = Field(
        description="100 × Σ (busy_max − busy_mean) ÷ elapsed time, mean over ranks; nested ones "
        "by their share of the threads around them"
    )
    regions: list[Region] = Field(description="most time lost first")


class Buffers(DocumentPart):
    """Where the buffers of MPI calls lay."""

    host_calls: Count
    host_bytes: Count
    device_calls: Count
    device_bytes: Count


class Counters(DocumentPart):
    """Hardware counters of all ranks; a null has its reason in `not_available`."""

    memory_stall_percent: Percent | None = Field(
        None, description="100 × cycles stalled on the back end ÷ cycles"
    )
    instructions_per_cycle: float | None = None


class NotAvailable(DocumentPart):
    """A figure that could not be measured."""

    figure: str
    reason: str


class Verdict(DocumentPart):
    """What holds the program back first, and what to try."""

    rule: str = Field(description="rule that decided, see docs/snapshot.md")
    finding: str = Field(description="one sentence")
    advice: str = Field(description="one sentence")
    costs: dict[str, Percent] = Field(
        default_factory=dict,
        description="what each rule costs in percent of the elapsed time, dearest first",
    )


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
    phases: list[Phase] = Field(
        default_factory=list, description="by level; empty: MPI_Pcontrol was never called"
    )
    ranks: list[Rank]
    slowest_rank: Count | None = Field(None, description="most time outside MPI")
    most_waited_for_rank: Count | None = Field(
        None, description="it caused most waiting in collectives; null: nobody waited there"
    )
    openmp: OpenMp | None = Field(None, description="null: no parallel region was seen")
    buffers: Buffers | None = Field(None, description="null: no device driver was loaded")
    counters: Counters
    files: list[FileTraffic] = Field(default_factory=list, description="most time first")
    not_available: list[NotAvailable] = Field(default_factory=list)
