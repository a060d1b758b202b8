# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Bad input: one message naming file and item, the right exit code, no result, on any ranks."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
import pytest
from mgcfd_support import Spoil, box_level, make_box, run, spoil, write_level

on_one_and_three_ranks = pytest.mark.parametrize(
    "ranks", [1, pytest.param(3, marks=pytest.mark.mpi)]
)


def expect_refusal(folder: Path, code: int, said: tuple[str, ...], *words: str, ranks: int) -> None:
    """Runs and expects one sentence with these words, this exit code, and nothing written."""
    done = run(folder, "--output-variables", "-I", "1", *words, ranks=ranks)
    assert done.code == code, done.err
    assert len(done.messages) == 1, done.err
    for part in said:
        assert part in done.messages[0], done.messages[0]
    assert done.files() == set()
    assert (
        not (folder / "record.json").exists() or '"ok"' not in (folder / "record.json").read_text()
    )


@dataclass(frozen=True)
class Fault:
    """How a good case goes bad, and what must be said about it."""

    name: str
    said: tuple[str, ...]
    change: Callable[[Path], None]
    words: tuple[str, ...] = ()
    code: int = 3


def in_file(level: int, change: Spoil) -> Callable[[Path], None]:
    """A change inside a level's file."""
    return lambda folder: spoil(folder, level, change)


def setting(dataset: str, row: int, column: int, value: float) -> Spoil:
    """One value of a dataset."""

    def change(file: h5py.File) -> None:
        file[dataset][row, column] = value

    return change


def without(dataset: str) -> Spoil:
    """A missing dataset."""

    def change(file: h5py.File) -> None:
        del file[dataset]

    return change


def replaced(dataset: str, new: Callable[[np.ndarray], np.ndarray]) -> Spoil:
    """A dataset of another shape or type."""

    def change(file: h5py.File) -> None:
        values = new(file[dataset][()])
        del file[dataset]
        file[dataset] = values

    return change


def text_file(name: str, text: str) -> Callable[[Path], None]:
    """A file that is no HDF5 file."""

    def change(folder: Path) -> None:
        (folder / name).write_text(text)

    return change


