# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The typed run record: what every run writes to record.json, version 1."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from halocline.documents.store import DocumentPart

SCHEMA_NAME = "halocline.record"
SCHEMA_VERSION = 1

Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(ge=0.0)]
Rate = Annotated[float, Field(ge=0.0)]


class Code(DocumentPart):
    """The program that ran."""

    version: str = Field(description="release version, as `--version` prints it")
    git: str | None = Field(None, description="commit; ends in `-dirty` for a changed tree")
    build_type: str = Field(description="CMake build type, e.g. Release")
    arch: str = Field(description="instruction set it was built for, e.g. x86-64-v4")
    compiler: str = Field(description="compiler and version, e.g. GNU 12.2.0")


class Case(DocumentPart):
    """The case file behind the run."""

    file: str = Field(description="path of the case file as given")
    hash: str | None = Field(
        None, description="sha256 of the resolved case, `sha256:<hex>`, added by `halocline run`"
    )


class Host(DocumentPart):
    """One machine of the job."""

    name: str = Field(description="MPI processor name")
    ranks: Positive = Field(description="ranks on this host")
    cpu: str | None = Field(None, description="CPU model")
    cores: Positive | None = Field(None, description="hardware threads the host shows")
    memory_bytes: Count | None = Field(None, description="main memory")


class Device(DocumentPart):
    """One accelerator of the job."""

    host: str = Field(description="name of the host it sits in")
    name: str = Field(description="model, or `emulated`")
    memory_bytes: Count | None = Field(None, description="device memory")


class Rank(DocumentPart):
    """What one rank computes on, of jobs in which a device takes part."""

    rank: Count = Field(description="MPI rank")
    backend: str = Field(description="its back end: openmp, cuda, emulated")
    device: str | None = Field(None, description="name of its device; null: cores")
    nodes: Count | None = Field(None, description="nodes of the finest level that it owns")
    weight: Rate | None = Field(None, description="its target share ÷ the mean share")
    nodes_per_s: Rate | None = Field(
        None, description="measured flux stages, by which the mesh was divided; null: given, equal"
    )


class DeviceUse(DocumentPart):
    """What the devices did during the cycles, together; graph and launches of rank 0."""

    to_device_copies: Count = Field(description="copies from the host")
    to_device_bytes: Count = Field(description="bytes of those copies")
    to_host_copies: Count = Field(description="copies to the host")
    to_host_bytes: Count = Field(description="bytes of those copies")
    graph: bool = Field(description="whether a cycle is submitted in one piece")
    no_graph_because: str | None = Field(None, description="why not; null: it is")
    launches_per_cycle: Count = Field(description="kernels recorded a cycle; 0: none recorded")
    prepare_s: Seconds = Field(
        description="plans, copies of constants and recording; part of the set-up"
    )


class Mpi(DocumentPart):
    """The MPI library the program ran with."""

    library: str = Field(description="name and version, e.g. Open MPI 4.1.4")
    standard: str | None = Field(None, description="MPI standard it implements, e.g. 3.1")
    thread_level: Literal["single", "funneled", "serialized", "multiple"] | None = Field(
        None, description="thread support level provided"
    )
    gpu_aware: bool | None = Field(None, description="takes device pointers; null: not asked")


class Binding(DocumentPart):
    """Where one rank runs: the kernel's masks, as lists of cpus (`0-3,8`)."""

    rank: Count = Field(description="rank in the job")
    host: str = Field(description="its host")
    cpus: str = Field(description="cpus that its threads may run on")
    numa_nodes: str = Field(description="NUMA nodes of these cpus, by hwloc; empty: unknown")
    threads: list[str] = Field(description="mask of each OpenMP thread")
    gpu: str | None = Field(None, description="PCI id of its GPU, taken by the place on its host")
    choice: str = Field("", description="how GPU and cores were chosen, in one sentence")


class Layout(DocumentPart):
    """How the job was spread."""

    ranks: Positive = Field(description="MPI ranks")
    threads_per_rank: Positive = Field(description="threads of one rank")
    gpus: Count = Field(0, description="GPUs used by all ranks together")
    bindings: list[Binding] = Field(default_factory=list, description="one entry a rank")
    findings: list[str] = Field(default_factory=list, description="faults of the binding")


