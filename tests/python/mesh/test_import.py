# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`mesh import`: every format gives the dual of the mesh that was written, group by group."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from foreign_meshes import (
    Foreign,
    Write,
    as_cells,
    from_level,
    square,
    two_halves,
    write_cgns,
    write_cgns_by_gmsh,
    write_cgns_of_faces,
    write_cgns_structured,
    write_gmsh,
    write_openfoam,
    write_su2,
    write_vtk,
)
from halocline.errors import InvalidInputError
from halocline.mesh.arrays import AnyArray, Floats
from halocline.mesh.check import check_mesh
from halocline.mesh.imports.boundaries import parse_boundaries
from halocline.mesh.imports.request import ImportRequest
from halocline.mesh.imports.run import import_mesh
from scipy.spatial import cKDTree

Make = Callable[..., Any]
EPSILON = np.finfo(np.float64).eps
ROUND_OFF = 1000 * EPSILON
"""Sums of up to about a hundred terms, with cancellation, relative to the largest value."""

NAMES = {0: "lower", 1: "upper", 2: "side", 4: "inlet", 5: "outlet"}


def have_gmsh() -> bool:
    """Whether Gmsh can be loaded: its package needs libraries of X11."""
    if importlib.util.find_spec("gmsh") is None:
        return False
    try:
        import gmsh  # noqa: F401
    except OSError:
        return False
    return True


needs_gmsh = pytest.mark.skipif(
    not have_gmsh(), reason="gmsh cannot be loaded: `make test` installs it"
)
needs_vtk = pytest.mark.skipif(
    importlib.util.find_spec("vtkmodules") is None,
    reason="vtk is not installed: `make test` installs it",
)

WRITERS: dict[str, Any] = {
    "gmsh 2 text": write_gmsh("2.2", binary=False),
    "gmsh 2 binary": write_gmsh("2.2", binary=True),
    "gmsh 4 text": pytest.param(write_gmsh("4.1", binary=False), marks=needs_gmsh),
    "gmsh 4 binary": pytest.param(write_gmsh("4.1", binary=True), marks=needs_gmsh),
    "su2": write_su2,
    "su2 with numbers": lambda mesh, folder: write_su2(mesh, folder, numbered=True),
    "cgns by gmsh": pytest.param(write_cgns_by_gmsh, marks=needs_gmsh),
    "cgns faces": write_cgns,
    "cgns nodes": lambda mesh, folder: write_cgns(mesh, folder, "Vertex"),
    "cgns polyhedra": write_cgns_of_faces,
    "vtu": write_vtk("mesh.vtu"),
    "vtu text": write_vtk("mesh.vtu", binary=False),
    "vtk": write_vtk("mesh.vtk"),
    "vtk text": write_vtk("mesh.vtk", binary=False),
    "vtk that VTK refuses": write_vtk("mesh.vtk", "i4"),
    "openfoam": write_openfoam,
    "openfoam binary": lambda mesh, folder: write_openfoam(mesh, folder, binary=True),
    "openfoam compressed": lambda mesh, folder: write_openfoam(mesh, folder, compressed=True),
}


@pytest.fixture
def imported(tmp_path: Path) -> Callable[..., list[dict[str, AnyArray]]]:
    """Import a file into tmp_path / imported; give the levels as arrays."""

    def run(path: Path, levels: int = 1, **options: Any) -> list[dict[str, AnyArray]]:
        import h5py

        folder = tmp_path / "imported"
        import_mesh(path, folder, ImportRequest(levels=levels, **options))
        found = []
        for level in range(levels):
            with h5py.File(folder / f"mesh.L{level}.h5") as file:
                found.append({name: file[name][...] for name in file})
        return found

    return run


def path_text(path: Path) -> bytes:
    """The beginning of a file."""
    return b"" if path.is_dir() else path.read_bytes()[:2000]


def group_numbers(mesh: Foreign) -> dict[str, int]:
    """Groups by the names that any of the formats shows."""
    by_name = {name: number for number, name in NAMES.items()}
    groups = {name: by_name[name] for name in mesh.sides}
    return groups | {f"face {n}": by_name[name] for n, name in enumerate(mesh.sides, start=1)}


def boundary_sums(data: dict[str, AnyArray]) -> Floats:
    """Inward vectors by node and group (N, 8, 3)."""
    sums = np.zeros((len(data["areas"]), 8, 3))
    np.add.at(
        sums, (data["bnd_node-->node"][:, 0], data["bnd_node-->group"][:, 0]),
        data["bnd_node_weights"],
    )  # fmt: skip
    return sums


