# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`mesh check` accepts sound meshes in every dialect and names what is wrong in broken ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from halocline.errors import InvalidInputError
from halocline.mesh.check import MeshReport, check_mesh
from halocline.mesh.info import mesh_info

Make = Callable[..., Any]
Edit = Callable[[h5py.File], None]
REFERENCE = Path(__file__).parents[3] / "data" / "mgcfd-reference"
LEGACY = {
    "node_coordinates": "node_coordinates.renumbered",
    "edge-->node": "edge-->node.renumbered",
    "edge_weights": "edge_weights.recalculated",
    "bnd_node-->node": "bnd_node-->node.renumbered",
    "node-->mg_node": "node-->mg_node.renumbered",
}


@pytest.fixture
def folder(make: Make, tmp_path: Path) -> Path:
    make("sector", 1000, 2)
    return tmp_path / "mesh"


def broken(folder: Path, edit: Edit, level: int = 0) -> MeshReport:
    with h5py.File(folder / f"mesh.L{level}.h5", "r+") as handle:
        edit(handle)
    return check_mesh(folder)


def put(name: str, row: Any, value: Any) -> Edit:
    def edit(handle: h5py.File) -> None:
        handle[name][row] = value

    return edit


def replace(name: str, change: Callable[[Any], Any]) -> Edit:
    def edit(handle: h5py.File) -> None:
        values = change(handle[name][...])
        for each in (name, LEGACY.get(name)):
            if each and each in handle:
                del handle[each]
        handle[name] = values

    return edit


def rules(report: MeshReport) -> list[tuple[str, str]]:
    return [(v.dataset, v.rule) for level in report.levels for v in level.violations]


@pytest.mark.parametrize("shape", ["box", "sector", "bump", "cavity", "rotor37"])
def test_meshes_of_ours_are_sound(make: Make, tmp_path: Path, shape: str) -> None:
    make(shape, 3000, 3, shuffle=True)
    report = check_mesh(tmp_path / "mesh")
    assert report.ok, rules(report)


@pytest.mark.parametrize("case", ["natural", "legacy", "boosted_shuffled"])
def test_meshes_of_mgcfd_are_sound(case: str) -> None:
    report = check_mesh(REFERENCE / case)
    assert report.ok, rules(report)
    assert [level.nodes for level in report.levels] == [5049, 765, 135, 30]


def test_input_file_may_be_named_itself() -> None:
    assert len(check_mesh(REFERENCE / "natural" / "input_1level.dat").levels) == 1


def test_one_based_maps_and_legacy_names_are_understood(folder: Path) -> None:
    for level in (0, 1):
        with h5py.File(folder / f"mesh.L{level}.h5", "r+") as handle:
            for name in (*LEGACY, "bnd_quads", "periodic_node_pairs"):
                if name in handle and handle[name].dtype.kind == "i":
                    handle[name][...] += 1
            for name in LEGACY:
                if name in handle:
                    del handle[name]
    index = folder / "input.dat"
    index.write_text(index.read_text().replace("base_array_index = 0\n", ""))
    report = check_mesh(folder)
    assert report.ok, rules(report)


NAN_ROW = [np.nan, 0.0, 0.0]
CASES = {
    "nan coordinates": (put("node_coordinates", 7, NAN_ROW), "node_coordinates", "finite", 7),
    "infinite weight": (put("edge_weights", 9, [np.inf, 0, 0]), "edge_weights", "finite", 9),
    "edge out of range": (put("edge-->node", 3, [0, 99999]), "edge-->node", "indices from 0", 3),
    "negative index": (put("bnd_node-->node", 2, -1), "bnd_node-->node", "indices from 0", 2),
    "loop": (put("edge-->node", 5, [4, 4]), "edge-->node", "two different nodes", 5),
    "parent out of range": (put("node-->mg_node", 1, 99999), "node-->mg_node", "level 1", 1),
    "unknown group": (put("bnd_node-->group", 6, 99), "bnd_node-->group", "from 0 to 7", 6),
    "negative group": (put("bnd_node-->group", 6, -1), "bnd_node-->group", "from 0 to 7", 6),
    "zero volume": (put("areas", 11, 0.0), "areas", "volume above zero", 11),
    "negative volume": (put("areas", 12, -1.0), "areas", "volume above zero", 12),
    "zero area": (put("edge_weights", 8, [0.0, 0.0, 0.0]), "edge_weights", "area above", 8),
    "bad pair": (put("periodic_node_pairs", 4, [0, 1]), "periodic_node_pairs", "rotated", 4),
}


@pytest.mark.parametrize("name", CASES)
def test_a_broken_value_is_named_with_its_row(folder: Path, name: str) -> None:
    edit, dataset, words, row = CASES[name]
    report = broken(folder, edit)
    found = [v for v in report.levels[0].violations if v.dataset == dataset and words in v.rule]
    assert not report.ok
    assert len(found) == 1, rules(report)
    assert found[0].file == "mesh.L0.h5"
    assert row in [place.index for place in found[0].places]


def test_an_open_dual_cell_is_named_with_its_coordinates(folder: Path) -> None:
    with h5py.File(folder / "mesh.L0.h5") as handle:
        ends = set(handle["edge-->node"][20])
        x = handle["node_coordinates"][...]
    report = broken(folder, lambda handle: handle["edge_weights"].__setitem__(20, [9.0, 9.0, 9.0]))
    (violation,) = report.levels[0].violations
    assert "closed dual cells" in violation.rule
    assert violation.count == 2
    assert {place.index for place in violation.places} == ends
    for place in violation.places:
        np.testing.assert_array_equal(place.coordinates, x[place.index])


