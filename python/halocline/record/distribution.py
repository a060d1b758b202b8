# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the record says of meshes, their division among ranks and halo exchanges."""

from __future__ import annotations

from typing import Annotated

from halocline.documents.part import Bounds, DocumentPart, key
from halocline.record.numbers import Count, Rate, Seconds


class MeshLevel(DocumentPart):
    """Set sizes of one multigrid level, over all ranks."""

    level: Count = key(description="0 is the finest")
    nodes: Count = key(description="nodes")
    edges: Count = key(description="edges")
    boundary_entries: Count = key(description="boundary entries (node, group, area)")


class Mesh(DocumentPart):
    """The mesh that was read."""

    input: str = key(description="path of input.dat as opened")
    name: str = key(description="`mesh_name` of input.dat")
    hash: str | None = key(None, description="hash of the mesh's content")
    levels: list[MeshLevel] = key(min_length=1, description="finest first")


class PartitionLevel(DocumentPart):
    """Partition quality of one level, over all ranks."""

    level: Count = key(description="0 is the finest")
    edge_cut: Count = key(description="edges whose two nodes have different owners")
    imbalance: Annotated[float, Bounds(ge=1.0)] = key(
        description="largest ÷ mean number of owned nodes"
    )
    import_exec: Count = key(description="edges executed by a rank that does not own them, sum")
    import_nonexec: Count = key(description="node copies held for reading only, sum")


class Spread(DocumentPart):
    """A quantity over ranks."""

    min: Rate = key(description="smallest rank")
    mean: Rate = key(description="mean over ranks")
    max: Rate = key(description="largest rank")


class Prediction(DocumentPart):
    """Times that latency and bandwidth foretell; beside them the measured ones in `halo`."""

    latency_s: Seconds = key(description="of a message")
    bytes_per_s: Rate = key(description="of a message, after its latency")
    origin: str = key(description="measured between two ranks, or modelled network")
    exchange_s: Seconds = key(description="one exchange of the state at level 0, slowest rank")
    run_s: Seconds = key(description="all messages and bytes of the run, slowest rank")


class Partition(DocumentPart):
    """How the mesh was divided; null on one rank, where nothing is partitioned."""

    partitioner: str = key(description="partitioner that ran, e.g. ptscotch")
    requested: str | None = key(None, description="partitioner asked for, when another one ran")
    method: str | None = key(None, description="kway, geom, geomkway; null where none applies")
    library: str = key(description="library and version that answered")
    levels: list[PartitionLevel] = key(min_length=1, description="finest first")
    neighbours: Spread = key(description="neighbour ranks of a rank, finest level")
    prediction: Prediction | None = key(None, description="what a network model foretells")


class HaloCounts(DocumentPart):
    """Halo exchanges, of a loop or of all: counts are sums over ranks, times means over ranks."""

    exchanges: Count = key(description="exchanges one rank took part in")
    messages: Count = key(description="messages sent, sum over ranks")
    bytes: Count = key(description="bytes of halo values sent, sum over ranks")
    overlapped: Count | None = key(
        None,
        newer=True,
        description="of exchanges: core elements ran meanwhile, with progress calls between them",
    )
    total_s: Seconds = key(description="begin until all had arrived and was stored")
    hidden_s: Seconds = key(description="part behind core elements")
    exposed_s: Seconds = key(description="part a rank spent packing, storing and waiting")


class HaloLevel(DocumentPart):
    """What the partition predicts for one exchange of one value at each node of a level."""

    level: Count = key(description="0 is the finest")
    messages: Count = key(description="messages of one exchange, sum over ranks")
    elements: Count = key(description="nodes sent in one exchange, sum over ranks")


class HaloTrial(DocumentPart):
    """One halo scheme as `--halo-scheme auto` measured it: the exchanges of one cycle."""

    scheme: str = key(description="as `--halo-scheme` names it")
    seconds: Seconds | None = key(None, description="median round, slowest rank; null: wrong")
    noise_s: Seconds | None = key(None, description="half the distance of the quartiles")
    exchanges: Count = key(description="exchanges of a round")
    messages: Count = key(description="messages of a round, sum over ranks")
    bytes: Count = key(description="bytes of a round, sum over ranks")
    device_copies: Count = key(0, description="copies between devices and hosts of a round")
    device_bytes: Count = key(0, description="bytes of those copies")
    verdict: str = key(description="kept, slower, within the noise, or rejected and why")


class NetworkModel(DocumentPart):
    """The network that `--network-model` put in place of the real one."""

    latency_us: Rate = key(description="microseconds of a message")
    gb_per_s: Annotated[float, Bounds(gt=0.0)] = key(description="10⁹ bytes a second out of a rank")


class Halo(HaloCounts):
    """The ledger of halo exchanges: those of all loops, set-up left out."""

    scheme: str = key(description="halo scheme that ran, as `--halo-scheme` names it")
    requested: str | None = key(None, description="auto, when the scheme was measured")
    reason: str | None = key(None, description="why auto took the scheme")
    overlap: bool = key(True, description="whether core elements ran while halos travelled")
    network_model: NetworkModel | None = key(None, description="null: the real network")
    device_copies: Count = key(0, description="host–device copies, sum over ranks")
    device_bytes: Count = key(0, description="bytes of those copies")
    packing_s: Seconds | None = key(
        None, newer=True, description="of exposed_s: copying from and to dats"
    )
    levels: list[HaloLevel] = key(default_factory=list, description="finest first")
    trials: list[HaloTrial] = key(default_factory=list, description="empty without auto")
