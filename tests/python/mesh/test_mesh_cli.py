# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The `halocline mesh` verbs: exit codes, tables, JSON, sentences."""

from __future__ import annotations

import json
from pathlib import Path

import h5py
import pytest
from halocline.cli.app import main
from halocline.mesh.shapes import SHAPES


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["mesh", *arguments])
    return int(stop.value.code or 0)


def test_make_info_check_on_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "rotor")
    assert run("make", "rotor37", "--nodes", "3k", "--levels", "3", "-o", folder) == 0
    assert "mesh.L2.h5" in capsys.readouterr().out
    assert run("info", folder) == 0
    assert "periodic upper" in capsys.readouterr().out
    assert run("check", folder) == 0
    assert "sound" in capsys.readouterr().out


def test_unit_cube_of_9_nodes_a_side_is_one_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "cube")
    words = ("cavity", "--nodes", "729", "--levels", "1", "--elements", "mixed")
    assert run("make", *words, "--perturb", "0.2", "-o", folder, "--json") == 0
    assert json.loads(capsys.readouterr().out)["levels"][0]["nodes"] == 729
    assert run("check", folder) == 0


def test_help_names_every_shape(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("make", "--help") == 0
    said = " ".join(capsys.readouterr().out.split())
    for shape in SHAPES:
        assert shape in said


def test_info_says_whether_there_is_a_laplacian(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = {"box": "no", "channel": "yes, 0 diagonals", "cylinder": "yes, 3,"}
    for shape, words in wanted.items():
        folder = str(tmp_path / shape)
        assert run("make", shape, "--nodes", "2k", "--levels", "1", "-o", folder) == 0
        assert run("info", folder) == 0
        line = next(x for x in capsys.readouterr().out.splitlines() if "Laplacian" in x)
        assert words in line


def test_json_of_all_verbs_is_one_object(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "box")
    assert run("make", "box", "--nodes", "0.5k", "--levels", "2", "-o", folder, "--json") == 0
    made = json.loads(capsys.readouterr().out)
    assert run("info", folder, "--json") == 0
    info = json.loads(capsys.readouterr().out)
    assert run("check", folder, "--json") == 0
    checked = json.loads(capsys.readouterr().out)
    counts = [level["nodes"] for level in made["levels"]]
    assert counts == [level["nodes"] for level in info["levels"]]
    assert counts == [level["nodes"] for level in checked["levels"]]
    assert checked["ok"] is True
    assert checked["levels"][0]["quality"]["closure_max"] < 1e-13


def test_info_of_a_level_file_says_what_to_give(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "box"
    run("make", "box", "--nodes", "500", "--levels", "1", "-o", str(folder))
    capsys.readouterr()
    assert run("info", str(folder / "mesh.L0.h5")) == 3
    assert "Give the folder of the mesh" in capsys.readouterr().err


def test_check_of_a_broken_mesh_leaves_with_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "box"
    run("make", "box", "--nodes", "500", "--levels", "1", "-o", str(folder))
    with h5py.File(folder / "mesh.L0.h5", "r+") as handle:
        handle["edge_weights"][17] = [1e3, 0.0, 0.0]
    capsys.readouterr()
    assert run("check", str(folder)) == 3
    assert "edge_weights" in capsys.readouterr().out
    assert run("check", str(folder), "--json") == 3
    report = json.loads(capsys.readouterr().out)
    assert report["levels"][0]["violations"][0]["places"][0]["coordinates"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("make", "ball", "-o", "m"), 2, "No shape 'ball'"),
        (("make", "box", "--nodes", "many", "-o", "m"), 2, "--nodes 'many'"),
        (("make", "box", "--nodes", "nan", "-o", "m"), 2, "--nodes 'nan'"),
        (("make", "box", "--aspect", "1,2", "-o", "m"), 2, "--aspect: a mesh in space needs"),
        (("make", "box", "--aspect", "1", "-o", "m"), 2, "--aspect '1'"),
        (("make", "cavity", "--cells", "8,x", "-o", "m"), 2, "--cells '8,x'"),
        (("make", "cylindre", "-o", "m"), 2, "Did you mean 'cylinder'"),
        (("make", "rotor37", "--stretch", "3", "-o", "m"), 2, "Leave out --aspect"),
        (("make", "box", "--legacy", "--scaling", "boosted", "-o", "m"), 2, "exclude each other"),
        (("make", "box", "--scaling", "boost", "-o", "m"), 2, "Did you mean 'boosted'"),
        (("make", "box", "--elements", "tets", "-o", "m"), 2, "Did you mean 'tet'"),
        (("make", "box", "--perturb", "0.3", "-o", "m"), 2, "between 0 and 0.25, because"),
        (("make", "box", "--perturb", "nan", "-o", "m"), 2, "--perturb nan"),
        (("make", "rotor37", "--elements", "tet", "-o", "m"), 2, "choose another shape"),
        (("make", "rotor37", "--perturb", "0.1", "-o", "m"), 2, "choose another shape"),
        (("make", "box", "--nodes", "2G", "--elements", "tet", "-o", "m"), 3, "32 bits"),
        (("make", "box", "--nodes", "3G", "-o", "m"), 3, "32 bits"),
        (("make", "box", "--node", "3"), 2, "--nodes"),
        (("check", "absent"), 3, "not a mesh folder"),
        (("info", "absent"), 3, "not a mesh folder"),
    ],
)
def test_bad_requests_end_in_one_sentence(
    arguments: tuple[str, ...],
    code: int,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == code
    said = capsys.readouterr().err.strip()
    assert words in said
    assert len(said.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
