# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""CGNS files (HDF5), through h5py.

Our own walk over the file: meshio knows neither boundary conditions nor mixed sections. The layout
is that of SIDS (CGNS/SIDS, sections 7 and 9) in the HDF5 mapping, where a node is a group with an
attribute `label` and a data set ' data'.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from halocline import hdf5
from halocline.mesh.arrays import AnyArray, Bools, Ints
from halocline.mesh.imports.blocks import PIECE, in_processes, shared_table
from halocline.mesh.imports.cgns_structured import marked_nodes, structured_zone
from halocline.mesh.imports.cgns_zone import (
    Table,
    Zone,
    child,
    children,
    dataset_of,
    text_of,
    values_of,
    zone_points,
)
from halocline.mesh.imports.source import CellFaces, Patch, Source, broken

ELEMENTS: dict[int, tuple[str, int, int]] = {
    3: ("", 2, 2),
    4: ("", 3, 2),
    5: ("cells_triangle", 3, 3),
    6: ("cells_triangle", 6, 3),
    7: ("cells_quadrilateral", 4, 4),
    8: ("cells_quadrilateral", 8, 4),
    9: ("cells_quadrilateral", 9, 4),
    10: ("cells_tetrahedron", 4, 4),
    11: ("cells_tetrahedron", 10, 4),
    12: ("cells_pyramid", 5, 5),
    13: ("cells_pyramid", 14, 5),
    14: ("cells_prism", 6, 6),
    15: ("cells_prism", 15, 6),
    16: ("cells_prism", 18, 6),
    17: ("cells_hexahedron", 8, 8),
    18: ("cells_hexahedron", 20, 8),
    19: ("cells_hexahedron", 27, 8),
    21: ("cells_pyramid", 13, 5),
}
"""ElementType: kind, nodes, and how many of them are corners."""

NODE, MIXED, NGON, NFACE = 2, 20, 22, 23
SOLID = ("cells_tetrahedron", "cells_pyramid", "cells_prism", "cells_hexahedron")
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
class _Family:
    """A family: the name to show, and its boundary condition."""

    name: str
    condition: str


def read_cgns(path: Path, processes: int = 1) -> Source:
    """Read all unstructured zones of the first base of a CGNS file."""
    with path.open("rb") as file:
        magic = file.read(32)
    if b"ADF Database" in magic:
        raise broken(path, "it is a CGNS file of the old kind (ADF)", "Convert it with adf2hdf.")
    with hdf5.opened(path, "Is it a CGNS file?") as handle:
        return _read(path, handle, processes)


def _read(path: Path, handle: h5py.File, processes: int) -> Source:
    bases = list(children(handle, "CGNSBase_t"))
    if not bases:
        raise broken(path, "it has no CGNSBase_t, so it is no CGNS file", "Check the name.")
    zones, first = [], 0
    for name, group in children(bases[0][1], "Zone_t"):
        kind = text_of(child(group, "ZoneType_t"))
        if kind == "Structured":
            zone = structured_zone(path, name, group, first)
        elif kind == "Unstructured":
            zone = Zone(path, group, first, zone_points(path, name, group))
            _read_sections(zone, processes)
        else:
            raise broken(path, f"zone '{name}' has no ZoneType, Structured or Unstructured")
        first += len(zone.points)
        zones.append(zone)
    if not zones:
        raise broken(path, "it has no zone", "Write the mesh again.")
    families = _families(bases[0][1])
    return _source(path, zones, families)


def _source(path: Path, zones: list[Zone], families: dict[str, _Family]) -> Source:
    tables = [table for zone in zones for table in zone.tables]
    solid = any(table.kind in SOLID for table in tables) or any(zone.nface for zone in zones)
    wanted = SOLID if solid else ("cells_triangle", "cells_quadrilateral")
    cells: dict[str, list[AnyArray]] = {}
    for table in tables:
        if table.kind in wanted:
            cells.setdefault(table.kind, []).append(table.corners)
    patches: dict[str, Patch] = {}
    for zone in zones:
        for patch in _patches(zone, families, wanted):
            known = patches.setdefault(patch.name, Patch(patch.name, {}, patch.word))
            for k, rows in patch.faces.items():
                known.faces[k] = (
                    np.concatenate([known.faces[k], rows]) if k in known.faces else rows
                )
    source = Source(
        path,
        np.concatenate([zone.points for zone in zones]),
        {kind: np.concatenate(rows) for kind, rows in cells.items()},
        list(patches.values()),
    )
    source.polyhedra, source.n_polyhedra = _polyhedra(zones)
    periodic = sorted({name for zone in zones for name, _, _ in _periodic(zone)})
    if periodic:
        source.notes.append(
            f"{', '.join(periodic)}: their faces became the groups periodic-lower and "
            "periodic-upper, which the solvers here take for far field; which nodes belong "
            "together is not kept."
        )
    if len(zones) > 1:
        source.notes.append(f"{len(zones)} zones were put together; join them with --merge-nodes.")
    return source


def _read_sections(zone: Zone, processes: int) -> None:
    for name, section in children(zone.group, "Elements_t"):
        kind = int(np.ravel(values_of(section))[0])
        start, end = (int(n) for n in np.ravel(values_of(section["ElementRange"])))
        listed = dataset_of(section["ElementConnectivity"])
        if not 0 < start <= end + 1 <= start + listed.size:
            raise broken(zone.path, f"section '{name}' has the range {start} to {end}")
        numbers = np.arange(start, end + 1)
        if kind in ELEMENTS:
            what, nodes, corners = ELEMENTS[kind]
            if listed.size != nodes * len(numbers):
                raise broken(zone.path, f"section '{name}' has not {nodes} nodes an element")
            rows = _read_plain(listed, (nodes, corners), zone.first_node - 1, processes)
            zone.tables.append(Table(what, rows, numbers, name))
            continue
        connectivity = np.ravel(listed[...]).astype(np.int64)
        if kind == MIXED:
            _read_mixed(zone, name, connectivity, numbers)
        elif kind in (NGON, NFACE):
            offsets = _offsets(zone, name, section, connectivity, len(numbers))
            if kind == NFACE:
                zone.nface = (offsets, connectivity)
            else:
                _read_ngon(zone, name, offsets, connectivity, numbers)
        elif kind != NODE:
            raise broken(
                zone.path,
                f"section '{name}' has elements of type {kind}, which are not understood",
                "Write the mesh with elements of first or second order.",
            )


