# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Levels that a pressure solver makes while it runs: their sizes, their loops, what travels there.

The record lists sizes; halos of these levels are not in its table of levels, so that what a loop
exchanges there follows from what it is: one number of each node of its level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halocline.record.model import Record
from halocline.record.outcome import Loop

#: Of the names of sets that the hierarchy adds (solver/incompressible/case.cpp).
PREFIX = "levels_"
#: The loop that brings sums over parts to all ranks, which have the levels from there on whole.
COLLECTION = "collect_sums"
#: Loops over a level's nodes that read those of the next coarser one.
CORRECTIONS = ("correct", "correct_twice")
DOUBLE, FLOAT = 8.0, 4.0


@dataclass(frozen=True)
class LevelSize:
    """Elements of a level, all ranks together."""

    nodes: int
    edges: int
    boundary_entries: int


@dataclass(frozen=True)
class Place:
    """What a loop runs over: a kind of elements of a level."""

    kind: str
    level: int


def levels_of(record: Record) -> tuple[LevelSize, ...]:
    """Return levels of the mesh, or the finest one and those that a pressure solver made of it."""
    mesh = [LevelSize(one.nodes, one.edges, one.boundary_entries) for one in record.mesh.levels]
    if not record.linear_solvers:
        return tuple(mesh)
    coarse = record.linear_solvers[0].levels[1:]
    return (mesh[0], *(LevelSize(one.nodes, one.edges, 0) for one in coarse))


def first_whole(record: Record) -> int | None:
    """Return the first level that every rank has whole; None where none is, or on one rank."""
    levels = [loop.level or 0 for loop in record.loops if loop.name == COLLECTION and loop.calls]
    return min(levels, default=None)


def place_of(record: Record, loop: Loop, levels: Sequence[LevelSize]) -> Place:
    """Return what a loop runs over; sets that a hierarchy adds have their level from their size.

    A restriction to level 2 runs over nodes of level 1, and belongs to level 2 in the record.
    """
    if not loop.set.startswith(PREFIX):
        return Place(loop.set, 0 if record.linear_solvers else loop.level or 0)
    kind = loop.set.removeprefix(PREFIX)
    size = loop.elements // loop.calls
    for level in range(1, len(levels)):
        own = levels[level].edges if kind == "edges" else levels[level].nodes
        if kind in ("nodes", "edges") and size in (own, own * record.layout.ranks):
            return Place(kind, level)
    return Place("once", loop.level or 0)


def bytes_of_value(record: Record) -> float:
    """Return the size of what coarse levels store, as loops of the finest level exchange it."""
    finest = next((one for one in record.halo.levels if one.level == 0), None)
    for loop in record.loops:
        halo = loop.halo
        if loop.level == 0 and halo is not None and halo.exchanges and finest is not None:
            size = halo.bytes / (halo.exchanges * max(1, finest.elements))
            return DOUBLE if size > (FLOAT + DOUBLE) / 2 else FLOAT
    return FLOAT
