# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Small meshes written in the formats of others, for the tests of `mesh import`."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import meshio
import numpy as np
from halocline.mesh.arrays import AnyArray, Floats

MESHIO = {
    "cells_tetrahedron": "tetra",
    "cells_pyramid": "pyramid",
    "cells_prism": "wedge",
    "cells_hexahedron": "hexahedron",
    "cells_triangle": "triangle",
    "cells_quadrilateral": "quad",
}
SIDES = {2: "line", 3: "triangle", 4: "quad"}
SU2 = {
    "cells_triangle": 5,
    "cells_quadrilateral": 9,
    "cells_tetrahedron": 10,
    "cells_hexahedron": 12,
    "cells_prism": 13,
    "cells_pyramid": 14,
}
CGNS = {
    "cells_triangle": 5,
    "cells_quadrilateral": 7,
    "cells_tetrahedron": 10,
    "cells_pyramid": 12,
    "cells_prism": 14,
    "cells_hexahedron": 17,
}
FACES = {
    "cells_tetrahedron": ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)),
    "cells_pyramid": ((0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)),
    "cells_prism": ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)),
    "cells_hexahedron": (
        (0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7),
    ),
}  # fmt: skip
Write = Callable[["Foreign", Path], Path]


@dataclass
class Foreign:
    """Nodes, corners of cells by dataset, named boundaries by number of corners."""

    points: Floats
    cells: dict[str, AnyArray]
    sides: dict[str, dict[int, AnyArray]] = field(default_factory=dict)


def from_level(data: dict[str, AnyArray], names: dict[int, str]) -> Foreign:
    """Take nodes, cells and boundary faces from a level file of our own."""
    quads, group = data["bnd_quads"], data["bnd_quad_group"]
    triangle = quads[:, 2] == quads[:, 3]
    line = quads[:, 1] == quads[:, 2]
    sides: dict[str, dict[int, AnyArray]] = {}
    for number, name in names.items():
        mine = group == number
        parts = {
            2: quads[mine & triangle & line][:, :2],
            3: quads[mine & triangle & ~line][:, :3],
            4: quads[mine & ~triangle],
        }
        sides[name] = {k: rows for k, rows in parts.items() if len(rows)}
    cells = {name: data[name] for name in data if name.startswith("cells_")}
    return Foreign(data["node_coordinates"], cells, sides)


def square(n: int, *, triangles: bool) -> Foreign:
    """The unit square with n by n cells: quadrilaterals, or their halves as triangles."""
    line = np.linspace(0.0, 1.0, n + 1)
    x, y = np.meshgrid(line, line, indexing="ij")
    points = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    ids = np.arange(x.size).reshape(n + 1, n + 1)
    quads = np.stack([ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]], axis=-1)
    quads = quads.reshape(-1, 4)
    halves = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    cells = {"cells_triangle": halves} if triangles else {"cells_quadrilateral": quads}
    borders = {"bottom": ids[:, 0], "right": ids[-1], "top": ids[::-1, -1], "left": ids[0, ::-1]}
    sides = {name: {2: np.stack([row[:-1], row[1:]], axis=1)} for name, row in borders.items()}
    return Foreign(points, cells, sides)


def as_meshio(mesh: Foreign, tags: str, kind: str = "i8") -> Any:
    """Return a meshio mesh whose boundary cells carry the number of their boundary, from 1."""
    blocks = [(MESHIO[name], rows) for name, rows in mesh.cells.items()]
    inside = len(mesh.sides) + 1
    numbers = [np.full(len(rows), inside, dtype=kind) for _, rows in blocks]
    for number, faces in enumerate(mesh.sides.values(), start=1):
        for k, rows in faces.items():
            blocks.append((SIDES[k], rows))
            numbers.append(np.full(len(rows), number, dtype=kind))
    data = {tags: numbers}
    if tags == "gmsh:physical":
        data["gmsh:geometrical"] = [np.maximum(each, 1) for each in numbers]
    flat = all(name in ("cells_triangle", "cells_quadrilateral") for name in mesh.cells)
    names = {
        name: np.array([number, 1 if flat else 2]) for number, name in enumerate(mesh.sides, 1)
    }
    names["fluid"] = np.array([inside, 2 if flat else 3])
    return meshio.Mesh(mesh.points, blocks, cell_data=data, field_data=names)


