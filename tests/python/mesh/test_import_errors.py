# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`mesh import` of meshes that are not sound: one sentence, exit code 3, no folder half written."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from foreign_meshes import (
    Foreign,
    from_level,
    square,
    write_cgns,
    write_cgns_of_faces,
    write_gmsh,
    write_openfoam,
    write_su2,
    write_vtk,
)
from halocline.cli.app import main
from halocline.errors import HaloclineError
from halocline.mesh.imports.request import ImportRequest
from halocline.mesh.imports.run import import_mesh

Make = Callable[..., Any]
CUBE = [0, 1, 3, 2, 4, 5, 7, 6]
SIDES = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6]]


def cube() -> Foreign:
    """One cube of size 1, its six faces one wall."""
    z, y, x = np.meshgrid([0.0, 1.0], [0.0, 1.0], [0.0, 1.0], indexing="ij")
    points = np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)
    return Foreign(points, {"cells_hexahedron": np.array([CUBE])}, {"wall": {4: np.array(SIDES)}})


def run(*words: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["mesh", *map(str, words)])
    return int(stop.value.code or 0)


Said = Callable[..., tuple[int, str]]


@pytest.fixture
def said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    """Import a file; exit code and what stands on standard error, which names the file."""

    def of(path: Path, *words: object) -> tuple[int, str]:
        capsys.readouterr()
        code = run("import", path, "-o", tmp_path / "out", *words)
        error = capsys.readouterr().err
        if code:
            assert str(path) in error.replace("\n", "")
            assert not list((tmp_path / "out").glob("*")), "nothing is left in the folder"
            assert error.strip().count("\n") == 0
        return code, error

    return of


def third_cell(mesh: Foreign) -> None:
    """Two more cells on the face x = 1 of the cube."""
    far = mesh.points[[1, 3, 5, 7]] + [1.0, 0.0, 0.0]
    mesh.points = np.concatenate([mesh.points, far, far + np.array([0.5, 0.0, 0.0])])
    one = [1, 8, 9, 3, 5, 10, 11, 7]
    other = [1, 12, 13, 3, 5, 14, 15, 7]
    mesh.cells = {"cells_hexahedron": np.array([CUBE, one, other])}
    mesh.sides = {}


def inside_out(mesh: Foreign) -> None:
    """A second cube on the face x = 1 that reaches back into the first one."""
    back = mesh.points[[1, 3, 5, 7]] - [0.5, 0.0, 0.0]
    mesh.points = np.concatenate([mesh.points, back])
    mesh.cells = {"cells_hexahedron": np.array([CUBE, [1, 8, 9, 3, 5, 10, 11, 7]])}
    mesh.sides = {}


def flat_cell(mesh: Foreign) -> None:
    mesh.points[:, 2] = 0.25


def not_finite(mesh: Foreign) -> None:
    mesh.points[3, 1] = np.nan


def unknown_node(mesh: Foreign) -> None:
    mesh.cells["cells_hexahedron"][0, 7] = 99


def two_names(mesh: Foreign) -> None:
    mesh.sides["other wall"] = {4: np.array(SIDES[:1])}


def foreign_face(mesh: Foreign) -> None:
    mesh.sides["wall"][4][0] = [0, 1, 6, 7]


def triangle_on_square(mesh: Foreign) -> None:
    mesh.sides["wall"] = {4: np.array(SIDES[1:]), 3: np.array([SIDES[0][:3]])}


def nameless(mesh: Foreign) -> None:
    mesh.sides["wall"] = {4: np.array(SIDES[:4])}


def strange_name(mesh: Foreign) -> None:
    mesh.sides = {"Kante 7": mesh.sides["wall"]}


def twins(mesh: Foreign) -> None:
    """A second cube beside the first that has nodes of its own on the face between them."""
    mesh.points = np.concatenate([mesh.points, mesh.points + np.array([1.0, 0.0, 0.0])])
    mesh.cells["cells_hexahedron"] = np.array([CUBE, [node + 8 for node in CUBE]])
    mesh.sides = {}


