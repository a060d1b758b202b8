# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Named boundaries of a CGNS zone: conditions, families, sides with a period, or sections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from halocline.mesh.arrays import AnyArray, Bools, Ints
from halocline.mesh.imports.cgns_structured import marked_nodes
from halocline.mesh.imports.cgns_zone import Table, Zone, child, children, text_of, values_of
from halocline.mesh.imports.source import Patch

WORDS = (
    ("BCWall", "wall"),
    ("BCFarfield", "far-field"),
    ("BCInflow", "inlet"),
    ("BCTunnelInflow", "inlet"),
    ("BCOutflow", "outlet"),
    ("BCTunnelOutflow", "outlet"),
    ("BCSymmetry", "symmetry"),
)


@dataclass(frozen=True)
class Family:
    """A family: the name to show, and its boundary condition."""

    name: str
    condition: str


def patches_of(zone: Zone, families: dict[str, Family], wanted: tuple[str, ...]) -> Iterator[Patch]:
    """Yield named boundaries: those of ZoneBC, or sections of faces where there are none."""
    sides = [table for table in zone.tables if table.kind not in wanted]
    corners_of_sides = (2,) if "cells_triangle" in wanted else (3, 4)
    sides = [table for table in sides if table.corners.shape[1] in corners_of_sides]
    conditions = child(zone.group, "ZoneBC_t")
    listed = [] if conditions is None else list(children(conditions, "BC_t"))
    for name, condition in listed:
        faces = _faces_of(zone, condition, sides)
        if faces:
            known, word = _name_and_word(name, condition, families)
            yield Patch(known, faces, word)
    if not listed:
        for table in sides:
            yield Patch(table.section, {table.corners.shape[1]: table.corners})
    for name, connection, word in periodic_sides(zone):
        faces = _faces_of(zone, connection, sides)
        if faces:
            yield Patch(name, faces, word)


def periodic_sides(zone: Zone) -> Iterator[tuple[str, Any, str]]:
    """Yield connections with a period, and which of the two sides they are.

    The period leads from a side to its partner: that of the lower side is positive.
    """
    for _, listed in children(zone.group, "ZoneGridConnectivity_t"):
        for kind in ("GridConnectivity1to1_t", "GridConnectivity_t"):
            for name, connection in children(listed, kind):
                about = child(connection, "GridConnectivityProperty_t")
                period = None if about is None else child(about, "Periodic_t")
                if period is None:
                    continue
                moved = [
                    np.ravel(values_of(period[part])).astype(np.float64)
                    for part in ("Translation", "RotationAngle")
                    if part in period
                ]
                along = np.concatenate([*moved, np.zeros(1)])
                lower = along[np.abs(along).argmax()] >= 0.0
                yield name, connection, "periodic-lower" if lower else "periodic-upper"


def _faces_of(zone: Zone, condition: Any, sides: list[Table]) -> dict[int, AnyArray]:
    """Return the faces that a condition or a connection lists, by element or by all their nodes."""
    tables = [*zone.ngon.values(), *((table.corners, table.numbers) for table in zone.tables)]
    largest = max([len(zone.points), *(int(of[-1]) for _, of in tables if len(of))])
    named = np.empty(0, np.int64) if zone.shape else _numbers_of(condition, largest)
    at_nodes = bool(zone.shape) or (
        text_of(child(condition, "GridLocation_t")) in ("", "Vertex")
        and "ElementList" not in condition
        and "ElementRange" not in condition
    )
    candidates = [(table.corners, table.numbers) for table in sides] + list(zone.ngon.values())
    chosen: dict[int, list[AnyArray]] = {}
    marked = np.zeros(len(zone.points), dtype=bool)
    if zone.shape:
        marked = marked_nodes(zone, condition)
    elif at_nodes:
        marked[named[(named > 0) & (named <= len(zone.points))] - 1] = True
    for rows, numbers in candidates:
        mine: Bools = (
            marked[rows - zone.first_node].all(axis=1) if at_nodes else np.isin(numbers, named)
        )
        if mine.any():
            chosen.setdefault(rows.shape[1], []).append(rows[mine])
    return {k: np.concatenate(rows) for k, rows in chosen.items()}


def _numbers_of(condition: Any, largest: int) -> Ints:
    """Return the elements or nodes that a condition lists; none above `largest`."""
    for name in ("PointRange", "ElementRange"):
        if name in condition:
            first, last = (int(n) for n in np.ravel(values_of(condition[name])))
            return np.arange(max(first, 1), min(last, largest) + 1)
    for name in ("PointList", "ElementList"):
        if name in condition:
            return np.ravel(values_of(condition[name])).astype(np.int64)
    return np.empty(0, dtype=np.int64)


def _name_and_word(name: str, condition: Any, families: dict[str, Family]) -> tuple[str, str]:
    """Return the name of a condition, or of the family it leaves all to, and the group's word."""
    kind = text_of(condition)
    if kind == "FamilySpecified":
        family = text_of(child(condition, "FamilyName_t"))
        known = families.get(family, Family(family or name, ""))
        name, kind = known.name, known.condition
    return name, next((word for start, word in WORDS if kind.startswith(start)), "")


def families_of(base: Any) -> dict[str, Family]:
    """Return what families say; Gmsh puts the user's name into one as the name of another."""
    found = {}
    for name, family in children(base, "Family_t"):
        inner = text_of(child(family, "FamilyName_t"))
        found[name] = Family(inner or name, text_of(child(family, "FamilyBC_t")))
    return found
