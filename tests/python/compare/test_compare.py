# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Comparing result files: exactness, places, shapes, keys across file layouts."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import halocline.compare.difference as difference_module
import numpy as np
import pytest
from halocline.compare import MGCFD_RULE, Difference, Limits
from halocline.compare.catalogue import catalogue
from halocline.compare.difference import measure
from halocline.results.data_set import DataSet
from results_file import POINTS, write_results


@pytest.fixture
def results(tmp_path: Path) -> Callable[..., Path]:
    """Write arrays as HDF5 files below a temporary folder: name → {data set: array}."""

    def write(name: str, **arrays: np.ndarray) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with h5py.File(path, "w") as file:
            for key, array in arrays.items():
                file[key] = array
        return path

    return write


def apart(
    results: Callable[..., Path],
    a: np.ndarray,
    b: np.ndarray,
    *limits: float,
    bitwise: bool = False,
) -> Difference:
    first, second = results("a.h5", q=a), results("b.h5", q=b)
    return measure("q", DataSet(first, "q"), DataSet(second, "q"), Limits(*limits, bitwise=bitwise))


def test_place_and_size_of_the_largest_difference(results: Callable[..., Path]) -> None:
    a = np.ones((6, 5))
    b = a.copy()
    b[4, 2], b[1, 0] = 1.25, 1.125
    found = apart(results, a, b)
    assert (found.max_abs, found.row, found.column) == (0.25, 4, 2)
    assert (found.a_at, found.b_at) == (1.0, 1.25)
    assert found.max_rel == 0.25 / 1.25
    assert found.l2 == math.hypot(0.25, 0.125)
    assert (found.differing, found.values) == (2, 30)
    assert not found.bitwise_equal
    assert found.over == 2
    assert apart(results, a, b, 0.25).accepted
    assert apart(results, a, b, 0.24).over == 1
    assert not apart(results, a, b, 0.24).accepted
    # Norms: a is thirty ones, b has 28 of them and two larger values.
    assert found.l2_relative == found.l2 / math.sqrt(28 + 1.25**2 + 1.125**2)
    # 0.125 is 1.25e-1 and 0.25 is 2.5e-1: both in the decade of 10^-1.
    assert found.as_json()["decades"] == {"-1": 2}
    assert found.worst_rows.tolist() == [4, 1]