def write_gmsh(version: str, *, binary: bool) -> Write:
    """Return a writer of version 2.2 (by meshio) or 4.1 (by Gmsh itself)."""

    def write(mesh: Foreign, folder: Path) -> Path:
        path = folder / "mesh.msh"
        as_meshio(mesh, "gmsh:physical", "i4").write(
            path, "gmsh22", binary=binary and version == "2.2"
        )
        if version == "4.1":
            by_gmsh(path, path, binary=binary)
        return path

    return write


def by_gmsh(source: Path, target: Path, *, binary: bool) -> None:
    """Let Gmsh read one file and write another."""
    import gmsh

    gmsh.initialize(["-v", "0"])
    try:
        gmsh.open(str(source))
        gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
        gmsh.option.setNumber("Mesh.Binary", int(binary))
        gmsh.write(str(target))
    finally:
        gmsh.finalize()


def write_vtk(name: str, kind: str = "i8", **options: Any) -> Write:
    """Return a writer of .vtu or .vtk files by meshio."""

    def write(mesh: Foreign, folder: Path) -> Path:
        as_meshio(mesh, "boundary", kind).write(folder / name, **options)
        return folder / name

    return write


def write_su2(mesh: Foreign, folder: Path, *, numbered: bool = False) -> Path:
    """Write SU2's format; elements and nodes end with their own number where asked."""
    path = folder / "mesh.su2"
    flat = all(name in ("cells_triangle", "cells_quadrilateral") for name in mesh.cells)
    lines = ["% a comment", f"NDIME= {2 if flat else 3}"]
    elements = [(SU2[name], row) for name, rows in mesh.cells.items() for row in rows.tolist()]
    lines.append(f"NELEM= {len(elements)}")
    for number, (kind, row) in enumerate(elements):
        lines.append(" ".join(map(str, [kind, *row, *([number] if numbered else [])])))
    lines.append(f"NPOIN= {len(mesh.points)}")
    for number, point in enumerate(mesh.points[:, : 2 if flat else 3].tolist()):
        lines.append(" ".join([*map(repr, point), *([str(number)] if numbered else [])]))
    lines.append(f"NMARK= {len(mesh.sides)}")
    for name, faces in mesh.sides.items():
        rows = [(k, row) for k, part in faces.items() for row in part.tolist()]
        lines += [f"MARKER_TAG= {name}", f"MARKER_ELEMS= {len(rows)}"]
        lines += [" ".join(map(str, [{2: 3, 3: 5, 4: 9}[k], *row])) for k, row in rows]
    path.write_text("\n".join(lines) + "\n")
    return path


def write_cgns_by_gmsh(mesh: Foreign, folder: Path) -> Path:
    """Write a .msh file and let Gmsh convert it."""
    source = write_gmsh("2.2", binary=True)(mesh, folder)
    by_gmsh(source, folder / "mesh.cgns", binary=True)
    return folder / "mesh.cgns"


def write_cgns(mesh: Foreign, folder: Path, location: str = "FaceCenter") -> Path:
    """Write a CGNS file by hand: one MIXED section of cells, others of faces, and conditions."""
    path = folder / "mesh.cgns"
    with h5py.File(path, "w") as file:
        base = _node(file, "Base", "CGNSBase_t", np.array([3, 3], "i4"))
        total = sum(len(rows) for rows in mesh.cells.values())
        size = np.array([[len(mesh.points)], [total], [0]], "i8")
        zone = _node(base, "Zone", "Zone_t", size)
        _node(zone, "ZoneType", "ZoneType_t", _letters("Unstructured"))
        grid = _node(zone, "GridCoordinates", "GridCoordinates_t")
        for axis, column in zip("XYZ", mesh.points.T, strict=True):
            _node(grid, f"Coordinate{axis}", "DataArray_t", column)
        mixed = [
            np.insert(rows + 1, 0, CGNS[name], axis=1).ravel() for name, rows in mesh.cells.items()
        ]
        _section(zone, "Volume", 20, (1, total), np.concatenate(mixed))
        conditions = _node(zone, "ZoneBC", "ZoneBC_t")
        last = total
        for name, faces in mesh.sides.items():
            first = last + 1
            for k, rows in faces.items():
                kind = {2: 3, 3: 5, 4: 7}[k]
                _section(zone, f"{name}{k}", kind, (last + 1, last + len(rows)), rows.ravel() + 1)
                last += len(rows)
            condition = _node(conditions, name, "BC_t", _letters("BCWall"))
            if location == "Vertex":
                nodes = np.unique(np.concatenate([rows.ravel() for rows in faces.values()]))
                _node(condition, "PointList", "IndexArray_t", nodes[None] + 1)
            else:
                _node(condition, "PointRange", "IndexRange_t", np.array([[first, last]]))
                _node(condition, "GridLocation", "GridLocation_t", _letters(location))
    return path


