# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The typed report of one snapshot, version 1: what `halocline snapshot` writes."""

from __future__ import annotations

from typing import Annotated, Literal

from halocline.documents.part import Bounds, DocumentPart, key

SCHEMA_NAME = "halocline.snapshot"
SCHEMA_VERSION = 1

Count = Annotated[int, Bounds(ge=0)]
Seconds = Annotated[float, Bounds(ge=0.0)]
Percent = Annotated[float, Bounds(ge=0.0)]
Kind = Literal[
    "point-to-point", "collective", "one-sided", "file", "communicator", "datatype", "local"
]


class Spread(DocumentPart):
    """A quantity over ranks."""

    min: float = key(description="smallest rank")
    mean: float = key(description="mean over ranks")
    max: float = key(description="largest rank")
    max_rank: Count = key(description="the rank with the largest value")


class Mpi(DocumentPart):
    """The MPI library, as the program found it."""

    family: Literal["openmpi", "mpich"] = key(description="ABI of the library")
    library: str = key(description="first line of MPI_Get_library_version")
    thread_level: str = key(description="thread level given to the program")


class Host(DocumentPart):
    """One machine of the job."""

    name: str = key(description="host name")
    ranks: list[Count] = key(description="its ranks")
    cpus: Count = key(description="hardware threads that the host shows")


class Status(DocumentPart):
    """How much of the run the report covers."""

    state: Literal["complete", "partial"] = key(description="partial: some rank did not finish")
    exit_code: int | None = key(
        description="exit code of the command, as passed on; null: halocline did not start it"
    )
    reasons: list[str] = key(default_factory=list, description="why it is partial, a sentence each")


class Times(DocumentPart):
    """Where the time went; percentages are of the elapsed time and means over ranks."""

    elapsed_s: Seconds = key(
        description="MPI_Init to MPI_Finalize, slowest rank; without what MPI_Pcontrol(0) left out"
    )
    process_s: Seconds = key(description="start to end of the process, slowest rank")
    wall_s: Seconds | None = key(None, description="the whole command, launcher included")
    mpi_s: Spread = key(description="time in which a rank was inside MPI with a thread or more")
    mpi_percent: Percent = key(description="100 × Σ MPI time ÷ Σ elapsed time, over ranks")
    imbalance_percent: Percent | None = key(
        None, description="100 × mean waiting inside MPI ÷ elapsed_s; null: not measured"
    )
    load_imbalance_percent: Percent = key(
        description="100 × (max − mean) ÷ max of the time outside MPI"
    )
    finalize_wait_s: Seconds = key(description="mean waiting in MPI_Finalize for the last rank")
    io_percent: Percent | None = key(
        None, description="100 × Σ time in file calls outside MPI ÷ Σ elapsed time"
    )


class Function(DocumentPart):
    """One MPI function over all ranks."""

    name: str = key(description="as in the standard, e.g. MPI_Allreduce")
    kind: Kind = key(description="class of the function")
    calls: Count = key(description="calls, sum over ranks")
    bytes: Count = key(
        description="size of its messages by the rules of snapshot-raw.md, sum over ranks"
    )
    seconds: Spread = key(description="time inside it, over all ranks")
    percent_of_mpi: Percent = key(description="its share of the MPI time of all ranks")
    percent_of_elapsed: Percent = key(description="its share of the elapsed time of all ranks")
    waiting_s: Seconds = key(description="mean over ranks of the waiting inside it")
    imbalance_share_percent: Percent = key(
        description="100 × waiting_s ÷ the waiting in all functions and MPI_Finalize"
    )
    received_bytes: Count = key(0, description="bytes that arrived by it, sum over ranks")
    untimed_calls: Count = key(
        0, description="those of its calls whose time is the mean of timed ones, sum over ranks"
    )
    unfinished_calls: Count = key(
        0, description="those of its calls that had not returned when the ranks were last heard of"
    )


class Bin(DocumentPart):
    """Messages between two powers of two."""

    min_bytes: Count = key(description="smallest size counted here; 0 for empty messages")
    max_bytes: Count = key(description="largest size counted here")
    messages: Count = key(description="messages or calls")
    bytes: Count = key(description="their bytes")


class Histogram(DocumentPart):
    """Message sizes of one function, sum over ranks."""

    function: str
    bins: list[Bin] = key(description="only bins that are not empty, smallest first")


