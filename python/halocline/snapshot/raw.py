# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The files that the recorder leaves, one a rank, as docs/formats/snapshot-raw.md defines them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from halocline.documents.part import Bounds, DocumentPart, key
from halocline.documents.store import DocumentKind
from halocline.errors import InvalidInputError
from halocline.launch.cores import parse_cpu_list

Natural = Annotated[int, Bounds(ge=0)]
Bin = Annotated[int, Bounds(ge=0, le=64)]

FILE_NAME = re.compile(r"rank-(\d+)\.json")


class RawPart(DocumentPart):
    """Unknown keys are left out: newer recorders may say more."""

    __open__ = True


class RawTool(RawPart):
    """The recorder and its settings."""

    version: str
    family: Literal["openmpi", "mpich"]
    call_sites: bool = True


class RawMpi(RawPart):
    """The MPI library."""

    library: str
    thread_provided: str


class RawTime(RawPart):
    """Clocks of the rank, in nanoseconds."""

    process_started_unix_ns: Natural
    process_ns: Natural
    mpi_ns: Natural
    init_ns: Natural
    finalize_ns: Natural | None = None
    in_mpi_ns: Natural
    any_thread_in_mpi_ns: Natural | None = None
    paused_ns: Natural = 0


class RawThread(RawPart):
    """A thread that called MPI."""

    tid: Natural = 0
    main: bool = False
    calls: Natural
    in_mpi_ns: Natural


class RawPending(RawPart):
    """A call that had not returned."""

    tid: int = 0
    function: str
    kind: str = key("local", name="class")
    since_ns: Natural
    frames: list[tuple[int, int]] = key(default_factory=list)


class RawFunction(RawPart):
    """One MPI function on this rank; histogram rows: bin, calls, bytes, time_ns, min_ns.

    Rows of `quick_ns`: bin, time within which a quarter of its calls ended.
    `unfinished_…` is not a key of the file: `count_pending` sets it.
    """

    name: str
    kind: str = key(name="class")
    calls: Natural
    untimed_calls: Natural = 0
    unfinished_calls: Natural = 0
    unfinished_ns: Natural = 0
    time_ns: Natural
    max_ns: Natural = 0
    bytes: Natural = 0
    received_bytes: Natural = 0
    device_bytes: Natural | None = None
    device_calls: Natural | None = None
    polling_ns: Natural = 0
    histogram: list[tuple[Bin, Natural, Natural, Natural, Natural | None]] = key(
        default_factory=list
    )
    quick_ns: list[tuple[Bin, Natural]] = key(default_factory=list)


class RawPoints(RawPart):
    """Blocking collectives; rows: function, members of the communicator, bin, calls, bytes, ns."""

    rows: list[tuple[str, Natural, Bin, Natural, Natural, Natural]] = key(default_factory=list)
    left_out: Natural = 0


class RawSamples(RawPart):
    """Collective calls one by one; rows: communicator, sequence, function name, duration_ns."""

    seen: Natural = 0
    kept_one_in: Natural = 1
    rows: list[tuple[Natural, Natural, Natural, Natural]] = key(default_factory=list)
    function_names: list[str] = key(default_factory=list)


class RawCommunicator(RawPart):
    """A communicator; `id` is the same on all its members."""

    index: Natural
    id: str
    name: str = ""
    size: Natural
    remote_size: Natural = 0  # of an inter-communicator


class RawPeers(RawPart):
    """Traffic with other ranks; `columns` names what stands in `rows`."""

    columns: list[str] = key(default_factory=list)
    rows: list[list[Natural]] = key(default_factory=list)
    unknown_peer_bytes: Natural = 0
    unknown_peer_received_bytes: Natural = 0  # part of them


class RawModule(RawPart):
    """A program file or library."""

    index: int
    path: str
    build_id: str | None = None


class RawSite(RawPart):
    """Calls of one function from one place; frames are (module index, offset)."""

    function: str
    frames: list[tuple[int, int]]
    calls: Natural
    time_ns: Natural
    max_ns: Natural = 0
    bytes: Natural = 0


class RawSites(RawPart):
    """Call sites and the modules they lie in."""

    modules: list[RawModule] = key(default_factory=list)
    rows: list[RawSite] = key(default_factory=list)
    dropped: Natural = 0


class RawPhaseFunction(RawPart):
    """One MPI function in a phase."""

    name: str
    calls: Natural
    time_ns: Natural


class RawPhase(RawPart):
    """What happened under one level of MPI_Pcontrol."""

    level: int
    entered: Natural
    elapsed_ns: Natural
    in_mpi_ns: Natural
    functions: list[RawPhaseFunction] = key(default_factory=list)


class RawRegion(RawPart):
    """One OpenMP parallel region; called from inside others it is a region of its own."""

    site: tuple[int, int]
    nested: bool = False
    calls: Natural
    measured_calls: Natural | None = None  # older recorders measured all
    threads: Natural
    elapsed_ns: Natural
    busy_sum_ns: Natural | None = None
    busy_max_ns: Natural | None = None
    busy_mean_ns: Natural | None = None
    lost_ns: Natural | None = None

    @property
    def lost(self) -> int:
        """Time that even threads would save, ns."""
        if self.lost_ns is not None:
            return self.lost_ns
        return max(0, (self.busy_max_ns or 0) - (self.busy_mean_ns or 0))


class RawOpenMp(RawPart):
    """Parallel regions of this rank."""

    runtime: str | None = None
    regions: list[RawRegion] = key(default_factory=list)