def renumbered(data: dict[str, AnyArray], points: Floats) -> dict[str, AnyArray]:
    """Give nodes the numbers of `points` at the same places; Gmsh numbers them anew."""
    distance, new = cKDTree(points).query(data["node_coordinates"])
    assert distance.max() < 1e-9
    np.testing.assert_array_equal(np.sort(new), np.arange(len(points)))
    old = np.argsort(new)
    ends = new[data["edge-->node"]]
    backwards = ends[:, 0] > ends[:, 1]
    ends.sort(axis=1)
    order = np.lexsort(ends.T[::-1])
    vectors = np.where(backwards[:, None], -1.0, 1.0) * data["edge_weights"]
    return data | {
        "areas": data["areas"][old],
        "edge-->node": ends[order],
        "edge_weights": vectors[order],
        "bnd_node-->node": new[data["bnd_node-->node"]],
        "bnd_quads": new[data["bnd_quads"]],
    }


def assert_same_dual(
    one: dict[str, AnyArray],
    other: dict[str, AnyArray],
    digits: float = ROUND_OFF,
    *,
    bilinear: bool = False,
) -> None:
    """Compare duals; with `bilinear` patches dual volumes are equal in the sum alone."""
    one = renumbered(one, other["node_coordinates"])
    order = np.lexsort(other["edge-->node"].T[::-1])
    np.testing.assert_array_equal(one["edge-->node"], other["edge-->node"][order])
    assert one["areas"].sum() == pytest.approx(other["areas"].sum(), rel=digits)
    compared: list[tuple[str, Any]] = [("edge_weights", order)]
    compared += [] if bilinear else [("areas", slice(None))]
    for name, rows in compared:
        scale = np.abs(other[name]).max()
        np.testing.assert_allclose(one[name], other[name][rows], rtol=0, atol=digits * scale)
    expected = boundary_sums(other)
    scale = np.abs(expected).max()
    np.testing.assert_allclose(boundary_sums(one), expected, rtol=0, atol=digits * scale)


@pytest.mark.parametrize("elements", ["hex", "tet", "mixed"])
@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS.keys())
def test_every_format_gives_the_dual_of_the_mesh_that_was_written(
    make: Make, imported: Any, tmp_path: Path, write: Write, elements: str
) -> None:
    """The reference is the maker of meshes, whose duals are derived and tested on their own.

    Its hexahedra have bilinear dual faces, imported ones four triangles in their place: vectors
    are the same, volumes of single dual cells are not.
    """
    level = make("bump", 300, 1, elements=elements, perturb=0.2)[0]
    mesh = from_level(level.data, NAMES)
    path = write(mesh, tmp_path)
    wanted = {
        name: group for name, group in group_numbers(mesh).items()
        if name.startswith("face") == (path.suffix in (".vtu", ".vtk"))
    }  # fmt: skip
    found = imported(path, boundaries=wanted)[0]
    digits = 1e-9 if b'format="ascii"' in path_text(path) else ROUND_OFF  # meshio writes 11 digits
    assert_same_dual(found, level.data, digits, bilinear=elements == "hex")
    assert check_mesh(tmp_path / "imported").ok
    for name in mesh.cells:
        assert len(found[name]) == len(mesh.cells[name])
    quads = renumbered(found, level["node_coordinates"])["bnd_quads"]
    shown = sorted(tuple(sorted(set(quad))) for quad in quads.tolist())
    assert shown == sorted(tuple(sorted(set(quad))) for quad in level["bnd_quads"].tolist())


def test_cells_that_repeat_nodes_are_imported(make: Make, imported: Any, tmp_path: Path) -> None:
    level = make("rotor37", 3000, 1)[0]
    names = {0: "hub", 1: "shroud", 2: "blade", 4: "inlet", 5: "outlet", 6: "low", 7: "high"}
    mesh = from_level(level.data, names)
    wanted = {name: number for number, name in names.items()}
    found = imported(write_su2(mesh, tmp_path), boundaries=wanted)[0]
    np.testing.assert_array_equal(found["cells_hexahedron"], level["cells_hexahedron"])
    assert found["areas"].sum() == pytest.approx(level["areas"].sum(), rel=1e-12)
    assert check_mesh(tmp_path / "imported").ok