def write_cgns_of_faces(mesh: Foreign, folder: Path) -> Path:
    """Write a CGNS file of polygons (NGON) and polyhedra (NFACE), families and all."""
    faces, owner, neighbour, patches = polyhedral(mesh)
    path = folder / "mesh.cgns"
    n_cells = max(owner) + 1
    with h5py.File(path, "w") as file:
        base = _node(file, "Base", "CGNSBase_t", np.array([3, 3], "i4"))
        zone = _node(base, "Zone", "Zone_t", np.array([[len(mesh.points)], [n_cells], [0]], "i8"))
        _node(zone, "ZoneType", "ZoneType_t", _letters("Unstructured"))
        grid = _node(zone, "GridCoordinates", "GridCoordinates_t")
        for axis, column in zip("XYZ", mesh.points.T, strict=True):
            _node(grid, f"Coordinate{axis}", "DataArray_t", column)
        _ragged(zone, "Faces", 22, 1, [[node + 1 for node in face] for face in faces])
        cells: list[list[int]] = [[] for _ in range(n_cells)]
        for number, cell in enumerate(owner):
            cells[cell].append(number + 1)
        for number, cell in enumerate(neighbour):
            cells[cell].append(-number - 1)
        _ragged(zone, "Cells", 23, len(faces) + 1, cells)
        conditions = _node(zone, "ZoneBC", "ZoneBC_t")
        for name, (first, count) in patches.items():
            condition = _node(conditions, f"bc_{name}", "BC_t", _letters("FamilySpecified"))
            listed = np.arange(first + 1, first + count + 1)[None]
            _node(condition, "PointList", "IndexArray_t", listed)
            _node(condition, "GridLocation", "GridLocation_t", _letters("FaceCenter"))
            _node(condition, "FamilyName", "FamilyName_t", _letters(name))
            family = _node(base, name, "Family_t")
            _node(family, "FamilyBC", "FamilyBC_t", _letters("BCWallInviscid"))
    return path


def bent_grid(shape: tuple[int, ...]) -> Floats:
    """Coordinates (*shape, 3) of a structured grid of unit cells, bent, periodic along the last."""
    index = np.meshgrid(*(np.arange(n, dtype=np.float64) for n in shape), indexing="ij")
    points = np.stack([*index, *[np.zeros(shape)] * (3 - len(shape))], axis=-1)
    points[..., 0] += 0.03 * points[..., 0] ** 2
    points[..., 1] += 0.1 * points[..., 0]
    return points


def as_cells(shape: tuple[int, ...]) -> Foreign:
    """The same grid as cells one by one, nodes with the first index running fastest."""
    ids = np.arange(np.prod(shape)).reshape(shape, order="F")
    rows = []
    for corner in np.ndindex(*(n - 1 for n in shape)):
        low = [ids[corner[0] + a, corner[1] + b, *corner[2:]] for a, b in RING]
        high = [ids[corner[0] + a, corner[1] + b, corner[2] + 1] for a, b in RING if shape[2:]]
        rows.append(low + high)
    points = np.stack([part.ravel(order="F") for part in np.moveaxis(bent_grid(shape), -1, 0)], 1)
    name = "cells_hexahedron" if len(shape) == 3 else "cells_quadrilateral"
    return Foreign(points, {name: np.array(rows)})


