# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What each part of a division has and sends, level by level, as arrays over parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

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

    def of_set(self, name: str) -> Counts:
        """Return elements that a part executes; any other set is what each rank has once."""
        if name.startswith("edge"):
            return self.edges
        if name.startswith("node"):
            return self.nodes
        return self.boundary if name.startswith(("bound", "bnd")) else np.ones_like(self.nodes)

    def owned_of_set(self, name: str) -> Counts:
        """Return elements that a part owns."""
        return self.own_edges if name.startswith("edge") else self.of_set(name)


@dataclass(frozen=True)
class Division:
    """A mesh in parts."""

    partitioner: str
    method: str
    parts: int
    levels: tuple[LevelParts, ...]
    #: Seconds of processor time that dividing took, all ranks that divided together.
    cpu_s: float = 0.0

    @property
    def held_nodes(self) -> Counts:
        """Nodes of all levels that a part holds, halos included."""
        total: Counts = sum((level.nodes + level.halo for level in self.levels), np.zeros(()))
        return total


def whole_mesh(levels: list[dict[str, Any]]) -> Division:
    """Return the division into one part: nothing is cut."""
    none = np.zeros(0, dtype=np.int64)
    made = []
    for level in levels:
        nodes, edges, boundary = (
            np.array([float(level[key])]) for key in ("nodes", "edges", "boundary_entries")
        )
        zero = np.zeros(1)
        made.append(LevelParts(nodes, zero, edges, edges, boundary, zero, none, none, np.zeros(0)))
    return Division("none", "none", 1, tuple(made))


def read_division(report: dict[str, Any]) -> Division:
    """Return the division of a report of `halocline mesh partition` with its parts listed."""
    way = report["ways"][0]
    return Division(
        partitioner=way["partitioner"],
        method=way["method"],
        parts=report["parts"],
        levels=tuple(_level(level["parts"]) for level in way["levels"]),
        cpu_s=way["cpu_s"] * report["ranks"],
    )


def _level(parts: dict[str, Any]) -> LevelParts:
    numbers = {
        name: np.asarray(parts[name], dtype=np.float64)
        for name in ("nodes", "shared_nodes", "edges", "edges_of_others", "boundary")
    }
    links = parts["links"]
    senders, receivers = (np.asarray(links[name], dtype=np.int64) for name in ("from", "to"))
    nodes = np.asarray(links["nodes"], dtype=np.float64)
    count = len(numbers["nodes"])
    return LevelParts(
        nodes=numbers["nodes"],
        shared=numbers["shared_nodes"],
        edges=numbers["edges"] + numbers["edges_of_others"],
        own_edges=numbers["edges"],
        boundary=numbers["boundary"],
        halo=np.bincount(receivers, weights=nodes, minlength=count).astype(np.float64),
        senders=senders,
        receivers=receivers,
        link_nodes=nodes,
    )