class Settings(DocumentPart):
    """Choices that change speed or bits."""

    renumber: str = Field(description="order of nodes: `none`, `hilbert`, `rcm_chunks`, …")
    reproducible: bool = Field(description="bits do not depend on the layout")
    simd_width: Positive = Field(description="doubles in one pack; 1 is scalar")
    legacy_mode: bool = Field(False, description="MG-CFD's `--legacy-mode` data sets were read")
    strategies: dict[str, str] = Field(
        default_factory=dict, description="loop name → executor strategy, e.g. gather"
    )


class MeshLevel(DocumentPart):
    """Set sizes of one multigrid level, over all ranks."""

    level: Count = Field(description="0 is the finest")
    nodes: Count = Field(description="nodes")
    edges: Count = Field(description="edges")
    boundary_entries: Count = Field(description="boundary entries (node, group, area)")


class Mesh(DocumentPart):
    """The mesh that was read."""

    input: str = Field(description="path of input.dat as opened")
    name: str = Field(description="`mesh_name` of input.dat")
    hash: str | None = Field(None, description="hash of the mesh's content")
    levels: list[MeshLevel] = Field(min_length=1, description="finest first")


class PartitionLevel(DocumentPart):
    """Partition quality of one level, over all ranks."""

    level: Count = Field(description="0 is the finest")
    edge_cut: Count = Field(description="edges whose two nodes have different owners")
    imbalance: float = Field(ge=1.0, description="largest ÷ mean number of owned nodes")
    import_exec: Count = Field(description="edges executed by a rank that does not own them, sum")
    import_nonexec: Count = Field(description="node copies held for reading only, sum")


class Spread(DocumentPart):
    """A quantity over ranks."""

    min: float = Field(ge=0.0, description="smallest rank")
    mean: float = Field(ge=0.0, description="mean over ranks")
    max: float = Field(ge=0.0, description="largest rank")


class Prediction(DocumentPart):
    """Times that latency and bandwidth foretell; beside them the measured ones in `halo`."""

    latency_s: Seconds = Field(description="of a message")
    bytes_per_s: Rate = Field(description="of a message, after its latency")
    origin: str = Field(description="measured between two ranks, or modelled network")
    exchange_s: Seconds = Field(description="one exchange of the state at level 0, slowest rank")
    run_s: Seconds = Field(description="all messages and bytes of the run, slowest rank")


class Partition(DocumentPart):
    """How the mesh was divided; null on one rank, where nothing is partitioned."""

    partitioner: str = Field(description="partitioner that ran, e.g. ptscotch")
    requested: str | None = Field(None, description="partitioner asked for, when another one ran")
    method: str | None = Field(None, description="kway, geom, geomkway; null where none applies")
    library: str = Field(description="library and version that answered")
    levels: list[PartitionLevel] = Field(min_length=1, description="finest first")
    neighbours: Spread = Field(description="neighbour ranks of a rank, finest level")
    prediction: Prediction | None = Field(None, description="what a network model foretells")


class HaloCounts(DocumentPart):
    """Halo exchanges of one loop: counts are sums over ranks, times are means over ranks."""

    exchanges: Count = Field(description="exchanges one rank took part in")
    messages: Count = Field(description="messages sent, sum over ranks")
    bytes: Count = Field(description="bytes of halo values sent, sum over ranks")
    overlapped: Count | None = Field(
        None,
        description="of exchanges: core elements ran meanwhile, with looks between them",
    )
    total_s: Seconds = Field(description="begin until all had arrived and was stored")
    hidden_s: Seconds = Field(description="part behind core elements")
    exposed_s: Seconds = Field(description="part a rank spent packing, storing and waiting")


class HaloLevel(DocumentPart):
    """What the partition predicts for one exchange of one value at each node of a level."""

    level: Count = Field(description="0 is the finest")
    messages: Count = Field(description="messages of one exchange, sum over ranks")
    elements: Count = Field(description="nodes sent in one exchange, sum over ranks")


class HaloTrial(DocumentPart):
    """One halo scheme as `--halo-scheme auto` measured it: the exchanges of one cycle."""

    scheme: str = Field(description="p2p, neighbor, rma; devices: packed, neighbour, whole, direct")
    seconds: Seconds | None = Field(None, description="median round, slowest rank; null: wrong")
    noise_s: Seconds | None = Field(None, description="half the distance of the quartiles")
    exchanges: Count = Field(description="exchanges of a round")
    messages: Count = Field(description="messages of a round, sum over ranks")
    bytes: Count = Field(description="bytes of a round, sum over ranks")
    device_copies: Count = Field(0, description="copies between devices and hosts of a round")
    device_bytes: Count = Field(0, description="bytes of those copies")
    verdict: str = Field(description="kept, slower, within the noise, or rejected and why")