BROKEN = {
    "third cell": (third_cell, ["faces have more than two cells", "(1, 0.5, 0.5) with 3"]),
    "inside out": (inside_out, ["cells 0 and 1", "same side", "(1, 0.5, 0.5)", "inside out"]),
    "flat cell": (flat_cell, ["hexahedron 0", "has no volume", "Repair"]),
    "not finite": (not_finite, ["coordinates of node 3", "1, nan, 0, are not finite numbers"]),
    "unknown node": (unknown_node, ["hexahedron names node 99", "there are 8 nodes"]),
    "two names": (two_names, ["belongs to 'other wall' and to 'wall'"]),
    "foreign face": (foreign_face, ["boundary 'wall' has a face", "not a face of any cell"]),
    "triangle on a square": (triangle_on_square, ["boundary 'wall'", "not a face of any cell"]),
    "nameless": (nameless, ["2 boundary faces belong to no named", "--default-boundary wall"]),
    "strange name": (strange_name, ["boundary 'Kante 7' (6 faces)", "--boundary 'Kante 7=wall'"]),
    "twins": (twins, ["2 faces have a cell on one side", "--merge-nodes"]),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_mesh_that_is_wrong_is_one_sentence(said: Said, tmp_path: Path, name: str) -> None:
    change, words = BROKEN[name]
    mesh = cube()
    change(mesh)
    code, error = said(write_su2(mesh, tmp_path))
    assert code == 3
    for word in words:
        assert word in error


def test_a_surface_in_space_is_one_sentence(said: Said, tmp_path: Path) -> None:
    mesh = Foreign(cube().points, {"cells_quadrilateral": np.array(SIDES)})
    code, error = said(write_gmsh("2.2", binary=False)(mesh, tmp_path))
    assert code == 3
    assert "do not lie in one plane" in error


def test_an_empty_mesh_is_one_sentence(said: Said, tmp_path: Path) -> None:
    path = tmp_path / "mesh.msh"
    path.write_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n0\n$EndNodes\n"
                    "$Elements\n0\n$EndElements\n")  # fmt: skip
    code, error = said(path)
    assert code == 3
    assert "it holds no nodes or no elements" in error


WRITERS = {
    "gmsh.msh": write_gmsh("2.2", binary=True),
    "text.msh": write_gmsh("2.2", binary=False),
    "su2": write_su2,
    "cgns": write_cgns,
    "cgns of faces": write_cgns_of_faces,
    "vtu": write_vtk("mesh.vtu"),
    "vtk": write_vtk("mesh.vtk"),
}


@pytest.mark.parametrize("part", [0.02, 0.3, 0.6, 0.9])
@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_breaks_off_is_one_sentence_or_whole(
    said: Said, make: Make, tmp_path: Path, name: str, part: float
) -> None:
    """The end of a file may hold nothing that is needed: names of groups, or padding."""
    level = make("box", 200, 1, elements="tet")[0]
    mesh = from_level(level.data, {0: "lower", 1: "upper", 3: "far", 4: "inlet", 5: "outlet"})
    path = WRITERS[name](mesh, tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(part * len(whole))])
    code, _ = said(path)
    assert code == 3
    path.write_bytes(b"")
    code, _ = said(path)
    assert code == 3


@pytest.mark.parametrize("name", [*WRITERS, "openfoam", "openfoam binary"])
def test_changed_bytes_are_a_sentence_or_another_mesh(
    make: Make, tmp_path: Path, name: str
) -> None:
    """Nothing but an error of ours comes out of damaged files; 20 of each kind, always the same."""
    level = make("bump", 100, 1, elements="mixed")[0]
    mesh = from_level(level.data, {0: "lower", 1: "upper", 2: "side", 4: "inlet", 5: "outlet"})
    if name in WRITERS:
        path = WRITERS[name](mesh, tmp_path)
        files = [path]
    else:
        path = write_openfoam(mesh, tmp_path, binary="binary" in name)
        files = sorted((path / "constant" / "polyMesh").iterdir())
    rng = np.random.default_rng(17)
    for trial in range(20):
        file = files[trial % len(files)]
        whole = file.read_bytes()
        changed = bytearray(whole)
        for place in rng.integers(0, len(changed), 3):
            changed[place] = rng.integers(0, 256)
        file.write_bytes(changed)
        with contextlib.suppress(HaloclineError):
            import_mesh(path, tmp_path / "out", ImportRequest(levels=1, default=0))
        file.write_bytes(whole)


