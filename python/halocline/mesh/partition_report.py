# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What tables need of a report of `halocline-meshtool`; docs/partitioning.md has all keys."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(ge=0, le=2**62)]
Number = Annotated[float, Field(ge=0.0, le=1e18)]


class Part(BaseModel):
    """Further keys are left alone."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True, allow_inf_nan=False)


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
    levels: list[Level] = Field(min_length=1)


class MeshLevel(Part):
    """Sizes of a level."""

    nodes: Count
    edges: Count


class Mesh(Part):
    """The mesh that was divided."""

    input: str
    levels: list[MeshLevel] = Field(min_length=1)


class Link(Part):
    """The network that predictions assume."""

    latency_s: Number
    bytes_per_s: Number
    origin: str


class PartitionReport(Part):
    """All ways that were tried."""

    schema_name: Literal["halocline.partition-report"] = Field(alias="schema")
    schema_version: Literal[1]
    ranks: Count
    parts: Count
    mesh: Mesh
    link: Link | None
    ways: list[FailedWay | Way] = Field(min_length=1)