class NetworkModel(DocumentPart):
    """The network that `--network-model` put in place of the real one."""

    latency_us: float = Field(ge=0.0, description="microseconds of a message")
    gb_per_s: float = Field(gt=0.0, description="10⁹ bytes a second out of a rank")


class Halo(DocumentPart):
    """The ledger of halo exchanges: counts are sums over ranks, times are means over ranks."""

    scheme: str = Field(description="halo scheme that ran: p2p, neighbor, rma")
    requested: str | None = Field(None, description="auto, when the scheme was measured")
    reason: str | None = Field(None, description="why auto took the scheme")
    overlap: bool = Field(True, description="whether core elements ran while halos travelled")
    network_model: NetworkModel | None = Field(None, description="null: the real network")
    exchanges: Count = Field(description="exchanges one rank took part in, set-up left out")
    messages: Count = Field(description="messages sent, sum over ranks")
    bytes: Count = Field(description="bytes of halo values sent, sum over ranks")
    overlapped: Count | None = Field(
        None,
        description="of exchanges: core elements ran meanwhile, with looks between them",
    )
    device_copies: Count = Field(0, description="host–device copies, sum over ranks")
    device_bytes: Count = Field(0, description="bytes of those copies")
    total_s: Seconds = Field(description="begin until all had arrived and was stored")
    hidden_s: Seconds = Field(description="part behind core elements")
    exposed_s: Seconds = Field(description="part a rank spent packing, storing and waiting")
    packing_s: Seconds | None = Field(None, description="of exposed_s: copying from and to dats")
    levels: list[HaloLevel] = Field(default_factory=list, description="finest first")
    trials: list[HaloTrial] = Field(default_factory=list, description="empty without auto")


class Loop(DocumentPart):
    """One named loop on one level, all calls and all ranks together."""

    name: str = Field(description="name given to `par_loop`")
    level: Count | None = Field(None, description="multigrid level; null where it has none")
    set: str = Field(description="iteration set: nodes, edges, boundary, …")
    calls: Count = Field(description="calls of one rank")
    seconds: Seconds = Field(description="mean over ranks, waiting for halos included")
    seconds_max: Seconds | None = Field(None, description="slowest rank")
    elements: Count = Field(description="calls × set size; redundant work not counted")
    ns_per_element: Rate | None = Field(None, description="1e9 × seconds ÷ elements")
    bytes: Count = Field(description="traffic by count: every operand moved once per call")
    gb_per_s: Rate | None = Field(None, description="bytes ÷ seconds ÷ 1e9, all ranks together")
    percent_of_triad: Rate | None = Field(None, description="100 × gb_per_s ÷ triad_gb_per_s")
    halo: HaloCounts | None = Field(None, description="exchanges it began; null: none")
    ran_on: Literal["host", "device", "both"] = Field(
        "host", description="where its kernel ran; both: by rank"
    )
    timed_calls: Count | None = Field(
        None, description="device: calls timed, which `seconds` is scaled from; null: host, all"
    )
    strategy: Literal["gather", "atomics", "direct"] | None = Field(
        None, description="device: how it ran; direct: own elements only; null: host, globals"
    )
    strategy_s: dict[str, Seconds] = Field(
        default_factory=dict,
        description="strategy → seconds of a call on the slowest rank; empty: nothing was measured",
    )


class Setup(DocumentPart):
    """Set-up times of the slowest rank."""

    read_s: Seconds = Field(description="reading and checking the mesh files")
    partition_s: Seconds = Field(description="partitioning and migration")
    renumber_s: Seconds = Field(description="reordering nodes and edges")
    halo_s: Seconds = Field(description="building ownership and halo lists")
    plan_s: Seconds = Field(description="loop plans, rows, packs")
    total_s: Seconds = Field(description="start of the program to the first cycle")


class Io(DocumentPart):
    """Result output; times are those of the slowest rank."""

    blocked_s: Seconds = Field(description="time the solver waited for output")
    hidden_s: Seconds = Field(description="output time behind computation")
    bytes: Count = Field(description="bytes written, all ranks together")
    files: list[str] = Field(default_factory=list, description="result files under final names")