def test_slabs_give_the_same_answer_as_one_piece(
    results: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(3)
    a = random.normal(size=(101, 5))
    b = a + 1e-9 * random.normal(size=a.shape)
    whole = apart(results, a, b)
    monkeypatch.setattr(difference_module, "VALUES_PER_SLAB", 37)
    parts = apart(results, a, b)
    assert (whole.max_abs, whole.row, whole.column) == (parts.max_abs, parts.row, parts.column)
    assert parts.max_rel == whole.max_rel
    # Sums of 505 squares in another order: at most 505 eps apart, relative.
    assert math.isclose(parts.l2, whole.l2, rel_tol=505 * np.finfo(float).eps)


def test_one_ulp_is_seen(results: Callable[..., Path]) -> None:
    a = np.array([[1.0], [2.0]])
    found = apart(results, a, found_b())
    assert found.max_abs == 2.0 * np.finfo(float).eps
    assert found.row == 1
    assert not found.accepted
    assert apart(results, a, found_b(), 0.0, 2.3e-16).accepted


def found_b() -> np.ndarray:
    return np.array([[1.0], [np.nextafter(2.0, 3.0)]])


def test_minus_zero_is_equal_but_not_the_same_bits(results: Callable[..., Path]) -> None:
    found = apart(results, np.array([[0.0]]), np.array([[-0.0]]))
    assert not found.bitwise_equal
    assert found.accepted
    assert not apart(results, np.array([[0.0]]), np.array([[-0.0]]), bitwise=True).accepted


def test_nan_equals_nan_and_is_infinitely_far_from_a_number(results: Callable[..., Path]) -> None:
    same = apart(results, np.array([[np.nan, np.inf]]), np.array([[np.nan, np.inf]]))
    assert same.accepted
    other = apart(results, np.array([[1.0, np.nan]]), np.array([[1.0, 2.0]]), 1e300, 1e300)
    assert math.isinf(other.max_abs)
    assert (other.row, other.column) == (0, 1)
    assert not other.accepted


def test_columns_and_flat_arrays_are_the_same_shape_but_lengths_must_agree(
    results: Callable[..., Path],
) -> None:
    assert apart(results, np.zeros((4, 1)), np.zeros(4)).accepted
    other = apart(results, np.zeros((4, 1)), np.zeros((3, 1)), 1e300)
    assert not other.same_shape
    assert not other.accepted


def test_the_rule_of_mgcfd_takes_parts_of_the_second_and_excepts_one_value_in_5000_rows(
    results: Callable[..., Path],
) -> None:
    b = np.full((10_000, 1), -2.0)
    a = b.copy()
    a[:3] *= 1.0 + 1.1e-7
    a[3:6] *= 1.0 + 0.9e-7
    first, second = (DataSet(results(f"{n}.h5", q=q), "q") for n, q in (("a", a), ("b", b)))
    found = measure("q", first, second, MGCFD_RULE)
    assert found.over == 3  # 10,000 rows excuse two
    assert not found.accepted
    a[0] = b[0]
    found = measure("q", DataSet(results("c.h5", q=a), "q"), second, MGCFD_RULE)
    assert (found.over, found.accepted) == (2, True)
    assert "one value in 5000 rows" in MGCFD_RULE.words()


def test_json_goes_to_a_file_beside_the_table(
    halocline: Callable[..., Any], results: Callable[..., Path], tmp_path: Path
) -> None:
    a, b = results("a.h5", q=np.zeros(3)), results("b.h5", q=np.array([0.0, 0.5, np.nan]))
    file = tmp_path / "difference.json"
    answer = halocline("compare", a, b, "--json-file", file)
    assert answer.code == 6
    assert "differs" in answer.out
    (row,) = json.loads(file.read_text())["data_sets"]
    assert (row["over"], row["max_abs"]) == (2, "inf")


def test_the_rule_of_mgcfd_excludes_other_limits(
    halocline: Callable[..., Any], results: Callable[..., Path]
) -> None:
    a = results("a.h5", q=np.zeros(3))
    assert halocline("compare", a, a, "--mgcfd").code == 0
    failed = halocline("compare", a, a, "--mgcfd", "--bitwise")
    assert failed.code == 2
    assert "--mgcfd has limits of its own" in failed.err


def test_integers_above_the_float_range_of_exactness_still_differ(
    results: Callable[..., Path],
) -> None:
    a = np.array([[2**53]], dtype=np.int64)
    assert not apart(results, a, a + 1).bitwise_equal


def test_level_files_and_a_collection_get_the_same_keys(
    results: Callable[..., Path], tmp_path: Path
) -> None:
    array = np.zeros((3, 5))
    results("run/p_variables.L0.cycles=25.h5", p_variables_result_L0=array)
    results("run/p_variables.L1.cycles=25.h5", p_variables_result_L1=array)
    one = results("result.h5", **{"cycles=25/p_variables_result_L0": array})
    assert set(catalogue(one)) <= set(catalogue(tmp_path / "run"))


def test_folder_against_collection_end_to_end(
    halocline: Callable[..., Any], results: Callable[..., Path], tmp_path: Path
) -> None:
    array = np.linspace(0.0, 1.0, 15).reshape(3, 5)
    results("run/variables.L0.cycles=25.h5", p_variables_result_L0=array + 1e-14)
    reference = results(
        "result.h5",
        **{"cycles=25/p_variables_result_L0": array, "cycles=25/rms": np.zeros(25)},
    )
    run = tmp_path / "run"
    assert halocline("compare", run, reference, "--tolerance", "1e-13", "--common").code == 0
    assert halocline("compare", run, reference, "--tolerance", "1e-13").code == 6
    assert halocline("compare", run, reference, "--tolerance", "1e-15", "--common").code == 6
    answer = halocline("compare", run, reference, "--common", "--json")
    assert answer.code == 6
    assert answer.data["only_b"] == ["cycles=25/rms"]
    (row,) = answer.data["data_sets"]
    assert row["key"] == "cycles=25/p_variables_result_L0"
    assert row["accepted"] is False
    assert 0.0 < row["max_abs"] < 2e-14


def test_a_folder_equals_its_copy_bit_by_bit(
    halocline: Callable[..., Any], results: Callable[..., Path], tmp_path: Path
) -> None:
    array = np.random.default_rng(1).normal(size=(50, 5))
    for name in ("a", "b"):
        results(f"{name}/variables.L0.cycles=5.h5", p_variables_result_L0=array)
    same = halocline("compare", tmp_path / "a", tmp_path / "b", "--bitwise")
    assert same.code == 0
    assert "same bits" in same.out


def test_single_files_pair_by_plain_names_when_their_cycles_differ(
    halocline: Callable[..., Any], results: Callable[..., Path]
) -> None:
    array = np.zeros((3, 5))
    first = results("variables.L0.cycles=5.h5", q=array)
    second = results("variables.L0.cycles=6.h5", q=array)
    assert halocline("compare", first, second).code == 0


@pytest.mark.parametrize("kind", ["missing", "empty folder", "not hdf5", "nothing shared"])
def test_input_that_cannot_be_compared_is_named(
    halocline: Callable[..., Any], results: Callable[..., Path], tmp_path: Path, kind: str
) -> None:
    good = results("good.h5", q=np.zeros(3))
    other = tmp_path / "other"
    if kind == "empty folder":
        other.mkdir()
    elif kind == "not hdf5":
        other.write_text("no")
    elif kind == "nothing shared":
        other = results("other.h5", r=np.zeros(3))
    failed = halocline("compare", good, other)
    assert failed.code == 3
    assert str(other) in failed.err
    assert len(failed.err.splitlines()) == 1


def test_two_runs_in_one_folder_are_refused(
    halocline: Callable[..., Any], results: Callable[..., Path], tmp_path: Path
) -> None:
    for prefix in ("a_", "b_"):
        results(f"run/{prefix}variables.L0.cycles=5.h5", q=np.zeros(3))
    failed = halocline("compare", tmp_path / "run", tmp_path / "run")
    assert failed.code == 3
    assert "twice" in failed.err


def test_memory_stays_flat(results: Callable[..., Path]) -> None:
    """A file of 80 MB is compared with a few slabs of 8 MB in memory."""
    import tracemalloc

    a = results("a.h5", q=np.zeros((2_000_000, 5)))
    b = results("b.h5", q=np.zeros((2_000_000, 5)))
    tracemalloc.start()
    found = measure("q", DataSet(a, "q"), DataSet(b, "q"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.bitwise_equal
    assert peak < 80e6


def test_fields_of_results_files_pair_by_step_level_and_name(
    halocline: Callable[..., Any], tmp_path: Path
) -> None:
    a = write_results(tmp_path / "a.vtkhdf", planned=5, done=3)
    b = write_results(tmp_path / "b.vtkhdf", planned=3, done=3, shift=0.5)
    answer = halocline("compare", a, b, "--json")
    assert answer.code == 6
    rows = {row["key"]: row for row in answer.data["data_sets"]}
    assert len(rows) == 9  # 3 steps of density and velocity, and of density on level 1
    assert rows["step=10/level_0/velocity"]["bitwise_equal"] is True
    worst = rows["step=10/level_0/density"]
    # x + 100 against x + 100.5: all 12 rows are 0.5 apart, the first counts, at (0, 0, 0).
    assert (worst["over"], worst["max_abs"], worst["row"]) == (12, 0.5, 0)
    assert worst["coordinates"] == [0.0, 0.0, 0.0]
    assert worst["max_rel"] == 0.5 / 100.5
    assert worst["l2"] == pytest.approx(0.5 * math.sqrt(12), rel=1e-15)
    assert halocline("compare", a, b, "--tolerance", "0.5").code == 0
    assert halocline("compare", a, b, "--relative", "0.5").code == 6  # 0 | 0.5 is 1 apart


def test_a_results_file_and_mgcfd_files_pair_by_fields(
    halocline: Callable[..., Any], tmp_path: Path
) -> None:
    a = write_results(tmp_path / "a.vtkhdf")
    conserved = np.zeros((12, 5))
    conserved[:, 0] = POINTS[:, 0] + 100
    with h5py.File(tmp_path / "variables.L0.cycles=10.h5", "w") as file:
        file["p_variables_result_L0"] = conserved
    answer = halocline("compare", a, tmp_path / "variables.L0.cycles=10.h5", "--common", "--json")
    assert answer.code == 0
    assert [row["key"] for row in answer.data["data_sets"]] == ["step=10/level_0/density"]


@pytest.fixture
def numbered_twice(tmp_path: Path) -> tuple[Path, Path, np.ndarray]:
    """Two mesh files of the same 60 nodes, and the row of the second for each of the first."""
    random = np.random.default_rng(7)
    points = random.normal(size=(60, 3))
    new = random.permutation(60)
    names = (tmp_path / "a-mesh.h5", tmp_path / "b-mesh.h5")
    shuffled = np.empty_like(points)
    shuffled[new] = points
    for name, stored in zip(names, (points, shuffled), strict=True):
        with h5py.File(name, "w") as file:
            file["node_coordinates"] = stored
    return (*names, new)


@pytest.mark.parametrize("rounding", [0.0, 1e-13])
@pytest.mark.parametrize("chunks", [None, (7, 5)])
def test_other_numbers_of_nodes_are_matched_by_their_places(
    halocline: Callable[..., Any],
    tmp_path: Path,
    numbered_twice: tuple[Path, Path, np.ndarray],
    rounding: float,
    chunks: tuple[int, int] | None,
) -> None:
    mesh_a, mesh_b, new = numbered_twice
    with h5py.File(mesh_b, "r+") as file:
        file["node_coordinates"][...] += rounding
    values = np.random.default_rng(8).normal(size=(60, 5))
    other = np.empty_like(values)
    other[new] = values
    other[new[17], 3] += 0.25
    for name, stored in (("a", values), ("b", other)):
        with h5py.File(tmp_path / f"{name}.h5", "w") as file:
            file.create_dataset("p_variables_result_L0", data=stored, chunks=chunks)
    files = (tmp_path / "a.h5", tmp_path / "b.h5")
    answer = halocline("compare", *files, "--mesh-a", mesh_a, "--mesh-b", mesh_b, "--json")
    (row,) = answer.data["data_sets"]
    assert (row["differing"], row["row"], row["column"]) == (1, 17, 3)
    with h5py.File(mesh_a) as file:
        assert row["coordinates"] == file["node_coordinates"][17].tolist()
    assert halocline("compare", *files).code == 6
    assert halocline("compare", *files, "--mesh-a", mesh_a).code == 2


def test_meshes_with_other_nodes_are_refused(
    halocline: Callable[..., Any],
    results: Callable[..., Path],
    numbered_twice: tuple[Path, Path, np.ndarray],
) -> None:
    mesh_a, mesh_b, _ = numbered_twice
    with h5py.File(mesh_b, "r+") as file:
        file["node_coordinates"][3] += 0.01
    file = results("a.h5", q=np.zeros((60, 1)))
    failed = halocline("compare", file, file, "--mesh-a", mesh_a, "--mesh-b", mesh_b)
    assert failed.code == 3
    assert "do not have the same nodes" in failed.err


def test_the_page_has_a_histogram_and_a_map(halocline: Callable[..., Any], tmp_path: Path) -> None:
    a = write_results(tmp_path / "a.vtkhdf")
    b = write_results(tmp_path / "b.vtkhdf", shift=0.5)
    page = tmp_path / "page.html"
    assert halocline("compare", a, b, "--html", page).code == 6
    text = page.read_text()
    assert "12 values differ by 1e-1 to 1e0" in text
    assert "row 0: 0.5" in text
    assert "x to the right, y upwards" in text
    assert "step=15/level_1/density" in text
    assert halocline("compare", a, a, "--html", page).code == 0
    assert "Equal" in page.read_text()


def test_runs_compare_in_python(tmp_path: Path) -> None:
    from halocline.compare import compare

    from halocline import open as open_run

    a = open_run(write_results(tmp_path / "a.vtkhdf"))
    b = open_run(write_results(tmp_path / "b.vtkhdf", shift=1e-3))
    assert compare(a, a, Limits(bitwise=True)).equal
    assert not compare(a, b).equal
    assert compare(a, b, Limits(absolute=2e-3)).equal


def test_runs_of_one_folder_compare_by_their_prefixes(
    halocline: Callable[..., Any], tmp_path: Path, write_variables: Callable[..., None]
) -> None:
    for prefix, pressure in (("a.", 1.0), ("b.", 2.0)):
        write_variables(tmp_path / f"{prefix}variables.L0.cycles=5.h5", np.full(4, pressure))
    assert halocline("compare", tmp_path / "a.", tmp_path / "a.").code == 0
    answer = halocline("compare", tmp_path / "a.", tmp_path / "b.", "--json")
    rows = {row["key"]: row["max_abs"] for row in answer.data["data_sets"]}
    # Energy is pressure / 0.4: 2.5 against 5.
    assert rows["step=5/level_0/energy"] == 2.5
    assert rows["step=5/level_0/density"] == 0.0