class Link(DocumentPart):
    """Traffic from one rank to another."""

    source: Count
    target: Count
    messages: Count = key(description="point-to-point and one-sided messages")
    bytes: Count = key(description="their bytes")
    collective_messages: Count = key(
        0, description="messages that collectives need whatever their algorithm"
    )
    collective_bytes: Count = key(0, description="their bytes")


class Usage(DocumentPart):
    """What the kernel counted for the process of a rank from MPI_Init on."""

    user_s: Seconds = key(description="CPU time in the program")
    system_s: Seconds = key(description="CPU time in the kernel")
    cpu_percent: Percent = key(description="100 × CPU time ÷ elapsed time, all threads")
    voluntary_switches: Count = key(description="the process gave the core away, e.g. to wait")
    involuntary_switches: Count = key(description="the kernel took the core away")
    minor_faults: Count = key(description="page faults answered from memory")
    major_faults: Count = key(description="page faults answered from disk")
    peak_rss_bytes: Count = key(description="largest resident memory")
    run_queue_s: Seconds | None = key(
        None,
        description="ready to run, but no core was free; mean over the threads that do its work",
    )
    taken_s: Seconds | None = key(
        None, description="part of it in which other processes had the core; the rest: the job"
    )


class Io(DocumentPart):
    """File calls of one rank outside MPI."""

    seconds: Seconds = key(description="time inside them")
    read_bytes: Count
    written_bytes: Count
    calls: Count


class FileTraffic(DocumentPart):
    """One file, over all ranks."""

    path: str
    seconds: Seconds = key(description="time in calls on it, sum over ranks")
    read_bytes: Count
    written_bytes: Count
    ranks: Count = key(description="ranks that used it")


class Thread(DocumentPart):
    """One thread that called MPI."""

    main: bool = key(description="it called MPI_Init")
    calls: Count
    mpi_s: Seconds = key(description="its time inside MPI calls")


class Rank(DocumentPart):
    """One rank of MPI_COMM_WORLD."""

    rank: Count
    host: str
    cpus: list[Count] = key(description="hardware threads it may run on")
    mpi_threads: Count = key(description="threads that called MPI")
    openmp_threads: Count = key(description="largest OpenMP team; 1: no parallel region")
    finished: bool = key(description="its MPI_Finalize was reached")
    ending: str = key(description="how it ended, as the recorder saw it")
    elapsed_s: Seconds = key(
        description="MPI_Init to MPI_Finalize, or to its last sign of life; without what "
        "MPI_Pcontrol(0) left out"
    )
    process_s: Seconds = key(description="start to end of its process")
    mpi_s: Seconds = key(description="time in which a thread or more was inside MPI")
    threads: list[Thread] = key(
        default_factory=list, description="where several threads called MPI; their sum may be more"
    )
    unfinished_call: str | None = key(
        None, description="the call it was in when it was last heard of; the longest of its threads"
    )
    unfinished_s: Seconds = key(0.0, description="how long it had been in that call")
    wait_s: Seconds = key(description="part of it that waits for others")
    finalize_wait_s: Seconds = key(description="waiting in MPI_Finalize for the last rank")
    caused_wait_s: Seconds = key(
        description="waiting of all others in collectives that this rank entered last"
    )
    usage: Usage
    io: Io | None = key(None, description="null: not recorded")


class CallSite(DocumentPart):
    """A place that calls MPI, merged over ranks."""

    function: str
    place: str = key(description="caller: function and file:line, or module + offset")
    module: str = key(description="program or library that holds the call")
    offset: Count = key(description="offset of the return address in the module")
    symbol: str | None = key(None, description="name of the calling function, where known")
    file: str | None = key(None, description="source file, where debug information exists")
    line: Count | None = key(None, description="line in that file")
    ranks: Count = key(description="ranks that called from here")
    calls: Count
    bytes: Count
    seconds: Spread = key(description="time here, over the ranks that called from here")


class PhaseFunction(DocumentPart):
    """One MPI function in a phase."""

    name: str
    calls: Count = key(description="sum over ranks")
    seconds: Seconds = key(description="mean over ranks")


