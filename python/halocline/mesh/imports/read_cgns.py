# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""CGNS files (HDF5), through h5py.

Our own walk over the file: meshio knows neither boundary conditions nor mixed sections. The layout
is that of SIDS (CGNS/SIDS, sections 7 and 9) in the HDF5 mapping, where a node is a group with an
attribute `label` and a data set ' data'.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np

from halocline import hdf5
from halocline.errors import InvalidInputError
from halocline.mesh.arrays import AnyArray, Ints
from halocline.mesh.imports.blocks import PIECE, in_processes, shared_table
from halocline.mesh.imports.cgns_boundaries import (
    Family,
    families_of,
    patches_of,
    periodic_sides,
)
from halocline.mesh.imports.cgns_ragged import Kind, Ragged, read_by_kind
from halocline.mesh.imports.cgns_structured import structured_zone
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
    families = families_of(bases[0][1])
    return _source(path, zones, families)


def _source(path: Path, zones: list[Zone], families: dict[str, Family]) -> Source:
    tables = [table for zone in zones for table in zone.tables]
    solid = any(table.kind in SOLID for table in tables) or any(zone.nface for zone in zones)
    wanted = SOLID if solid else ("cells_triangle", "cells_quadrilateral")
    cells: dict[str, list[AnyArray]] = {}
    for table in tables:
        if table.kind in wanted:
            cells.setdefault(table.kind, []).append(table.corners)
    patches: dict[str, Patch] = {}
    for zone in zones:
        for patch in patches_of(zone, families, wanted):
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
    periodic = sorted({name for zone in zones for name, _, _ in periodic_sides(zone)})
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
        if kind == MIXED:
            _read_mixed(zone, name, section, numbers, processes)
        elif kind == NGON:
            _read_ngon(zone, name, _ragged(zone, name, section, len(numbers)), start, processes)
        elif kind == NFACE:
            cells = _ragged(zone, name, section, len(numbers))
            zone.nface = (
                np.asarray(cells.starts[...], dtype=np.int64),
                np.asarray(cells.entries[...], dtype=np.int64),
            )
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


def _read_mixed(zone: Zone, name: str, section: Any, numbers: Ints, processes: int) -> None:
    listed = dataset_of(section["ElementConnectivity"])
    if "ElementStartOffset" in section:
        ragged = _ragged(zone, name, section, len(numbers))
    else:  # files from before CGNS 4: elements are decoded one after the other
        connectivity = np.ravel(listed[...]).astype(np.int64)
        begins = starts_of_mixed(connectivity, len(numbers))
        if begins is None:
            raise _broken_off(zone, name)
        ragged = Ragged(connectivity, np.append(begins, len(connectivity)))
    kinds = read_by_kind(ragged, _kinds_of_mixed, _shape_of_mixed, zone.first_node - 1, processes)
    if kinds is None:
        raise _broken_off(zone, name)
    for kind, (rows, elements) in kinds.items():
        if kind != NODE:
            zone.tables.append(Table(ELEMENTS[kind][0], rows, numbers[elements], name))


def _broken_off(zone: Zone, name: str) -> InvalidInputError:
    return broken(zone.path, f"section '{name}' breaks off or has an unknown element")


def _kinds_of_mixed(entries: Ints, begins: Ints) -> Ints:
    """Return the types that elements begin with; −1 where none is known that is so long."""
    widths = np.full(1 + max(ELEMENTS), -1)
    for kind, (_, nodes, _) in ELEMENTS.items():
        widths[kind] = 1 + nodes
    widths[NODE] = 2
    kinds = entries[begins[:-1]]
    known = (kinds >= 0) & (kinds < len(widths))
    fits = known & (widths[np.where(known, kinds, 0)] == np.diff(begins))
    return np.where(fits, kinds, -1)


def _shape_of_mixed(kind: int) -> Kind:
    return Kind(1, 1 if kind == NODE else ELEMENTS[kind][2])


def starts_of_mixed(connectivity: Ints, count: int) -> Ints | None:
    """Return where the elements of a MIXED section begin; None where they cannot be decoded.

    Elements of one kind in a row are passed together, the more the longer the row is.
    """
    widths = {kind: 1 + nodes for kind, (_, nodes, _) in ELEMENTS.items()} | {NODE: 2}
    found, at, left, ahead = [np.empty(0, dtype=np.int64)], 0, count, 1
    while left:
        kind = int(connectivity[at]) if at < len(connectivity) else -1
        if kind not in widths:
            return None
        width = widths[kind]
        alike = connectivity[at : at + min(ahead, left) * width : width] == kind
        many = len(alike) if alike.all() else int(alike.argmin())
        ahead = 2 * ahead if many == len(alike) else 1
        found.append(at + np.arange(many) * width)
        at, left = at + many * width, left - many
    return np.concatenate(found) if at <= len(connectivity) else None


def _ragged(zone: Zone, name: str, section: Any, count: int) -> Ragged:
    """Return the elements of a section with offsets; older files of NGON and NFACE have none."""
    if "ElementStartOffset" in section:
        ragged = Ragged(
            dataset_of(section["ElementConnectivity"]), dataset_of(section["ElementStartOffset"])
        )
        if ragged.is_sound() and ragged.count == count:
            return ragged
    raise broken(
        zone.path,
        f"section '{name}' has no ElementStartOffset that fits",
        "Write the file with CGNS 4 or newer.",
    )


def _read_ngon(zone: Zone, name: str, ragged: Ragged, first: int, processes: int) -> None:
    zone.ngon_section = name
    shift = zone.first_node - 1
    sizes = read_by_kind(ragged, _sizes_of_polygons, lambda k: Kind(0, k), shift, processes)
    if sizes is None:
        raise _broken_off(zone, name)
    for k, (rows, polygons) in sizes.items():
        zone.ngon[k] = (rows, polygons + first)


def _sizes_of_polygons(_: Ints, begins: Ints) -> Ints:
    sizes = np.diff(begins)
    return np.where(sizes > 0, sizes, -1)


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
