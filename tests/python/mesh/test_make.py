# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Files that `mesh make` writes, and what it says when it cannot."""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from halocline.errors import HaloclineError, InvalidInputError, MissingEnvironmentError, UsageError
from halocline.mesh.folder import open_folder
from halocline.mesh.make import Output, make_mesh
from halocline.mesh.request import Request

Make = Callable[..., Any]


def test_input_dat_describes_the_levels(make: Make, tmp_path: Path) -> None:
    levels = make("rotor37", 3000, 3)
    text = (tmp_path / "mesh" / "input.dat").read_text()
    assert text.splitlines() == [
        f"size = {levels[0].nodes}",
        "num_levels = 3",
        "base_array_index = 0",
        "mesh_name = rotor37",
        "[levels]",
        "0 = mesh.L0.h5",
        "1 = mesh.L1.h5",
        "2 = mesh.L2.h5",
    ]
    assert open_folder(tmp_path / "mesh").base == 0


def test_datasets_have_the_types_and_shapes_of_the_format(make: Make) -> None:
    level = make("sector", 3000, 2)[0]
    nodes, edges = level.nodes, len(level["edge-->node"])
    entries = len(level["bnd_node-->node"])
    expected = {
        "node_coordinates": ((nodes, 3), "float64"),
        "areas": ((nodes, 1), "float64"),
        "edge-->node": ((edges, 2), "int32"),
        "edge_weights": ((edges, 3), "float64"),
        "bnd_node-->node": ((entries, 1), "int32"),
        "bnd_node-->group": ((entries, 1), "int32"),
        "bnd_node_weights": ((entries, 3), "float64"),
        "node-->mg_node": ((nodes, 1), "int32"),
    }
    assert {name: (level[name].shape, str(level[name].dtype)) for name in expected} == expected


def test_legacy_names_are_links_to_the_same_data(make: Make, tmp_path: Path) -> None:
    make("box", 1000, 2, shuffle=True)
    with h5py.File(tmp_path / "mesh" / "mesh.L0.h5") as file:
        for alias, name in {
            "node_coordinates.renumbered": "node_coordinates",
            "edge-->node.renumbered": "edge-->node",
            "edge_weights.recalculated": "edge_weights",
            "bnd_node-->node.renumbered": "bnd_node-->node",
            "node-->mg_node.renumbered": "node-->mg_node",
        }.items():
            assert h5py.h5o.get_info(file[alias].id).addr == h5py.h5o.get_info(file[name].id).addr


def test_attributes_say_how_the_file_was_made(make: Make) -> None:
    attributes = make("rotor37", 3000, 2, shuffle=True, seed=9)[1].attributes
    assert attributes["shape"] == "rotor37"
    assert attributes["level"] == 1
    assert attributes["levels"] == 2
    assert attributes["seed"] == 9
    assert attributes["length_unit"] == "m"
    assert json.loads(attributes["bnd_group_names"])["2"] == "blade"
    assert attributes["periodic_angle_rad"] == pytest.approx(2.0 * np.pi / 36)


@pytest.mark.parametrize(("scaling", "factor"), [("boosted", 1e18), ("legacy", 1e7)])
def test_scaling_multiplies_area_vectors_only(make: Make, scaling: str, factor: float) -> None:
    plain = make("sector", 1000, 2, name="plain")
    scaled = make("sector", 1000, 2, name="scaled", scaling=scaling)
    for one, other in zip(plain, scaled, strict=True):
        for name in one.data:
            times = factor if "weights" in name else 1
            np.testing.assert_array_equal(one[name] * times, other[name], err_msg=name)


def test_boosted_follows_the_smallest_cell_where_cells_are_not_unit(make: Make) -> None:
    level = make("rotor37", 3000, 2, scaling="boosted")[0]
    expected = 1e18 * level["areas"].min()
    assert abs(np.log10(level.attributes["area_factor"] / expected)) < 0.51


def test_odd_counts_coarsen_to_sound_levels(make: Make) -> None:
    levels = make("box", 7 * 8 * 6, 3, aspect=(6.0, 7.0, 5.0))
    assert [level.nodes for level in levels] == sorted((v.nodes for v in levels), reverse=True)
    for level in levels:
        assert level.residual().max() < 1e-13


@pytest.mark.parametrize("nodes", [3_000_000_000, 800_000_000])
def test_index_overflow_is_said_before_anything_is_written(tmp_path: Path, nodes: int) -> None:
    with pytest.raises(InvalidInputError, match=r"32 bits \(at most 2147483647\)"):
        make_mesh("box", Request(nodes, 1), Output(tmp_path / "big"))
    assert not (tmp_path / "big").exists()


def test_too_many_levels_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="Ask for at most 5 levels or more nodes"):
        make_mesh("box", Request(1000, 12), Output(tmp_path / "m"))


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (Request(3, 1), "at least 8 nodes"),
        (Request(1000, 0), "between 1 and 20"),
        (Request(1000, 1, stretch=0.5), "--stretch 0.5"),
        (Request(1000, 1, stretch=float("nan")), "--stretch nan"),
        (Request(1000, 1, aspect=(1.0, -1.0, 1.0)), "positive numbers"),
    ],
)
def test_senseless_requests_are_usage_errors(tmp_path: Path, request_: Request, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make_mesh("box", request_, Output(tmp_path / "m"))


def test_unknown_shape_suggests_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Did you mean 'sector'"):
        make_mesh("sektor", Request(1000, 1), Output(tmp_path / "m"))


def test_full_disk_is_said_before_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10, 9, 1))
    with pytest.raises(MissingEnvironmentError, match="are free"):
        make_mesh("box", Request(1000, 1), Output(tmp_path / "m"))


@pytest.mark.parametrize("where", ["file", "file/inside"])
def test_output_that_cannot_be_a_folder_is_a_sentence(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MissingEnvironmentError, match="cannot write the mesh"):
        make_mesh("box", Request(1000, 1), Output(tmp_path / where))


def test_folder_without_write_permission_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write everywhere
    with pytest.raises(MissingEnvironmentError, match="not writable"):
        make_mesh("box", Request(1000, 1), Output(tmp_path / "m"))


def test_failure_halfway_leaves_an_older_mesh_untouched(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make("box", 1000, 2)
    folder = tmp_path / "mesh"
    before = {file.name: file.read_bytes() for file in folder.iterdir()}

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("halocline.mesh.level_file.LevelWriter.write_parents", full)
    with pytest.raises(HaloclineError, match="No space left on device"):
        make("sector", 3000, 2)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_remaking_with_fewer_levels_leaves_no_stray_level(make: Make, tmp_path: Path) -> None:
    make("box", 1000, 3)
    make("box", 1000, 1)
    assert sorted(file.name for file in (tmp_path / "mesh").iterdir()) == [
        "input.dat",
        "mesh.L0.h5",
    ]


def test_progress_ends_with_all_nodes(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    make_mesh(
        "box", Request(2000, 2), Output(tmp_path / "m", shuffle=True),
        lambda what, done, total: seen.append((what, done, total)),
    )  # fmt: skip
    assert seen[-1][1] == seen[-1][2]
