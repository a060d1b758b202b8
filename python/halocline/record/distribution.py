# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the record says of meshes, their division among ranks and halo exchanges."""

from __future__ import annotations

from pydantic import Field

from halocline.documents.store import DocumentPart
from halocline.record.numbers import Count, Rate, Seconds


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

    scheme: str = Field(
        description="p2p, neighbor, rma; devices: packed, neighbour, whole, direct, peer"
    )
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
