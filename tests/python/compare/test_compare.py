# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Comparing result files: exactness, places, shapes, keys across file layouts."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import halocline.compare.difference as difference_module
import numpy as np
import pytest
from halocline.compare.catalogue import DataSet, catalogue
from halocline.compare.difference import Difference, measure


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


def apart(results: Callable[..., Path], a: np.ndarray, b: np.ndarray) -> Difference:
    first, second = results("a.h5", q=a), results("b.h5", q=b)
    return measure("q", DataSet(first, "q"), DataSet(second, "q"))


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
    assert found.within(0.25)
    assert not found.within(0.24)


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
    b = np.array([[1.0], [np.nextafter(2.0, 3.0)]])
    found = apart(results, a, b)
    assert found.max_abs == 2.0 * np.finfo(float).eps
    assert found.row == 1
    assert not found.within(0.0)


def test_minus_zero_is_equal_but_not_the_same_bits(results: Callable[..., Path]) -> None:
    found = apart(results, np.array([[0.0]]), np.array([[-0.0]]))
    assert not found.bitwise_equal
    assert found.within(0.0)
    assert not found.within(0.0, bitwise=True)


def test_nan_equals_nan_and_is_infinitely_far_from_a_number(results: Callable[..., Path]) -> None:
    same = apart(results, np.array([[np.nan, np.inf]]), np.array([[np.nan, np.inf]]))
    assert same.within(0.0)
    other = apart(results, np.array([[1.0, np.nan]]), np.array([[1.0, 2.0]]))
    assert math.isinf(other.max_abs)
    assert (other.row, other.column) == (0, 1)
    assert not other.within(1e300)


def test_columns_and_flat_arrays_are_the_same_shape_but_lengths_must_agree(
    results: Callable[..., Path],
) -> None:
    assert apart(results, np.zeros((4, 1)), np.zeros(4)).within(0.0)
    other = apart(results, np.zeros((4, 1)), np.zeros((3, 1)))
    assert not other.same_shape
    assert not other.within(1e300)


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