class RawCpu(RawPart):
    """What the kernel counted for the process; rows of `threads`: tid, cpu_ns, queue_ns."""

    user_ns: Natural
    system_ns: Natural
    voluntary_switches: Natural
    involuntary_switches: Natural
    minor_faults: Natural
    major_faults: Natural
    threads: list[tuple[Natural, Natural, Natural]] = key(default_factory=list)
    peak_memory_bytes: Natural
    threads_peak_seen: Natural = 1


class RawFile(RawPart):
    """One file with its traffic."""

    path: str
    read_bytes: Natural
    write_bytes: Natural
    time_ns: Natural
    calls: Natural


class RawIo(RawPart):
    """File calls outside MPI."""

    time_ns: Natural | None = None
    read_calls: Natural | None = None
    read_bytes: Natural | None = None
    write_calls: Natural | None = None
    write_bytes: Natural | None = None
    other_calls: Natural | None = None
    files: list[RawFile] = key(default_factory=list)


class RawBinding(RawPart):
    """Where the rank may run."""

    cpus: str
    cpu_count: Natural
    machine_cpus: Natural


class RawPressure(RawPart):
    """How long tasks of the host waited for a CPU, and how long its own CPUs were busy."""

    cpu_some_ns: int | None = None
    busy_ns: Natural | None = None


class RawCounters(RawPart):
    """Hardware counters."""

    cycles: int | None = None
    instructions: int | None = None
    stalled_backend_cycles: int | None = None


class RawUnavailable(RawPart):
    """What could not be measured."""

    quantity: str
    reason: str


class RawRank(RawPart):
    """One file of the recorder."""

    schema_name: Literal["halocline.snapshot-raw"] = key(name="schema")
    schema_version: Literal[1]
    tool: RawTool
    complete: bool
    end: str
    abort_code: int | None = None
    written_unix_ns: Natural
    rank: Natural
    ranks: Natural
    host: str
    pid: Natural
    program: str
    command: list[str]
    working_directory: str
    mpi: RawMpi
    time: RawTime
    threads: list[RawThread] = key(default_factory=list)
    pending: list[RawPending] = key(default_factory=list)
    functions: list[RawFunction] = key(default_factory=list)
    collective_points: RawPoints = RawPoints()
    collective_samples: RawSamples = RawSamples()
    communicators: list[RawCommunicator] = key(default_factory=list)
    peers: RawPeers = RawPeers()
    call_sites: RawSites = RawSites()
    phases: list[RawPhase] = key(default_factory=list)
    openmp: RawOpenMp = RawOpenMp()
    cpu: RawCpu
    io: RawIo = RawIo()
    binding: RawBinding
    pressure: RawPressure = RawPressure()
    counters: RawCounters = RawCounters()
    unavailable: list[RawUnavailable] = key(default_factory=list)

    def verify_whole(self) -> None:
        """What one part says of another must be there: the report is made without looking back."""
        if self.rank >= self.ranks:
            raise ValueError(f"rank {self.rank} of {self.ranks} ranks")
        samples = self.collective_samples
        known = {communicator.index for communicator in self.communicators}
        names = len(samples.function_names)
        if any(row[0] not in known or row[2] >= names for row in samples.rows):
            raise ValueError(
                "'collective_samples' names a communicator or function that is not there"
            )
        width = len(self.peers.columns)
        if any(len(row) != width or row[0] >= self.ranks for row in self.peers.rows):
            raise ValueError("'peers' has a row of another length, or a rank that is not there")
        parse_cpu_list(self.binding.cpus)

    @property
    def mpi_threads(self) -> int:
        """Threads that called MPI."""
        return max(1, len(self.threads))

    @property
    def recorded_ns(self) -> int:
        """Elapsed time that the figures cover: what MPI_Pcontrol(0) switched off is left out."""
        return max(0, self.time.mpi_ns - self.time.paused_ns)

    @property
    def in_mpi_ns(self) -> int:
        """Time in which at least one thread was inside MPI."""
        total = self.time.in_mpi_ns
        known = self.time.any_thread_in_mpi_ns
        longest = max((thread.in_mpi_ns for thread in self.threads), default=0)
        if known is None:  # older recorders; one thread at a time makes it the sum
            known = longest if self.mpi.thread_provided == "multiple" else total
        return min(max(longest, min(known, total)), self.recorded_ns)

    @property
    def mpi_share(self) -> float:
        """What a nanosecond of one thread in MPI counts: less than 1 where threads were at once."""
        total = self.time.in_mpi_ns
        return self.in_mpi_ns / total if total > 0 else 1.0

    @property
    def openmp_threads(self) -> int:
        """Largest OpenMP team."""
        return max((region.threads for region in self.openmp.regions), default=1)


RAW_FILE = DocumentKind(RawRank, "halocline.snapshot-raw", 1, "file of the snapshot recorder")


def read_ranks(folder: Path) -> list[RawRank]:
    """Read all rank files of a folder, in order of ranks."""
    files = [file for file in folder.glob("rank-*.json") if FILE_NAME.fullmatch(file.name)]
    found = sorted((RAW_FILE.read(file) for file in files), key=lambda raw: raw.rank)
    sizes = {raw.ranks for raw in found}
    if len(sizes) > 1:
        raise InvalidInputError(
            f"{folder} holds rank files of jobs with {' and '.join(map(str, sorted(sizes)))} ranks "
            "(several MPI programs ran one after another). Take one snapshot of each."
        )
    return found