def _read_plain(listed: Any, size: tuple[int, int], shift: int, processes: int) -> AnyArray:
    """Read elements of one kind, hyperslab by hyperslab; without the nodes behind the corners."""
    nodes, corners = size
    rows = shared_table(listed.size // nodes, corners, "i4")

    def work(number: int) -> None:
        first, last = number * PIECE, min((number + 1) * PIECE, len(rows))
        part = np.asarray(listed[first * nodes : last * nodes], dtype=np.int64)
        part += shift
        rows[first:last] = part.reshape(-1, nodes)[:, :corners]

    if len(listed.shape) != 1:
        everything = np.asarray(listed[...], dtype=np.int64).reshape(-1, nodes)
        return (everything[:, :corners] + shift).astype(np.int32)
    in_processes(work, -(-len(rows) // PIECE), processes)
    return rows


def _read_mixed(zone: Zone, name: str, connectivity: Ints, numbers: Ints) -> None:
    values = connectivity.tolist()
    starts, at = [], 0
    for _ in range(len(numbers)):
        if at >= len(values) or (values[at] not in ELEMENTS and values[at] != NODE):
            raise broken(zone.path, f"section '{name}' breaks off or has an unknown element")
        starts.append(at)
        at += 1 + (ELEMENTS[values[at]][1] if values[at] != NODE else 1)
    begin = np.array(starts, dtype=np.int64)
    kinds = connectivity[begin]
    for kind in np.unique(kinds).tolist():
        if kind == NODE:
            continue
        what, _, corners = ELEMENTS[kind]
        mine = kinds == kind
        rows = connectivity[begin[mine][:, None] + 1 + np.arange(corners)] - 1 + zone.first_node
        zone.tables.append(Table(what, rows.astype(np.int32), numbers[mine], name))


def _offsets(zone: Zone, name: str, section: Any, connectivity: Ints, count: int) -> Ints:
    """Return where elements of NGON or NFACE begin; older files keep lengths in the list itself."""
    if "ElementStartOffset" in section:
        offsets = np.ravel(values_of(section["ElementStartOffset"])).astype(np.int64)
        ends = len(offsets) == count + 1 and offsets[0] == 0 and offsets[-1] == len(connectivity)
        if ends and (np.diff(offsets) >= 0).all():
            return offsets
    raise broken(
        zone.path,
        f"section '{name}' has no ElementStartOffset that fits",
        "Write the file with CGNS 4 or newer.",
    )


def _read_ngon(zone: Zone, name: str, offsets: Ints, connectivity: Ints, numbers: Ints) -> None:
    zone.ngon_section = name
    sizes = np.diff(offsets)
    for k in np.unique(sizes).tolist():
        mine = np.flatnonzero(sizes == k)
        rows = connectivity[offsets[mine][:, None] + np.arange(k)] - 1 + zone.first_node
        zone.ngon[k] = (rows.astype(np.int32), numbers[mine])


def _polyhedra(zones: list[Zone]) -> tuple[CellFaces | None, int]:
    """Give the polygons of NGON sections to the cells of NFACE sections."""
    found, count = CellFaces(oriented=False), 0
    parts: dict[int, list[tuple[AnyArray, Ints]]] = {}
    for zone in zones:
        if zone.nface is None:
            continue
        offsets, signed = zone.nface
        cell = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)) + count
        count += len(offsets) - 1
        faces = np.abs(signed)
        for k, (rows, numbers) in zone.ngon.items():
            at = np.searchsorted(numbers, faces)
            at[at == len(numbers)] = 0
            mine = np.flatnonzero(numbers[at] == faces)
            parts.setdefault(k, []).append((rows[at[mine]], cell[mine]))
    for k, pieces in parts.items():
        found.nodes[k] = np.concatenate([rows for rows, _ in pieces])
        found.cells[k] = np.concatenate([cells for _, cells in pieces])
    return (found, count) if count else (None, 0)


def _patches(zone: Zone, families: dict[str, _Family], wanted: tuple[str, ...]) -> Iterator[Patch]:
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
    for name, connection, word in _periodic(zone):
        faces = _faces_of(zone, connection, sides)
        if faces:
            yield Patch(name, faces, word)


def _periodic(zone: Zone) -> Iterator[tuple[str, Any, str]]:
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


def _name_and_word(name: str, condition: Any, families: dict[str, _Family]) -> tuple[str, str]:
    """Return the name of a condition, or of the family it leaves all to, and the group's word."""
    kind = text_of(condition)
    if kind == "FamilySpecified":
        family = text_of(child(condition, "FamilyName_t"))
        known = families.get(family, _Family(family or name, ""))
        name, kind = known.name, known.condition
    return name, next((word for start, word in WORDS if kind.startswith(start)), "")


def _families(base: Any) -> dict[str, _Family]:
    """Return what families say; Gmsh puts the user's name into one as the name of another."""
    found = {}
    for name, family in children(base, "Family_t"):
        inner = text_of(child(family, "FamilyName_t"))
        found[name] = _Family(inner or name, text_of(child(family, "FamilyBC_t")))
    return found