class Memory(DocumentPart):
    """Peak memory of the processes."""

    peak_rss_bytes: Spread = Field(description="peak resident set of a rank")
    fixed_bytes: Spread | None = Field(
        None, description="resident before the mesh was read: libraries and MPI"
    )
    mesh_file_bytes: Count | None = Field(None, description="size of all level files")
    peak_over_share: float | None = Field(
        None, description="(largest peak − least fixed_bytes) × ranks ÷ mesh_file_bytes"
    )
    distribute_over_share: float | None = Field(
        None, description="the same for the peak until the mesh was distributed"
    )


class Norms(DocumentPart):
    """Norms of one result array; order of components as in the file."""

    level: Count = Field(description="0 is the finest")
    dataset: str = Field(description="variables, step_factors, …")
    l2: list[float | None] = Field(description="sqrt(Σ q² ÷ N) per component")
    min: list[float | None] = Field(description="smallest value per component")
    max: list[float | None] = Field(description="largest value per component")


class Validation(DocumentPart):
    """Answer of `--validate-result`."""

    passed: bool = Field(description="within the accepted number of bad values on every level")
    reference: str = Field(description="file or folder compared with")
    bad_values: list[Count] = Field(description="values off by more than the tolerance, per level")


class MemoryBound(DocumentPart):
    """Answer of `--measure-mem-bound`."""

    seconds: Seconds = Field(description="streaming kernel with the edge flux's traffic, mean")
    share_of_flux: Rate = Field(description="its time ÷ time of the edge flux")


class Results(DocumentPart):
    """What came out."""

    cycles: Count = Field(description="cycles completed")
    total_runtime_s: Seconds = Field(description="as `Max total runtime` prints it")
    compute_s: Seconds = Field(description="the cycles alone, slowest rank")
    rms: list[float | None] = Field(
        description="sqrt(Σ R² ÷ N) on level 0 per cycle; null where not finite"
    )
    norms: list[Norms] = Field(default_factory=list, description="one entry per level and array")
    validation: Validation | None = Field(None, description="null: not asked for")
    memory_bound: MemoryBound | None = Field(None, description="null: not asked for")


class Failure(DocumentPart):
    """Where a run went wrong, as far as it is known."""

    cycle: Count | None = Field(None, description="cycle, counted from 1")
    level: Count | None = Field(None, description="multigrid level")
    loop: str | None = Field(None, description="loop name")
    node: Count | None = Field(None, description="node in file order, counted from 0")
    coordinates: list[float] | None = Field(None, description="x, y, z of that node")


class Status(DocumentPart):
    """How the run ended."""

    state: Literal["ok", "diverged", "stopped", "failed"] = Field(
        description="stopped: early, with a checkpoint"
    )
    exit_code: Count = Field(description="exit code of the program")
    message: str | None = Field(None, description="the sentence the user saw")
    failure: Failure | None = Field(None, description="place of a divergence")


class Record(DocumentPart):
    """One run of a native program."""

    schema_name: Literal["halocline.record"] = Field(
        alias="schema", description="always `halocline.record`"
    )
    schema_version: Literal[1] = Field(description="1; raised when a key changes its meaning")
    program: str = Field(description="mgcfd, halocline-solve, …")
    started: str = Field(description="UTC, ISO 8601, e.g. 2026-11-20T10:15:00Z")
    code: Code
    command: list[str] = Field(min_length=1, description="argument vector of the program")
    working_directory: str = Field(description="where it was started")
    case: Case | None = Field(None, description="null: started without a case file")
    hosts: list[Host] = Field(min_length=1)
    devices: list[Device] = Field(default_factory=list)
    device_use: DeviceUse | None = Field(None, description="null: no device took part")
    ranks: list[Rank] = Field(default_factory=list, description="empty: no device took part")
    mpi: Mpi
    layout: Layout
    backend: str = Field(
        description="backend that ran: serial, openmp, check, cuda, emulated; mixed: see ranks"
    )
    settings: Settings
    mesh: Mesh
    partition: Partition | None = None
    halo: Halo
    loops: list[Loop]
    triad_gb_per_s: Rate | None = Field(
        None, description="measured triad of all cores of the job; null: not measured"
    )
    setup: Setup
    io: Io
    memory: Memory
    results: Results
    status: Status