def truncated(name: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: len(content) // 2])

    return change


def pipe(name: str) -> Callable[[Path], None]:
    """A pipe that nobody writes into, which would be waited for."""

    def change(folder: Path) -> None:
        (folder / name).unlink()
        os.mkfifo(folder / name)

    return change


def missing(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def input_text(old: str, new: str) -> Callable[[Path], None]:
    """Another line in input.dat."""

    def change(folder: Path) -> None:
        path = folder / "input.dat"
        path.write_text(path.read_text().replace(old, new))

    return change


def no_faces_at_node_7(file: h5py.File) -> None:
    """All dual faces of node 7 vanish, and so does its volume; its dual stays closed."""
    ends = file["edge-->node"][()]
    weights = file["edge_weights"][()]
    boundary = file["bnd_node_weights"][()]
    weights[(ends == 7).any(axis=1)] = 0.0
    boundary[file["bnd_node-->node"][:, 0] == 7] = 0.0
    file["edge_weights"][...] = weights
    file["bnd_node_weights"][...] = boundary


def swap_levels(folder: Path) -> None:
    shutil.move(folder / "mesh.L0.h5", folder / "keep.h5")
    shutil.move(folder / "mesh.L1.h5", folder / "mesh.L0.h5")
    shutil.move(folder / "keep.h5", folder / "mesh.L1.h5")


def smaller_coarse_level(folder: Path) -> None:
    write_level(folder / "mesh.L1.h5", box_level((2, 2, 2), False))


level0, level1 = "mesh.L0.h5", "mesh.L1.h5"
legacy = ("-l",)
faults = [
    Fault("missing_input", ("input.dat",), missing("input.dat")),
    Fault("missing_mesh", (level1,), missing(level1)),
    Fault("text_as_mesh", (level0, "HDF5"), text_file(level0, "no mesh\n")),
    Fault("truncated_mesh", (level1,), truncated(level1)),
    Fault("empty_mesh", (level0,), text_file(level0, "")),
    Fault(
        "missing_coordinates", (level0, "node_coordinates"), in_file(0, without("node_coordinates"))
    ),
    Fault("missing_edges", (level1, "edge-->node"), in_file(1, without("edge-->node"))),
    Fault("missing_weights", (level0, "edge_weights"), in_file(0, without("edge_weights"))),
    Fault("missing_groups", (level0, "bnd_node-->group"), in_file(0, without("bnd_node-->group"))),
    Fault("missing_parents", (level0, "node-->mg_node"), in_file(0, without("node-->mg_node"))),
    Fault(
        "missing_legacy_family",
        (level0, "node_coordinates.renumbered"),
        in_file(0, without("node_coordinates.renumbered")),
        legacy,
    ),
    Fault("missing_volumes", (level0, "areas"), in_file(0, without("areas")), legacy),
    Fault(
        "two_coordinates",
        (level0, "node_coordinates", "(60, 2)"),
        in_file(0, replaced("node_coordinates", lambda x: x[:, :2])),
    ),
    Fault("flat_edges", (level0, "edge-->node"), in_file(0, replaced("edge-->node", np.ravel))),
    Fault(
        "short_weights",
        (level0, "edge_weights"),
        in_file(0, replaced("edge_weights", lambda w: w[:-1])),
    ),
    Fault(
        "real_edges",
        (level0, "edge-->node", "type"),
        in_file(0, replaced("edge-->node", lambda e: e.astype(float))),
    ),
    Fault(
        "integer_weights",
        (level0, "edge_weights", "type"),
        in_file(0, replaced("edge_weights", lambda w: w.astype(np.int32))),
    ),
    Fault(
        "no_nodes",
        (level0, "node_coordinates"),
        in_file(0, replaced("node_coordinates", lambda x: x[:0])),
    ),
    Fault(
        "edge_too_high",
        (level0, "edge-->node", "row 3", "60"),
        in_file(0, setting("edge-->node", 3, 1, 60)),
    ),
    Fault(
        "edge_negative",
        (level1, "edge-->node", "row 0", "-1"),
        in_file(1, setting("edge-->node", 0, 0, -1)),
    ),
    Fault(
        "boundary_too_high",
        (level0, "bnd_node-->node", "row 9", "99"),
        in_file(0, setting("bnd_node-->node", 9, 0, 99)),
    ),
    Fault(
        "parent_too_high",
        (level0, "node-->mg_node", "row 5", "12"),
        in_file(0, setting("node-->mg_node", 5, 0, 12)),
    ),
    Fault(
        "group_unknown",
        (level0, "bnd_node-->group", "row 9", "99", "0 to 2", "3 to 7"),
        in_file(0, setting("bnd_node-->group", 9, 0, 99)),
    ),
    Fault(
        "groups_negative_everywhere",
        (level1, "bnd_node-->group", "row 0", "-2147483648"),
        in_file(1, replaced("bnd_node-->group", lambda g: np.full_like(g, -(2**31)))),
    ),
    Fault(
        "nan_coordinates",
        (level0, "node_coordinates", "row 59", "nan"),
        in_file(0, setting("node_coordinates", 59, 2, np.nan)),
    ),
    Fault(
        "infinite_weight",
        (level1, "edge_weights", "row 2", "inf"),
        in_file(1, setting("edge_weights", 2, 0, np.inf)),
    ),
    Fault(
        "zero_volume", (level0, "areas", "row 4"), in_file(0, setting("areas", 4, 0, 0.0)), legacy
    ),
    Fault(
        "negative_volume",
        (level0, "areas", "row 4", "-0.5"),
        in_file(0, setting("areas", 4, 0, -0.5)),
        legacy,
    ),
    Fault(
        "vanishing_volume",
        (level0, "node 7", "volume"),
        in_file(0, no_faces_at_node_7),
        ("--mesh-check", "off"),
    ),
    Fault("open_dual", (level0, "node", "closed"), in_file(0, setting("edge_weights", 0, 0, 7e7))),
    Fault(
        "open_coarse_dual",
        (level1, "node", "closed"),
        in_file(1, setting("bnd_node_weights", 0, 0, 7e7)),
    ),
    Fault("levels_swapped", (level0,), swap_levels),
    Fault("coarse_level_too_small", (level0, "node-->mg_node"), smaller_coarse_level),
    Fault(
        "unknown_key",
        ("input.dat", "num_levls", "num_levels"),
        input_text("num_levels = 2", "num_levls = 2"),
    ),
    Fault("input_is_a_pipe", ("input.dat", "pipe or device"), pipe("input.dat")),
    Fault("wrong_number", ("input.dat", "size", "many"), input_text("size = 1", "size = many")),
    Fault(
        "wrong_base",
        (level0, "base_array_index"),
        input_text("base_array_index = 0", "base_array_index = 1"),
    ),
]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case that runs."""
    return make_box(tmp_path_factory.mktemp("good") / "case")


def test_the_good_case_is_good(good: Path) -> None:
    for words in ((), ("-l",)):
        assert run(good, "-g", "1", *words).code == 0


@on_one_and_three_ranks
@pytest.mark.parametrize("fault", faults, ids=lambda fault: fault.name)
def test_a_bad_file_is_one_sentence(good: Path, tmp_path: Path, fault: Fault, ranks: int) -> None:
    folder = tmp_path / "case"
    shutil.copytree(good, folder, ignore=shutil.ignore_patterns("record.json", "*.csv"))
    fault.change(folder)
    expect_refusal(folder, fault.code, fault.said, "-g", "1", *fault.words, ranks=ranks)


def test_an_open_dual_may_be_run_with_a_warning(good: Path, tmp_path: Path) -> None:
    folder = tmp_path / "case"
    shutil.copytree(good, folder)
    spoil(folder, 0, setting("edge_weights", 0, 0, 7e7))
    done = run(folder, "-g", "1", "--mesh-check", "warn", ranks=2)
    assert done.code == 0, done.err
    assert sum("warning" in line and "mesh.L0.h5" in line for line in done.messages) == 1
    assert run(folder, "-g", "1", "--mesh-check", "off").messages == []


usage = [
    (("-g", "0"), ("num-cycles", "0")),
    (("-g", "-3"), ("num-cycles",)),
    (("-g", "many"), ("num-cycles", "many")),
    (("-I", "0"), ("output-flow-interval",)),
    (("--num-cylces", "3"), ("--num-cylces", "--num-cycles")),
    (("--output-varables",), ("--output-varables", "--output-variables")),
    (("--frobnicate",), ("--frobnicate", "--help")),
    (("surplus",), ("surplus argument 'surplus'",)),
    (("--", "e"), ("surplus argument 'e'",)),
    (("-i",), ("input-file",)),
    (("-c",), ("-c",)),
    (("--backend", "opemp"), ("opemp", "openmp")),
    (("-m", "ptscoth"), ("ptscoth", "ptscotch")),
    (("-m", "ptscotch", "-r", "kwai"), ("kwai", "kway")),
    (("--mesh-check", "maybe"), ("mesh-check", "maybe")),
    (("--threads", "0"), ("threads",)),
]


@on_one_and_three_ranks
@pytest.mark.parametrize(("words", "said"), usage, ids=[" ".join(words) for words, _ in usage])
def test_a_wrong_flag_is_one_sentence(
    good: Path, tmp_path: Path, words: tuple[str, ...], said: tuple[str, ...], ranks: int
) -> None:
    (tmp_path / "out").mkdir()
    expect_refusal(tmp_path, 2, said, "-d", str(good), *words, ranks=ranks)


configurations = [
    ("no_cycels = 3\n", ("run.conf", "no_cycels")),
    ("cylces = 3\n", ("run.conf", "cylces", "cycles")),
    ("cycles = 0\n", ("run.conf", "cycles")),
    ("cycles = ten\n", ("run.conf", "cycles", "ten")),
    ("output_variables = yes\n", ("run.conf", "output_variables", "yes")),
]


@on_one_and_three_ranks
@pytest.mark.parametrize(
    ("text", "said"), configurations, ids=[text.strip() for text, _ in configurations]
)
def test_a_wrong_setting_is_one_sentence(
    good: Path, tmp_path: Path, text: str, said: tuple[str, ...], ranks: int
) -> None:
    (tmp_path / "run.conf").write_text(text)
    expect_refusal(tmp_path, 3, said, "-d", str(good), "-c", "run.conf", ranks=ranks)


@on_one_and_three_ranks
def test_a_missing_configuration_file_is_one_sentence(
    good: Path, tmp_path: Path, ranks: int
) -> None:
    expect_refusal(tmp_path, 3, ("none.conf",), "-d", str(good), "-c", "none.conf", ranks=ranks)


@pytest.mark.mpi
def test_more_ranks_than_nodes_is_one_sentence(tmp_path: Path) -> None:
    case = make_box(tmp_path / "case", (2, 1, 1), 1)
    expect_refusal(case, 3, ("2", "3", "ranks"), "-g", "1", ranks=3)


@pytest.mark.mpi
def test_fewer_coarse_nodes_than_ranks_is_no_fault(tmp_path: Path) -> None:
    case = make_box(tmp_path / "case", (4, 3, 2), 2)
    with h5py.File(case / "mesh.L1.h5") as file:
        assert file["node_coordinates"].shape[0] == 4
    assert run(case, "-g", "2", ranks=3).code == 0
    assert run(case, "-g", "2", ranks=5).code == 0


@on_one_and_three_ranks
@pytest.mark.parametrize("prefix", ["missing/", "file/x.", "/proc/"])
def test_an_unwritable_folder_is_found_before_the_run(
    good: Path, tmp_path: Path, prefix: str, ranks: int
) -> None:
    (tmp_path / "file").write_text("not a folder")
    folder = prefix.rstrip("x.").rstrip("/")
    done = run(
        tmp_path, "-d", str(good), "-g", "1", "-o", prefix, "--output-variables", ranks=ranks
    )
    assert done.code == 4, done.err
    assert len(done.messages) == 1, done.err
    assert folder in done.messages[0]
    assert "Performing" not in done.out