@pytest.mark.parametrize("name", ["points", "faces", "owner", "neighbour", "boundary"])
@pytest.mark.parametrize("binary", [False, True])
def test_an_openfoam_folder_with_a_broken_file_is_one_sentence(
    said: Said, make: Make, tmp_path: Path, name: str, binary: bool
) -> None:
    level = make("box", 100, 1)[0]
    mesh = from_level(level.data, {0: "lower", 1: "upper", 3: "far", 4: "inlet", 5: "outlet"})
    case = write_openfoam(mesh, tmp_path, binary=binary)
    file = case / "constant" / "polyMesh" / name
    text = file.read_bytes()
    for rest in (text[: len(text) // 2], text[:20], b""):
        file.write_bytes(rest)
        code, error = said(case / "constant" / "polyMesh")
        assert code == 3, error
    file.unlink()
    code, error = said(case / "constant" / "polyMesh")
    assert code == 3
    assert name in error or "no polyMesh" in error


def test_polyhedra_with_holes_are_one_sentence(said: Said, tmp_path: Path) -> None:
    mesh = cube()
    mesh.sides["wall"][4] = mesh.sides["wall"][4][:5]
    case = write_openfoam(mesh, tmp_path)
    code, error = said(case / "constant" / "polyMesh")
    assert code == 3
    assert "faces of cell 0 (counted from 0) do not close around it" in error


def test_notes_tell_what_was_left_out_or_changed(said: Said, tmp_path: Path) -> None:
    mesh = cube()
    twins(mesh)
    mesh.points = np.concatenate([mesh.points, [[9.0, 9.0, 9.0]]])
    mesh.cells["cells_hexahedron"][1] = mesh.cells["cells_hexahedron"][1][[1, 0, 3, 2, 5, 4, 7, 6]]
    inner = [mesh.cells["cells_hexahedron"][0][[1, 2, 6, 5]].tolist()]
    mesh.sides = {"inside": {4: np.array(inner)}}
    words = ("--merge-nodes", 1e-9, "--default-boundary", "far-field", "--levels", 1)
    code, error = said(write_su2(mesh, tmp_path), *words)
    assert code == 0
    assert "4 nodes lay where another one lies" in error
    assert "1 nodes belong to no cell" in error
    assert "1 of 2 cells (hexahedron) list their corners the other way round" in error
    assert "1 faces of 'inside' lie inside the mesh" in error
    with h5py.File(tmp_path / "out" / "mesh.L0.h5") as file:
        assert file["areas"][...].sum() == pytest.approx(2.0, rel=1e-14)
        assert len(file["areas"]) == 12


USAGE = {
    "no equals sign": (["--boundary", "wall"], "not NAME=GROUP"),
    "unknown word": (["--boundary", "wall=inlett"], "Did you mean 'inlet'?"),
    "number too large": (["--default-boundary", "8"], "Numbers are 0 to 7"),
    "unknown boundary": (["--boundary", "Wall=1"], "Did you mean 'wall'?"),
    "twice": (["--boundary", "wall=1", "--boundary", "wall=2"], "given twice"),
    "scale": (["--scale", "miles"], "neither a positive number nor a unit"),
    "negative scale": (["--scale", "-1"], "neither a positive number nor a unit"),
    "scaling": (["--scaling", "bosted"], "Did you mean 'boosted'?"),
    "levels": (["--levels", "0"], "between 1 and 20"),
    "merge": (["--merge-nodes", "0.5"], "between 0 and 0.1"),
}


@pytest.mark.parametrize("name", USAGE)
def test_a_wrong_command_line_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    words, sentence = USAGE[name]
    path = write_su2(cube(), tmp_path)
    assert run("import", path, "-o", tmp_path / "out", *words) == 2
    assert sentence in capsys.readouterr().err
    assert not list((tmp_path / "out").glob("*"))


def test_files_of_unknown_kinds_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mesh.step").write_text("x")
    assert run("import", tmp_path / "mesh.step", "-o", tmp_path / "out") == 2
    assert "'.step' is not a mesh format known here" in capsys.readouterr().err
    assert run("import", tmp_path / "none.msh", "-o", tmp_path / "out") == 3
    assert "does not exist" in capsys.readouterr().err
    assert run("import", tmp_path, "-o", tmp_path / "out") == 3
    assert "no polyMesh is there" in capsys.readouterr().err


def test_too_many_levels_say_how_many_are_possible(said: Said, tmp_path: Path) -> None:
    code, error = said(write_su2(square(4, triangles=True), tmp_path), "--default-boundary", 3,
                       "--levels", 9)  # fmt: skip
    assert code == 3
    assert "cannot be coarsened. Ask for at most" in error


def test_an_older_mesh_stays_when_an_import_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = write_su2(cube(), tmp_path)
    assert run("import", good, "-o", tmp_path / "out", "--levels", 1, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["cells"] == {"hexahedron": 1}
    assert told["boundaries"][0] == {
        "name": "wall", "faces": 6, "group": 0, "by": "its name", "wall": True,
    }  # fmt: skip
    before = {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()}
    bad = cube()
    inside_out(bad)
    assert run("import", write_su2(bad, tmp_path), "-o", tmp_path / "out") == 3
    assert {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()} == before


def test_a_folder_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").write_text("a file")
    assert run("import", write_su2(cube(), tmp_path), "-o", tmp_path / "out") == 4
    assert "cannot write the mesh" in capsys.readouterr().err


def test_without_meshio_a_sentence_names_the_package(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_gmsh("2.2", binary=False)(cube(), tmp_path)
    monkeypatch.setitem(sys.modules, "meshio", None)
    code, error = said(path)
    assert code == 4
    assert "pip install meshio" in error


def test_without_vtk_meshio_reads_what_it_can_and_says_what_it_cannot(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    path = write_vtk("mesh.vtu", binary=False)(cube(), tmp_path)
    assert said(path, "--default-boundary", 0, "--levels", 1)[0] == 0
    for file in (tmp_path / "out").iterdir():
        file.unlink()
    path.write_text(path.read_text().replace("\n12\n", "\n11\n"))
    code, error = said(path)
    assert code == 3
    assert "meshio cannot read all of its cells" in error
    assert "pip install halocline[plot]" in error


def test_the_table_names_boundaries_levels_and_closure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("import", write_su2(cube(), tmp_path), "-o", tmp_path / "out", "--levels", 1) == 0
    out = capsys.readouterr().out
    for word in ("wall", "its name", "mesh.L0.h5", "1 hexahedron", "a uniform flow is kept"):
        assert word in out
