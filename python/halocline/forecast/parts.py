# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What each part of a division has and sends, level by level, as arrays over parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from halocline.forecast.linear_levels import LevelSize

Counts = NDArray[np.float64]


@dataclass(frozen=True)
class LevelParts:
    """One level: arrays of shape (parts,); links of shape (links,)."""

    nodes: Counts
    #: Nodes that other parts hold as halo.
    shared: Counts
    #: Edges that a part executes: its own, and those of others that end at its nodes.
    edges: Counts
    own_edges: Counts
    boundary: Counts
    #: Nodes of others that a part holds.
    halo: Counts
    senders: NDArray[np.int64]
    receivers: NDArray[np.int64]
    link_nodes: Counts
    #: Of a level that every part has whole: nodes whose children it sums up.
    sums: Counts | None = None

    def of_set(self, name: str, otherwise: float = 1.0) -> Counts:
        """Return elements that a part executes; each rank has all elements of any other set."""
        if name.startswith("edge"):
            return self.edges
        if name.startswith("node"):
            return self.nodes
        if name.startswith(("bound", "bnd")):
            return self.boundary
        return np.full_like(self.nodes, otherwise)

    def owned_of_set(self, name: str, otherwise: float = 1.0) -> Counts:
        """Return elements that a part owns."""
        return self.own_edges if name.startswith("edge") else self.of_set(name, otherwise)

    def whole(self) -> LevelParts:
        """Return this level when every part has all of it and computes it by itself."""
        none = np.zeros_like(self.nodes)
        links = np.zeros(0, dtype=np.int64)
        edges = np.full_like(self.nodes, self.own_edges.sum())
        nodes = np.full_like(self.nodes, self.nodes.sum())
        return LevelParts(
            nodes, none, edges, edges, none, none, links, links, np.zeros(0), self.nodes
        )


@dataclass(frozen=True)
class Division:
    """A mesh in parts."""

    partitioner: str
    method: str
    parts: int
    levels: tuple[LevelParts, ...]
    #: Seconds of processor time that dividing took, all ranks that divided together.
    cpu_s: float = 0.0
    #: Levels whose nodes memory is counted by; None: all.
    mesh_levels: int | None = None

    @property
    def held_nodes(self) -> Counts:
        """Nodes of all levels of the mesh that a part holds, halos included."""
        counted = self.levels[: self.mesh_levels]
        total: Counts = sum((level.nodes + level.halo for level in counted), np.zeros(()))
        return total


def whole_mesh(levels: Sequence[LevelSize], mesh_levels: int | None = None) -> Division:
    """Return the division into one part: nothing is cut."""
    none = np.zeros(0, dtype=np.int64)
    zero = np.zeros(1)
    made = []
    for level in levels:
        nodes, edges, boundary = (
            np.array([float(count)]) for count in (level.nodes, level.edges, level.boundary_entries)
        )
        made.append(LevelParts(nodes, zero, edges, edges, boundary, zero, none, none, np.zeros(0)))
    return Division("none", "none", 1, tuple(made), mesh_levels=mesh_levels)


def read_division(report: dict[str, Any], first_whole: int | None = None) -> Division:
    """Return the division of a report of `halocline mesh partition` with its parts listed.

    Where it has levels of a pressure solver, they follow the finest level of the mesh; those from
    `first_whole` on are whole on every part.
    """
    way = report["ways"][0]
    coarse = way.get("pressure_levels")
    listed = way["levels"] if coarse is None else [way["levels"][0], *coarse]
    levels = [_level(level["parts"]) for level in listed]
    kept = len(levels) if first_whole is None else first_whole
    return Division(
        partitioner=way["partitioner"],
        method=way["method"],
        parts=report["parts"],
        levels=(*levels[:kept], *(level.whole() for level in levels[kept:])),
        cpu_s=way["cpu_s"] * report["ranks"],
        mesh_levels=None if coarse is None else 1,
    )


def _level(parts: dict[str, Any]) -> LevelParts:
    names = ("nodes", "shared_nodes", "edges", "edges_of_others", "boundary")
    numbers = {name: np.asarray(parts[name], dtype=np.float64) for name in names}
    links = parts["links"]
    senders, receivers = (np.asarray(links[name], dtype=np.int64) for name in ("from", "to"))
    nodes = np.asarray(links["nodes"], dtype=np.float64)
    count = len(numbers["nodes"])
    return LevelParts(
        nodes=numbers["nodes"],
        shared=numbers["shared_nodes"],
        edges=numbers["edges"] + numbers["edges_of_others"],
        own_edges=numbers["edges"],
        boundary=numbers["boundary"] if len(numbers["boundary"]) else np.zeros(count),
        halo=np.bincount(receivers, weights=nodes, minlength=count).astype(np.float64),
        senders=senders,
        receivers=receivers,
        link_nodes=nodes,
    )