def write_cgns_structured(folder: Path, shape: tuple[int, ...], cut: int = 0) -> Path:
    """Write `bent_grid` as one structured zone, or as two that meet at the plane i = cut.

    Its sides are named in all ways that CGNS has: ranges and lists of nodes and of faces, and the
    last direction by two connections with a period.
    """
    path, points = folder / "structured.cgns", bent_grid(shape)
    with h5py.File(path, "w") as file:
        base = _node(file, "Base", "CGNSBase_t", np.array([len(shape), 3], "i4"))
        parts = [slice(0, cut + 1), slice(cut, None)] if cut else [slice(0, None)]
        for number, part in enumerate(parts):
            mine = points[part]
            sizes = np.array(mine.shape[:-1])
            zone = _node(base, f"Zone{number}", "Zone_t", np.stack([sizes, sizes - 1, 0 * sizes]))
            _node(zone, "ZoneType", "ZoneType_t", _letters("Structured"))
            grid = _node(zone, "GridCoordinates", "GridCoordinates_t")
            for axis, letter in enumerate("XYZ"):
                _node(grid, f"Coordinate{letter}", "DataArray_t", mine[..., axis].T)
            _structured_sides(zone, sizes, first=number == 0, last=part.stop is None)
    return path


RING = ((0, 0), (1, 0), (1, 1), (0, 1))


def _structured_sides(zone: Any, sizes: AnyArray, *, first: bool, last: bool) -> None:
    conditions = _node(zone, "ZoneBC", "ZoneBC_t")
    one = np.ones_like(sizes)

    def condition(name: str, kind: str, located: str, **lists: AnyArray) -> None:
        made = _node(conditions, name, "BC_t", _letters(kind))
        for what, values in lists.items():
            _node(made, what, "IndexRange_t", values)
        if located:
            _node(made, "GridLocation", "GridLocation_t", _letters(located))

    end = sizes.copy()
    end[0] = 1
    if first:
        condition("in", "BCInflow", "", PointRange=np.stack([one, end]))
    if last:  # by faces, whose indices end before those of nodes
        begin, end = one.copy(), sizes - 1
        begin[0] = end[0] = sizes[0]
        condition("out", "BCOutflow", "IFaceCenter", PointRange=np.stack([begin, end]))
    every = np.stack(np.meshgrid(*(np.arange(1, n + 1) for n in sizes), indexing="ij"), -1)
    every = every.reshape(-1, len(sizes))
    if len(sizes) == 3:
        condition("floor", "BCWall", "Vertex", PointList=every[every[:, 1] == 1])
        faces = every[(every[:, 1] == sizes[1]) & (every < sizes)[:, [0, 2]].all(axis=1)]
        condition("ceiling", "BCSymmetryPlane", "FaceCenter", PointList=faces)
    connections = _node(zone, "ZoneGridConnectivity", "ZoneGridConnectivity_t")
    for name, index, way in (("low", 1, 1.0), ("high", sizes[-1], -1.0)):
        begin, end = one.copy(), sizes.copy()
        begin[-1] = end[-1] = index
        made = _node(connections, name, "GridConnectivity1to1_t", _letters(zone.name[1:]))
        _node(made, "PointRange", "IndexRange_t", np.stack([begin, end]))
        about = _node(made, "Property", "GridConnectivityProperty_t")
        period = _node(about, "Periodic", "Periodic_t")
        _node(period, "RotationAngle", "DataArray_t", np.zeros(3))
        away = np.zeros(3)
        away[len(sizes) - 1] = way * (sizes[-1] - 1)
        _node(period, "Translation", "DataArray_t", away)


def _ragged(zone: Any, name: str, kind: int, first: int, rows: list[list[int]]) -> None:
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    section = _section(
        zone,
        name,
        kind,
        (first, first + len(rows) - 1),
        np.concatenate([np.array(r) for r in rows]),
    )
    _node(section, "ElementStartOffset", "DataArray_t", offsets)


def _section(zone: Any, name: str, kind: int, numbers: tuple[int, int], rows: AnyArray) -> Any:
    section = _node(zone, name, "Elements_t", np.array([kind, 0], "i4"))
    _node(section, "ElementRange", "IndexRange_t", np.array(numbers, "i8"))
    _node(section, "ElementConnectivity", "DataArray_t", rows.astype("i8"))
    return section


def _node(parent: Any, name: str, label: str, data: AnyArray | None = None) -> Any:
    group = parent.create_group(name)
    group.attrs["label"] = np.bytes_(label)
    if data is not None:
        group[" data"] = data
    return group


def _letters(text: str) -> AnyArray:
    return np.frombuffer(text.encode(), dtype=np.int8)