def test_a_missing_boundary_entry_opens_the_dual(folder: Path) -> None:
    report = broken(folder, lambda handle: handle["bnd_node_weights"].__setitem__(0, [0, 0, 0]))
    assert any("closed dual cells" in rule for _, rule in rules(report))


def test_coincident_nodes_are_an_edge_without_length(folder: Path) -> None:
    def edit(handle: h5py.File) -> None:
        a, b = handle["edge-->node"][6]
        handle["node_coordinates"][int(b)] = handle["node_coordinates"][int(a)]

    report = broken(folder, edit)
    assert ("edge-->node", "ends at different places") in rules(report)


def test_duplicate_edges_are_found_in_several_passes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("halocline.mesh.check_dual.KEYS_AT_ONCE", 500)

    def edit(handle: h5py.File) -> None:
        handle["edge-->node"][30] = handle["edge-->node"][10][::-1]

    report = broken(folder, edit)
    assert any("each pair of nodes once" in rule for _, rule in rules(report))


def test_a_lonely_node_and_a_childless_one_are_found(folder: Path) -> None:
    def edit(handle: h5py.File) -> None:
        handle["node-->mg_node"][...] = np.maximum(handle["node-->mg_node"][...], 1)
        ends = handle["edge-->node"][...]
        ends[ends == 5] = 6
        handle["edge-->node"][...] = ends

    found = rules(broken(folder, edit))
    assert any("every node has an edge" in rule for _, rule in found)
    assert any("has a child" in rule for _, rule in found)


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("edge_weights", lambda v: v[:-1], "as many rows as edge-->node"),
        ("bnd_node-->group", lambda v: v[:-1], "as many rows as bnd_node-->node"),
        ("node_coordinates", lambda v: v[:, :2], "3 columns of real numbers"),
        ("edge-->node", lambda v: v.astype(float), "2 columns of integer numbers"),
    ],
)
def test_wrong_forms_are_named(
    folder: Path, name: str, change: Callable[[Any], Any], words: str
) -> None:
    assert (name, words) in rules(broken(folder, replace(name, change)))


def test_a_missing_dataset_is_named(folder: Path) -> None:
    def edit(handle: h5py.File) -> None:
        del handle["bnd_node-->group"]

    assert rules(broken(folder, edit)) == [("bnd_node-->group", "the dataset exists")]


def test_levels_in_the_wrong_order_are_found(folder: Path) -> None:
    index = folder / "input.dat"
    text = index.read_text().replace("0 = mesh.L0.h5", "0 = mesh.L1.h5")
    index.write_text(text.replace("1 = mesh.L1.h5", "1 = mesh.L0.h5"))
    assert not check_mesh(folder).ok


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("size = 3\n[levels]\n0 = mesh.L0.h5\n", "'num_levels' is missing"),
        ("num_levels = two\n[levels]\n0 = mesh.L0.h5\n", "not a whole number"),
        ("num_levels = 2\n[levels]\n0 = mesh.L0.h5\n", "lists [0]"),
        ("num_levels = 1\nbase_array_index = 7\n[levels]\n0 = mesh.L0.h5\n", "must be 0 or 1"),
        ("num_levels = 1\n[levels]\n0 = absent.h5\n", "absent.h5"),
        ("num_levels = 1\n[levels]\nnonsense\n", "line 3"),
        ("num_levels = 1\n[levels]\n0 = input.dat\n", "not a readable HDF5 file"),
    ],
)
def test_unreadable_meshes_are_sentences(folder: Path, text: str, words: str) -> None:
    (folder / "input.dat").write_text(text)
    with pytest.raises(InvalidInputError) as caught:
        check_mesh(folder)
    assert words in str(caught.value)


def test_a_folder_without_a_mesh_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="not a mesh folder"):
        check_mesh(tmp_path / "nowhere")


def test_info_counts_what_the_files_hold(make: Make, tmp_path: Path) -> None:
    levels = make("rotor37", 3000, 2)
    info = mesh_info(tmp_path / "mesh")
    assert [level.nodes for level in info.levels] == [level.nodes for level in levels]
    groups, counts = np.unique(levels[0]["bnd_node-->group"], return_counts=True)
    assert info.levels[0].groups == dict(zip(groups.tolist(), counts.tolist(), strict=True))
    assert info.group_names[2] == "blade"
    assert info.group_kinds == {
        0: "wall", 1: "wall", 2: "wall",
        4: "far field", 5: "far field", 6: "far field", 7: "far field",
    }  # fmt: skip
    low = levels[0]["node_coordinates"].min(axis=0)
    np.testing.assert_array_equal(info.levels[0].box[0], low)


def test_info_of_an_incomplete_level_is_a_sentence(folder: Path) -> None:
    with h5py.File(folder / "mesh.L0.h5", "r+") as handle:
        del handle["edge_weights"], handle["edge_weights.recalculated"]
    with pytest.raises(InvalidInputError, match=r"mesh\.L0\.h5: the dataset 'edge_weights'"):
        mesh_info(folder)