class Phase(DocumentPart):
    """What happened under one level of MPI_Pcontrol."""

    level: int = key(description="argument of MPI_Pcontrol; 1 also before its first call")
    entered: Count = key(description="how often it began, sum over ranks")
    elapsed_s: Spread = key(description="time in the phase, over all ranks")
    mpi_s: Spread = key(description="MPI time in the phase, over all ranks")
    mpi_percent: Percent = key(description="100 × Σ MPI time ÷ Σ elapsed time of the phase")
    functions: list[PhaseFunction] = key(description="most time first")


class Region(DocumentPart):
    """One OpenMP parallel region, merged over ranks."""

    place: str = key(description="function and file:line, or module + offset")
    nested: bool = key(False, description="its calls from inside other regions")
    calls: Count = key(description="times entered, sum over ranks")
    measured_calls: Count | None = key(
        None, description="those whose threads were measured; they stand for the others"
    )
    threads: Count = key(description="largest team")
    seconds: Seconds = key(
        description="time inside, sum over ranks; of nested ones over the threads around them, too"
    )
    imbalance_percent: Percent = key(
        description="100 × (busy_max − busy_mean) ÷ busy_max of its threads' CPU time"
    )
    lost_s: Seconds = key(
        description="busy_max − busy_mean, mean over ranks and over the threads of regions around"
    )


class OpenMp(DocumentPart):
    """Parallel regions of all ranks."""

    runtime: str = key(description="runtime that was seen: libgomp, libomp")
    entered: Count = key(description="parallel regions entered, sum over ranks")
    nested: Count = key(0, description="those of them inside other regions")
    measured: Count | None = key(
        None, description="those whose threads were measured; they stand for the others"
    )
    seconds: Spread = key(description="time inside parallel regions of a rank")
    imbalance_percent: Percent = key(
        description="100 × Σ (busy_max − busy_mean) ÷ elapsed time, mean over ranks; nested ones "
        "by their share of the threads around them"
    )
    regions: list[Region] = key(description="most time lost first")


class Buffers(DocumentPart):
    """Where the buffers of MPI calls lay."""

    host_calls: Count
    host_bytes: Count
    device_calls: Count
    device_bytes: Count


class Counters(DocumentPart):
    """Hardware counters of all ranks; a null has its reason in `not_available`."""

    memory_stall_percent: Percent | None = key(
        None, description="100 × cycles stalled on the back end ÷ cycles"
    )
    instructions_per_cycle: float | None = None


class NotAvailable(DocumentPart):
    """A figure that could not be measured."""

    figure: str
    reason: str


class Verdict(DocumentPart):
    """What holds the program back first, and what to try."""

    rule: str = key(description="rule that decided, see docs/snapshot.md")
    finding: str = key(description="one sentence")
    advice: str = key(description="one sentence")
    costs: dict[str, Percent] = key(
        default_factory=dict,
        description="what each rule costs in percent of the elapsed time, most expensive first",
    )


class Snapshot(DocumentPart):
    """One run of an MPI program."""

    schema_name: Literal["halocline.snapshot"] = key(
        name="schema", description="always `halocline.snapshot`"
    )
    schema_version: Literal[1] = key(description="1; raised when a key changes its meaning")
    made_by: str = key(description="halocline and its version")
    started: str = key(description="UTC, ISO 8601")
    command: list[str] = key(description="launch line as given, without the recorder")
    working_directory: str = key(description="where it was started")
    program: str = key(description="executable of the ranks")
    mpi: Mpi
    hosts: list[Host]
    status: Status
    verdict: Verdict
    warnings: list[str] = key(default_factory=list, description="what may spoil the figures")
    times: Times
    functions: list[Function] = key(description="most time first")
    histograms: list[Histogram] = key(description="as `functions`")
    links: list[Link] = key(description="the rank × rank matrix, entries that are not zero")
    call_sites: list[CallSite] = key(description="most time first")
    phases: list[Phase] = key(
        default_factory=list, description="by level; empty: MPI_Pcontrol was never called"
    )
    ranks: list[Rank]
    slowest_rank: Count | None = key(None, description="most time outside MPI")
    most_waited_for_rank: Count | None = key(
        None, description="it caused most waiting in collectives; null: nobody waited there"
    )
    openmp: OpenMp | None = key(None, description="null: no parallel region was seen")
    buffers: Buffers | None = key(None, description="null: no device driver was loaded")
    counters: Counters
    files: list[FileTraffic] = key(default_factory=list, description="most time first")
    not_available: list[NotAvailable] = key(default_factory=list)
