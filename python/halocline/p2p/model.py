# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the page needs of a result of halocline-p2p; docs/formats/p2p-result.md has all keys."""

from __future__ import annotations

from typing import Annotated, Literal

from halocline.documents.part import Bounds, DocumentPart, key

# Bounds keep sums and ratios of numbers finite; nothing measured comes near them.
Count = Annotated[int, Bounds(ge=0, le=2**62)]
Seconds = Annotated[float, Bounds(ge=0.0, le=1e12)]
Positive = Annotated[float, Bounds(ge=1e-15, le=1e12)]
Rate = Annotated[float, Bounds(ge=0.0, le=1e18)]


class Part(DocumentPart):
    """Further keys are left alone: newer programs may say more."""

    __open__ = True


class Code(Part):
    """The program that ran."""

    version: str
    git: str


class Device(Part):
    """The accelerator that took part, if one did."""

    name: str = "none"
    details: str | None = ""
    pcie_bytes_per_s: Rate | None = None


class Evidence(Part):
    """Something found out, and how."""

    what: str
    value: str
    source: str


class GpuAware(Part):
    """Whether MPI takes device pointers."""

    evidence: str


class Rdma(Part):
    """Whether cards read device memory."""

    verdict: str


class NumaNode(Part):
    """A NUMA node."""

    node: int
    cpus: str


class Pci(Part):
    """A GPU or a network card."""

    name: str
    pci_bus_id: str
    near_cpus: str


class Topology(Part):
    """The machine as hwloc shows it."""

    hwloc: str
    numa_nodes: list[NumaNode]
    gpus: list[Pci]
    nics: list[Pci]


class Finding(Part):
    """A fault of the binding."""

    sentence: str


class RankPlace(Part):
    """Where a rank ran."""

    rank: Count
    cpus: str


class Affinity(Part):
    """Where ranks ran."""

    findings: list[Finding]
    warnings: list[str]
    ranks_of_host: list[RankPlace]


class CopyRate(Part):
    """Speed of memcpy at one size."""

    bytes: Count
    bytes_per_s: Rate


class Limits(Part):
    """What the machine can do; null: not known."""

    triad_bytes_per_s: Rate | None
    memcpy: list[CopyRate]
    device_to_host_bytes_per_s: Rate | None
    host_to_device_bytes_per_s: Rate | None = None
    on_device_bytes_per_s: Rate | None = None
    network_evidence: str


class Path(Part):
    """A path that messages can take."""

    name: str
    state: str
    reason: str | None
    traffic: str | None
    limit: str | None


class Row(Part):
    """A pattern on a path at one size."""

    path: str
    pattern: str
    bytes: Count
    window: Count
    buffers: Literal["reused", "distinct"]
    block_bytes: Count
    first_s: Seconds
    samples: Count
    batch: Count
    min_s: Seconds
    median_s: Seconds
    p99_s: Seconds
    max_s: Seconds
    bytes_per_s: Rate
    percent_of_limit: Rate | None


class JudgeRow(Part):
    """The host path against a plain ping-pong."""

    bytes: Count
    plain_s: Seconds
    host_s: Seconds
    ratio: Annotated[float, Bounds(ge=0.0, le=1e12)]


class Block(Part):
    """A block size of the sweep."""

    block_bytes: Count
    median_s: Positive


class SweepRow(Part):
    """All block sizes at one message size."""

    bytes: Count
    staged_s: Positive
    blocks: list[Block]
    best_block_bytes: Count
    confirmed_staged_s: Positive
    confirmed_best_s: Positive
    default_s: Seconds | None


class Sweep(Part):
    """The block sweep of the pipelined path."""

    rows: list[SweepRow] = key(min_length=1)
    written_to: str | None


class P2pResult(Part):
    """A run of the benchmark."""

    format: Literal["halocline-p2p-result"]
    version: Literal[2]
    code: Code
    started: str
    command: list[str]
    host: str
    ranks: Count
    thread_level: Literal["single", "funneled", "serialized", "multiple"]
    one_host: bool
    device: Device
    transport: list[Evidence] = key(min_length=1)
    gpu_aware_mpi: GpuAware
    gpudirect_rdma: Rdma
    topology: Topology
    affinity: Affinity
    limits: Limits
    paths: list[Path]
    rows: list[Row]
    judge: list[JudgeRow]
    sweep: Sweep | None