def two_cubes() -> Foreign:
    """Two cubes of size 1 side by side along x; nodes x fastest, then y, then z."""
    z, y, x = np.meshgrid([0.0, 1.0], [0.0, 1.0], [0.0, 1.0, 2.0], indexing="ij")
    points = np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)
    cube = np.array([0, 1, 4, 3, 6, 7, 10, 9])
    return Foreign(
        points,
        {"cells_hexahedron": np.stack([cube, cube + 1])},
        {
            "wall": {
                4: np.array(
                    [
                        [0, 3, 9, 6], [2, 8, 11, 5], [0, 6, 7, 1], [1, 7, 8, 2],
                        [3, 4, 10, 9], [4, 5, 11, 10], [0, 1, 4, 3], [1, 2, 5, 4],
                        [6, 9, 10, 7], [7, 10, 11, 8],
                    ]
                )
            }
        },
    )  # fmt: skip


@pytest.mark.parametrize("shape", [(4, 3, 5), (5, 4)])
@pytest.mark.parametrize("cut", [0, 2])
def test_structured_zones_are_the_cells_between_their_nodes(
    imported: Any, tmp_path: Path, shape: tuple[int, ...], cut: int
) -> None:
    path = write_cgns_structured(tmp_path, shape, cut)
    found = imported(path, merge=1e-9 if cut else None)[0]
    assert check_mesh(tmp_path / "imported").ok
    plain = imported(write_su2(as_cells(shape), tmp_path), default=0)[0]
    assert_same_dual(found | {"bnd_node-->group": 0 * found["bnd_node-->group"]}, plain)
    cells = np.array(shape) - 1
    sides = {group: int((found["bnd_quad_group"] == group).sum()) for group in range(8)}
    along = int(np.prod(cells[1:]))
    wall = int(cells[0] * cells[2]) if len(shape) == 3 else 0
    period = int(np.prod(cells[:-1]))
    assert sides == {0: wall, 1: 0, 2: wall, 3: 0, 4: along, 5: along, 6: period, 7: period}


def test_periodic_sides_of_cgns_are_told(tmp_path: Path) -> None:
    path = write_cgns_structured(tmp_path, (3, 3, 3))
    found = import_mesh(path, tmp_path / "imported", ImportRequest(levels=1))
    groups = {boundary.name: boundary.group for boundary in found.boundaries}
    assert (groups["low"], groups["high"]) == (6, 7)
    (note,) = found.notes
    assert note.startswith("high, low: their faces became the groups periodic-lower and")


def test_structured_zones_without_conditions_have_sides_by_index(tmp_path: Path) -> None:
    import h5py

    path = write_cgns_structured(tmp_path, (3, 3, 3))
    with h5py.File(path, "r+") as file:
        del file["Base/Zone0/ZoneBC"], file["Base/Zone0/ZoneGridConnectivity"]
    found = import_mesh(path, tmp_path / "imported", ImportRequest(levels=1, default=0))
    assert [b.name for b in found.boundaries] == ["imin", "imax", "jmin", "jmax", "kmin", "kmax"]
    with h5py.File(path, "r+") as file:
        file["Base/Zone0/ data"][0] = [3, 3, 4]
    with pytest.raises(InvalidInputError, match="has 27 coordinates, and"):
        import_mesh(path, tmp_path / "imported", ImportRequest(levels=1, default=0))


@pytest.mark.parametrize("binary", [False, True])
def test_dual_of_one_polyhedron_is_the_hand_derived_one(
    imported: Any, tmp_path: Path, binary: bool
) -> None:
    """The two cubes as one cell with 12 corners and 10 faces, its centroid at (1, 1/2, 1/2).

    A face of a cube has its centroid in its middle, so that the dual face of the edge from node 0
    to node 1, at m = (1/2, 0, 0), is the two triangles from m to the cell's centroid c and to
    (1/2, 1/2, 0), (1/2, 0, 1/2): with u = c - m = (1/2, 1/2, 1/2) their vectors are
    u x (0, 1/2, 0) / 2 = (-1/8, 0, 1/8) and, on the other side, (0, 0, 1/2) x u / 2 =
    (-1/8, 1/8, 0), whose sum turned from 0 to 1 is (1/4, -1/8, -1/8).

    All 12 dual volumes add up to 2; by symmetry 8 corners have the same and 4 middle nodes, too.
    """
    path = write_openfoam(two_cubes(), tmp_path, binary=binary, join=(0, 1))
    found = imported(path)[0]
    edge = np.flatnonzero((found["edge-->node"] == [0, 1]).all(axis=1))
    np.testing.assert_allclose(found["edge_weights"][edge], [[0.25, -0.125, -0.125]], atol=1e-15)
    volumes = found["areas"][:, 0]
    assert volumes.sum() == pytest.approx(2.0, rel=1e-14)
    middle = found["node_coordinates"][:, 0] == 1.0
    assert np.ptp(volumes[middle]) < 1e-14
    assert np.ptp(volumes[~middle]) < 1e-14
    assert found["cells_convex_12"].shape == (1, 12)
    assert len(found["bnd_quads"]) == 10
    assert check_mesh(tmp_path / "imported").ok
    # Every pair of the 12 corners is coupled: 20 are edges, the others diagonals.
    assert len(found["edge_stiffness"]) + len(found["diagonal_stiffness"]) == 66


