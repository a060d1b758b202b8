# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What tables need of a report of `halocline-meshtool`; docs/partitioning.md has all keys."""

from __future__ import annotations

from typing import Annotated, Literal

from halocline.documents.part import Bounds, DocumentPart, key

Count = Annotated[int, Bounds(ge=0, le=2**62)]
Number = Annotated[float, Bounds(ge=0.0, le=1e18)]


class Part(DocumentPart):
    """Further keys are left alone."""

    __open__ = True


class Neighbours(Part):
    """Neighbours of a part."""

    mean: Number
    max: Count


class Level(Part):
    """A division of one level."""

    level: Count
    imbalance: Number
    largest_part: Count
    smallest_part: Count
    edge_cut: Count
    halo_nodes: Count
    neighbours: Neighbours
    messages_per_exchange: Count
    bytes_per_exchange: Count
    disconnected_parts: Count
    predicted_exchange_s: Number | None


class FailedWay(Part):
    """A partitioner with a method that could not do it, and why."""

    partitioner: str
    method: str
    error: str


class Way(Part):
    """A partitioner with a method, and what it made."""

    partitioner: str
    method: str
    library: str
    wall_s: Number
    cpu_s: Number
    memory_bytes: Count | None
    halo_elements: Count
    levels: list[Level] = key(min_length=1)


class MeshLevel(Part):
    """Sizes of a level."""

    nodes: Count
    edges: Count


class Mesh(Part):
    """The mesh that was divided."""

    input: str
    levels: list[MeshLevel] = key(min_length=1)


class Link(Part):
    """The network that predictions assume."""

    latency_s: Number
    bytes_per_s: Number
    origin: str


class PartitionReport(Part):
    """All ways that were tried."""

    schema_name: Literal["halocline.partition-report"] = key(name="schema")
    schema_version: Literal[1]
    ranks: Count
    parts: Count
    mesh: Mesh
    link: Link | None
    ways: list[FailedWay | Way] = key(min_length=1)