def polyhedral(
    mesh: Foreign, join: tuple[int, int] | None = None
) -> tuple[list[list[int]], list[int], list[int], dict[str, tuple[int, int]]]:
    """Return faces, owner, neighbour and patches as OpenFOAM orders them: inner faces first.

    `join` names two neighbouring cells that become one: the face between them is left out.
    """
    seen: dict[tuple[int, ...], tuple[list[int], list[int]]] = {}
    cell = 0
    for name, rows in mesh.cells.items():
        for row in rows.tolist():
            number = cell
            if join is not None:
                number = join[0] if cell == join[1] else cell - int(cell > join[1])
            for face in FACES[name]:
                nodes = [row[corner] for corner in face]
                key = tuple(sorted(nodes))
                seen.setdefault(key, (nodes, []))[1].append(number)
            cell += 1
    inner = {k: v for k, v in seen.items() if len(v[1]) == 2 and v[1][0] != v[1][1]}
    faces = [nodes for nodes, _ in inner.values()]
    owner = [cells[0] for _, cells in inner.values()]
    neighbour = [cells[1] for _, cells in inner.values()]
    patches = {}
    for name, parts in mesh.sides.items():
        rows = [tuple(sorted(row)) for part in parts.values() for row in part.tolist()]
        patches[name] = (len(faces), len(rows))
        faces += [seen[row][0] for row in rows]
        owner += [seen[row][1][0] for row in rows]
    return faces, owner, neighbour, patches


def write_openfoam(
    mesh: Foreign,
    folder: Path,
    *,
    binary: bool = False,
    compressed: bool = False,
    join: tuple[int, int] | None = None,
) -> Path:
    """Write a polyMesh folder; return the case."""
    faces, owner, neighbour, patches = polyhedral(mesh, join)
    target = folder / "case" / "constant" / "polyMesh"
    target.mkdir(parents=True)
    offsets = np.concatenate([[0], np.cumsum([len(face) for face in faces])])
    flat = np.concatenate([np.array(face) for face in faces])
    if binary:
        contents = {
            "points": _raw(len(mesh.points), mesh.points.astype("f8")),
            "faces": _raw(len(offsets), offsets.astype("i4")) + _raw(len(flat), flat.astype("i4")),
            "owner": _raw(len(owner), np.array(owner, "i4")),
            "neighbour": _raw(len(neighbour), np.array(neighbour, "i4")),
        }
    else:
        rows = [f"({x!r} {y!r} {z!r})" for x, y, z in mesh.points.tolist()]
        contents = {
            "points": _list(rows),
            "faces": _list([f"{len(face)}({' '.join(map(str, face))})" for face in faces]),
            "owner": _list([str(number) for number in owner]),
            "neighbour": _list([str(number) for number in neighbour]),
        }
    words = [
        f"{name}\n{{\n type {'wall' if 'wall' in name else 'patch'};\n nFaces {count};\n"
        f" startFace {first};\n}}\n"
        for name, (first, count) in patches.items()
    ]
    contents["boundary"] = f"{len(words)}\n(\n{''.join(words)})\n".encode()
    for name, body in contents.items():
        kind = "binary" if binary and name != "boundary" else "ascii"
        header = (
            f"/* made by a test */\nFoamFile\n{{\n version 2.0;\n format {kind};\n"
            f' arch "LSB;label=32;scalar=64";\n class {name};\n object {name};\n}}\n'
            "// * * * * * * * //\n\n"
        )
        text = header.encode() + body + b"\n// **** //\n"
        if compressed:
            (target / f"{name}.gz").write_bytes(gzip.compress(text))
        else:
            (target / name).write_bytes(text)
    return folder / "case"


def _raw(count: int, values: AnyArray) -> bytes:
    return f"\n{count}\n(".encode() + values.tobytes() + b")\n"


def _list(rows: list[str]) -> bytes:
    return "\n".join([str(len(rows)), "(", *rows, ")"]).encode()


def two_halves(mesh: Foreign) -> tuple[int, int]:
    """Return two cells of a mesh of hexahedra that share a face."""
    cells = mesh.cells["cells_hexahedron"]
    shared = np.isin(cells, cells[0]).sum(axis=1)
    return 0, int(np.flatnonzero(shared == 4)[0])