@pytest.mark.parametrize("elements", ["hex", "mixed"])
def test_linear_fields_pass_between_polyhedra_and_other_cells(
    make: Make, imported: Any, tmp_path: Path, elements: str
) -> None:
    wanted = {"elements": elements, "perturb": 0.2, "flow": {"cells": (4, 4, 4)}}
    made = make("cavity", 125, 1, **wanted)[0].data
    mesh = from_level(made, {0: "wall", 1: "lid", 2: "side wall"})
    hexahedra = mesh.cells.pop("cells_hexahedron")
    others = dict(mesh.cells)
    mesh.cells.clear()
    mesh.cells.update({"cells_hexahedron": hexahedra} | others)
    path = write_openfoam(mesh, tmp_path, binary=False, join=two_halves(mesh))
    imported(path)
    report = check_mesh(tmp_path / "imported").levels[0]
    assert not report.violations
    assert report.laplacian is not None
    assert report.laplacian.residual < 1e-14


@needs_vtk
@pytest.mark.parametrize("ending", ["vtu", "vtk"])
def test_polyhedra_of_vtk_beside_other_cells(imported: Any, tmp_path: Path, ending: str) -> None:
    """A cube written as a polyhedron beside a plain one is the dual of two plain ones."""
    pyvista = pytest.importorskip(
        "pyvista", reason="pyvista is not installed: `make test` installs it and runs this"
    )
    mesh = two_cubes()
    first, second = mesh.cells["cells_hexahedron"].tolist()
    faces = [(0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    stream = [6]
    for face in faces:  # some of them turn inwards
        stream += [4, *(second[corner] for corner in face)]
    grid = pyvista.UnstructuredGrid(
        np.array([8, *first, len(stream), *stream]), np.array([12, 42]), mesh.points
    )
    grid.save(tmp_path / f"mesh.{ending}")
    found = imported(tmp_path / f"mesh.{ending}", default=0)[0]
    plain = imported(write_su2(mesh, tmp_path), default=0)[0]
    assert_same_dual(found, plain)
    assert len(found["cells_hexahedron"]) == 2


def test_gradients_of_linear_functions_are_exact_on_tetrahedra(
    make: Make, imported: Any, tmp_path: Path
) -> None:
    """Sum of n (u_a + u_b) / 2 over the edges of an inner node is V grad u for linear u."""
    level = make("cavity", 500, 1, elements="tet", perturb=0.2)[0]
    path = write_su2(Foreign(level["node_coordinates"], {"cells_tetrahedron": level["cells_tetrahedron"]}), tmp_path)  # fmt: skip  # noqa: E501
    found = imported(path, default=3)[0]
    slope = np.array([0.3, -1.7, 2.1])
    values = found["node_coordinates"] @ slope
    edges, vectors = found["edge-->node"], found["edge_weights"]
    flux = 0.5 * values[edges].sum(axis=1)[:, None] * vectors
    total = np.zeros((len(values), 3))
    np.add.at(total, edges[:, 0], flux)
    np.add.at(total, edges[:, 1], -flux)
    inner = np.setdiff1d(np.arange(len(values)), found["bnd_node-->node"])
    volumes = found["areas"][inner]
    assert len(inner) > 100
    np.testing.assert_allclose(total[inner] / volumes, np.tile(slope, (len(inner), 1)), atol=1e-11)


def test_dual_of_a_square_of_four_quadrilaterals_is_the_hand_derived_one(
    imported: Any, tmp_path: Path
) -> None:
    """Cells of size 1/2: dual cells are squares of 1/4 at corners, 1/2 by 1/4 at sides, 1/2 inside.

    Node (i, j) has number 3 i + j. The dual face of the edge from (0, 0) to (1, 0) is the line from
    its middle to the cell's, 1/4 long, with the normal along x; from (1, 0) to (1, 1), with cells
    on both sides, it is 1/2 long along x, its normal along y.
    """
    found = imported(write_su2(square(2, triangles=False), tmp_path), default=0)[0]
    quarter, half = 0.25, 0.5
    areas = np.outer([quarter, half, quarter], [quarter, half, quarter]).ravel()
    np.testing.assert_allclose(found["areas"][:, 0], areas, rtol=1e-15)
    vectors = dict(
        zip(map(tuple, found["edge-->node"].tolist()), found["edge_weights"], strict=True)
    )
    np.testing.assert_allclose(vectors[0, 3], [quarter, 0.0, 0.0], atol=1e-16)
    np.testing.assert_allclose(vectors[3, 4], [0.0, half, 0.0], atol=1e-16)
    assert len(vectors) == 12
    corner = boundary_sums(found)[0].sum(axis=0)
    np.testing.assert_allclose(corner, [quarter, quarter, 0.0], atol=1e-16)
    np.testing.assert_array_equal(found["cells_quadrilateral"].shape, (4, 4))
    sides = found["bnd_quads"]
    assert sides.shape == (8, 4)
    assert (sides[:, 1:] == sides[:, 1:2]).all()
    along = found["node_coordinates"][sides[:, 1]] - found["node_coordinates"][sides[:, 0]]
    outward = found["node_coordinates"][sides[:, :2]].mean(axis=1) - [0.5, 0.5, 0.0]
    assert (np.cross(along, outward)[:, 2] < 0.0).all()  # counter-clockwise around the square


@pytest.mark.parametrize(
    "write",
    [
        write_gmsh("2.2", binary=False),
        pytest.param(write_gmsh("4.1", binary=True), marks=needs_gmsh),
        write_su2,
        write_vtk("mesh.vtu"),
        write_cgns,
    ],
    ids=["gmsh 2", "gmsh 4", "su2", "vtu", "cgns"],
)
@pytest.mark.parametrize("triangles", [False, True])
def test_flat_meshes_stay_flat(
    imported: Any, tmp_path: Path, write: Write, triangles: bool
) -> None:
    mesh = square(8, triangles=triangles)
    mesh.points[:, 0] += 0.2 * mesh.points[:, 1] ** 2
    path = write(mesh, tmp_path)
    lines = path.suffix == ".vtu"
    names = {f"line {n}" if lines else name: n + 2 for n, name in enumerate(mesh.sides, start=1)}
    levels = imported(path, levels=3, boundaries=names)
    assert check_mesh(tmp_path / "imported").ok
    for data in levels:
        assert data["areas"].sum() == pytest.approx(1.0, rel=1e-13)
        for name in ("node_coordinates", "edge_weights", "bnd_node_weights"):
            assert (data[name][:, 2] == 0.0).all()
        sums = boundary_sums(data).sum(axis=0)
        np.testing.assert_allclose(sums[3], [0.0, 1.0, 0.0], atol=1e-14)
        np.testing.assert_allclose(sums[4], [-1.0, 0.2, 0.0], atol=1e-14)
        np.testing.assert_allclose(sums[5], [0.0, -1.0, 0.0], atol=1e-14)
        np.testing.assert_allclose(sums[6], [1.0, -0.2, 0.0], atol=1e-14)
    ratios = [len(a["areas"]) / len(b["areas"]) for a, b in pairwise(levels)]
    assert all(2.5 < ratio < 5.0 for ratio in ratios)
    report = check_mesh(tmp_path / "imported").levels[0]
    assert report.laplacian is not None
    assert report.laplacian.residual < 1e-14
    assert (report.laplacian.diagonals > 0) == (not triangles)


def test_weights_of_a_flat_mesh_are_those_that_mesh_make_gives(
    make: Make, imported: Any, tmp_path: Path
) -> None:
    names = {0: "wall", 1: "lid"}
    flow = {"dimension": 2}
    made = make("cavity", 200, 1, elements="mixed", perturb=0.2, flow=flow)[0].data
    path = write_su2(from_level(made, names), tmp_path)
    found = imported(path)[0]
    assert_same_dual(found, made)
    for kind in ("edge", "diagonal"):
        order = np.lexsort(made[f"{kind}-->node"].T[::-1])
        np.testing.assert_array_equal(found[f"{kind}-->node"], made[f"{kind}-->node"][order])
        np.testing.assert_allclose(
            found[f"{kind}_stiffness"], made[f"{kind}_stiffness"][order], atol=1e-13
        )
    np.testing.assert_array_equal(found["nearest_wall_node"], made["nearest_wall_node"])


def test_rectangles_need_no_diagonals(imported: Any, tmp_path: Path) -> None:
    path = write_su2(square(4, triangles=False), tmp_path)
    found = imported(path, default=0)[0]
    assert "diagonal-->node" not in found
    inner = (found["edge_weights"] != 0.0).any(axis=1) & (found["edge_stiffness"][:, 0] > 0.75)
    np.testing.assert_allclose(found["edge_stiffness"][inner], 1.0, rtol=1e-13)


@pytest.mark.parametrize(
    ("options", "walls"),
    [
        ({"boundaries": {"bottom": 0, "top": 2, "left": 4, "right": 5}}, ("bottom", "top")),
        (
            {
                "boundaries": {"bottom": 0, "top": 2, "left": 4, "right": 5},
                "symmetry": frozenset({"top"}),
            },
            ("bottom",),
        ),
    ],
)
def test_planes_of_symmetry_are_no_walls(
    imported: Any, tmp_path: Path, options: dict[str, Any], walls: tuple[str, ...]
) -> None:
    path = write_su2(square(4, triangles=True), tmp_path)
    found = imported(path, **options)[0]
    y = found["node_coordinates"][:, 1]
    expected = np.minimum(y, 1.0 - y) if "top" in walls else y
    np.testing.assert_allclose(found["wall_distance"][:, 0], expected, atol=1e-15)


def test_scale_and_scaling_change_lengths_and_vectors(imported: Any, tmp_path: Path) -> None:
    path = write_su2(two_cubes(), tmp_path)
    plain, small = imported(path)[0], imported(path, scale="mm")[0]
    np.testing.assert_allclose(small["areas"], 1e-9 * plain["areas"], rtol=1e-12)
    np.testing.assert_allclose(small["edge_weights"], 1e-6 * plain["edge_weights"], atol=1e-20)
    legacy = imported(path, scaling="legacy")[0]
    np.testing.assert_allclose(legacy["edge_weights"], 1e7 * plain["edge_weights"], rtol=1e-15)
    np.testing.assert_array_equal(legacy["areas"], plain["areas"])
    boosted = imported(path, scaling="boosted", scale="cm")[0]
    factor = boosted["edge_weights"][0, 0] / plain["edge_weights"][0, 0] / 1e-4
    assert factor == pytest.approx(1e18 * 1e-7, rel=1e-12)  # 0.125e-6 is rounded to 1e-7


def test_level_files_say_where_they_come_from(imported: Any, tmp_path: Path) -> None:
    import h5py

    imported(write_su2(two_cubes(), tmp_path), scale="mm")
    with h5py.File(tmp_path / "imported" / "mesh.L0.h5") as file:
        attributes = dict(file.attrs)
        assert file["edge-->node.renumbered"] == file["edge-->node"]
    assert attributes["shape"] == "import"
    assert attributes["length_unit"] == "m"
    assert json.loads(attributes["bnd_group_names"]) == {"0": "wall"}
    assert json.loads(attributes["parameters"])["file"] == "mesh.su2"


def test_elements_of_second_order_lose_their_middle_nodes(imported: Any, tmp_path: Path) -> None:
    import meshio

    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    pairs = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
    middles = np.array([0.5 * (corners[a] + corners[b]) for a, b in pairs])
    points = np.concatenate([corners, middles])
    meshio.Mesh(points, [("tetra10", np.arange(10)[None])]).write(
        tmp_path / "mesh.msh", "gmsh22", binary=False
    )
    found = imported(tmp_path / "mesh.msh", default=0)[0]
    assert found["areas"].shape == (4, 1)
    assert found["areas"].sum() == pytest.approx(1 / 6, rel=1e-14)


def test_the_same_file_gives_the_same_levels(make: Make, imported: Any, tmp_path: Path) -> None:
    level = make("bump", 2000, 1, elements="mixed")[0]
    path = write_su2(from_level(level.data, NAMES), tmp_path)
    first, again = (imported(path, levels=3, default=0) for _ in range(2))
    for one, other in zip(first, again, strict=True):
        for name in one:
            np.testing.assert_array_equal(one[name], other[name])


@pytest.mark.parametrize("elements", ["hex", "tet", "mixed"])
def test_coarse_levels_keep_volume_boundary_and_closure(
    make: Make, imported: Any, tmp_path: Path, elements: str
) -> None:
    level = make("sector", 8000, 1, elements=elements, perturb=0.1)[0]
    names = {0: "hub", 1: "shroud", 4: "inlet", 5: "outlet", 6: "low", 7: "high"}
    mesh = from_level(level.data, names)
    wanted = {name: number for number, name in names.items()}
    levels = imported(write_su2(mesh, tmp_path), levels=4, boundaries=wanted)
    assert check_mesh(tmp_path / "imported").ok
    for fine, coarse in pairwise(levels):
        parent = fine["node-->mg_node"][:, 0]
        n = len(coarse["areas"])
        assert 6.0 < len(parent) / n < 9.0
        volumes = np.bincount(parent, fine["areas"][:, 0], minlength=n)
        np.testing.assert_allclose(coarse["areas"][:, 0], volumes, rtol=1e-12)
        expected = np.zeros((n, 8, 3))
        np.add.at(expected, parent, boundary_sums(fine))
        found = boundary_sums(coarse)
        np.testing.assert_allclose(found, expected, atol=1e-12 * np.abs(found).max())
        centres = [
            np.bincount(parent, fine["areas"][:, 0] * x, minlength=n) / volumes
            for x in fine["node_coordinates"].T
        ]
        np.testing.assert_allclose(coarse["node_coordinates"], np.stack(centres, axis=1), atol=1e-9)


def test_groups_of_a_uniform_mesh_are_compact(make: Make, imported: Any, tmp_path: Path) -> None:
    """Nine nodes in ten lie within a ball about the middle of 1.5 times the group's volume.

    A ball of volume V has the radius 0.62 V^(1/3); a plate of 4 x 2 x 1 nodes has corners at
    sqrt(1.5^2 + 0.5^2) / 8^(1/3) = 0.79 V^(1/3).
    """
    level = make("box", 8000, 1)[0]
    mesh = Foreign(level["node_coordinates"], {"cells_hexahedron": level["cells_hexahedron"]})
    fine, coarse = imported(write_su2(mesh, tmp_path), levels=2, default=3)
    parent = fine["node-->mg_node"][:, 0]
    away = fine["node_coordinates"] - coarse["node_coordinates"][parent]
    distance = np.linalg.norm(away, axis=1) / coarse["areas"][parent, 0] ** (1 / 3)
    assert np.quantile(distance, 0.9) < 0.62 * 1.5 ** (1 / 3)
    assert distance.max() < 1.3


def test_boundaries_are_taken_from_words_names_and_the_file(tmp_path: Path) -> None:
    mesh = two_cubes()
    quads = mesh.sides.pop("wall")[4]
    names = ["Symmetry-Plane", "farfield", "in", "outflow", "wing_upper", "plate"]
    for name, rows in zip(names, np.split(quads, [1, 2, 3, 4, 5]), strict=True):
        mesh.sides[name] = {4: rows}
    path = write_su2(mesh, tmp_path)
    wanted = parse_boundaries(["plate=upper-wall"])
    done = import_mesh(path, tmp_path / "m", ImportRequest(levels=1, boundaries=wanted))
    found = {entry.name: (entry.group, entry.by) for entry in done.boundaries}
    assert found == {
        "Symmetry-Plane": (2, "its name"),
        "farfield": (3, "its name"),
        "in": (4, "its name"),
        "outflow": (5, "its name"),
        "wing_upper": (2, "its name"),
        "plate": (1, "you"),
    }


def test_conditions_of_cgns_and_types_of_openfoam_say_groups(tmp_path: Path) -> None:
    mesh = two_cubes()
    mesh.sides = {"plain_wall": mesh.sides["wall"]}
    for write in (write_cgns, write_cgns_of_faces, write_openfoam):
        done = import_mesh(write(mesh, tmp_path), tmp_path / "m", ImportRequest(levels=1))
        assert [(e.name, e.group, e.by) for e in done.boundaries] == [("plain_wall", 0, "the file")]
