# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is in the files a run leaves, and validation against stored solutions."""

from __future__ import annotations

import csv
from pathlib import Path

import h5py
import numpy as np
import pytest
from halocline.compare import MGCFD_RULE, compare
from mgcfd_support import Run, make_box, result, run


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A two-level box in the working directory: 60 and 12 nodes."""
    return make_box(tmp_path / "case")


def ok(done: Run) -> Run:
    """Fails with the program's own words."""
    assert done.code == 0, done.err
    return done


@pytest.mark.parametrize("ranks", [1, 3])
def test_all_three_outputs_together_have_their_names_shapes_and_attributes(
    case: Path, ranks: int
) -> None:
    ok(
        run(
            case,
            "-g",
            "2",
            "--output-variables",
            "--output-fluxes",
            "--output-step-factors",
            ranks=ranks,
        )
    )
    for level, nodes in ((0, 60), (1, 12)):
        for what, columns in (("variables", 5), ("fluxes", 5), ("step_factors", 1)):
            with h5py.File(case / f"{what}.L{level}.cycles=2.h5") as file:
                assert list(file) == [f"p_{what}_result_L{level}"]
                dataset = file[f"p_{what}_result_L{level}"]
                assert dataset.shape == (nodes, columns)
                assert dataset.dtype == np.float64
                assert list(dataset.attrs["size"]) == [8 * columns]
                assert list(dataset.attrs["dim"]) == [columns]
                assert dataset.attrs["type"] in (b"double", "double")


def test_fluxes_are_zero_after_an_update(case: Path) -> None:
    ok(run(case, "-g", "2", "--output-fluxes"))
    assert not result(case, "fluxes.L0.cycles=2.h5").any()


def test_flow_files_are_written_before_the_correction(case: Path) -> None:
    ok(run(case, "-g", "4", "-I", "2", "--output-variables"))
    with h5py.File(case / "variables.L0.cycle=2.h5") as file:
        assert list(file) == ["p_variables"]
    assert sorted(path.name for path in case.glob("*.cycle=*")) == [
        "variables.L0.cycle=2.h5",
        "variables.L0.cycle=4.h5",
    ]
    flow = result(case, "variables.L0.cycle=4.h5")
    final = result(case, "variables.L0.cycles=4.h5")
    assert flow.shape == final.shape == (60, 5)
    assert (flow != final).any()


def test_flow_of_one_level_is_the_final_state(tmp_path: Path) -> None:
    case = make_box(tmp_path / "case", levels=1)
    ok(run(case, "-g", "3", "--output-flow-interval", "3", "--output-variables"))
    assert (
        result(case, "variables.L0.cycle=3.h5") == result(case, "variables.L0.cycles=3.h5")
    ).all()


def test_an_interval_longer_than_the_run_writes_nothing(case: Path) -> None:
    assert ok(run(case, "-g", "2", "-I", "3")).files() == set()


def test_output_times_are_appended(case: Path) -> None:
    ok(run(case, "-g", "2", "-I", "1", "-m", "ptscotch"))
    ok(run(case, "-g", "1", "-m", "block"))
    with (case / "P=0.FileIoTimes.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["partitioner"] for row in rows] == ["ptscotch-kway", "block-none"]
    assert [row["numberOfWrites"] for row in rows] == ["2", "0"]
    assert [row["writeInterval"] for row in rows] == ["1", "0"]
    assert all(float(row["wallTime"]) > 0.0 for row in rows)


def test_an_older_result_is_replaced(case: Path) -> None:
    name = "variables.L0.cycles=1.h5"
    (case / name).write_text("an older file")
    ok(run(case, "-g", "1", "--output-variables"))
    assert result(case, name).shape == (60, 5)


def test_record_names_files_levels_and_loops(case: Path) -> None:
    record = ok(run(case, "-g", "2", "--output-variables", ranks=2)).record()
    assert [level["nodes"] for level in record["mesh"]["levels"]] == [60, 12]
    assert len(record["io"]["files"]) == 2
    assert record["io"]["bytes"] == (60 + 12) * 5 * 8
    assert record["layout"]["ranks"] == 2
    assert record["halo"]["exchanges"] > 0
    assert record["halo"]["messages"] > 0
    calls = {(loop["name"], loop["level"]): loop["calls"] for loop in record["loops"]}
    assert calls[("flux_stage_1", 0)] == 2
    assert calls[("flux_stage_1", 1)] == 2


# --- validation ---------------------------------------------------------------------------------


def write_solution(case: Path) -> None:
    """Stores the result of two cycles as the solution that -v compares with."""
    ok(run(case, "-g", "2", "-o", "solution.", "--output-variables"))


@pytest.mark.parametrize("flag", ["-v", "--validate", "--validate-result"])
@pytest.mark.parametrize("ranks", [1, 2])
def test_validation_passes_on_its_own_result(case: Path, flag: str, ranks: int) -> None:
    write_solution(case)
    done = ok(run(case, flag, "-g", "2", ranks=ranks))
    assert "Validation passed" in done.out
    assert done.record()["results"]["validation"]["passed"] is True


@pytest.mark.parametrize("ranks", [1, 2])
def test_validation_fails_on_one_wrong_value(case: Path, ranks: int) -> None:
    write_solution(case)
    with h5py.File(case / "solution.variables.L1.cycles=2.h5", "r+") as file:
        file["p_variables_result_L1"][7, 4] *= 1.0 + 2e-7
    done = run(case, "-v", "-g", "2", "--output-variables", ranks=ranks)
    assert done.code == 6
    assert "Validation of MG level 1 failed: 1 incorrect values" in done.out
    assert "Validation passed" not in done.out
    assert done.record()["status"]["exit_code"] == 6
    assert "variables.L0.cycles=2.h5" in done.files()  # the results one needs to find out why


def test_validation_takes_differences_below_its_tolerance(case: Path) -> None:
    write_solution(case)
    with h5py.File(case / "solution.variables.L0.cycles=2.h5", "r+") as file:
        file["p_variables_result_L0"][...] *= 1.0 + 5e-8
    ok(run(case, "-v", "-g", "2"))


def spoiled_solution(case: Path) -> None:
    """A solution that is off on level 0: small and large differences, equal ones, a NaN."""
    write_solution(case)
    random = np.random.default_rng(5)
    with h5py.File(case / "solution.variables.L0.cycles=2.h5", "r+") as file:
        values = file["p_variables_result_L0"][...]
        values *= 1.0 + 10.0 ** random.uniform(-12.0, -5.0, values.shape)
        values[::3] = result(case, "solution.variables.L0.cycles=2.h5")[::3]
        values[13, 2] += 0.25
        file["p_variables_result_L0"][...] = values
    with h5py.File(case / "solution.variables.L1.cycles=2.h5", "r+") as file:
        file["p_variables_result_L1"][7, 4] = np.nan


@pytest.mark.parametrize("ranks", [1, 3])
def test_validation_measures_what_compare_measures(case: Path, ranks: int) -> None:
    spoiled_solution(case)
    done = run(case, "-v", "-g", "2", "--output-variables", ranks=ranks)
    assert done.code == 6
    validation = done.record()["results"]["validation"]
    for level, mine in enumerate(validation["differences"]):
        name = f"variables.L{level}.cycles=2.h5"
        comparison = compare(case / name, case / f"solution.{name}", MGCFD_RULE)
        (found,) = comparison.differences
        theirs = found.as_json()
        assert mine["over"] == theirs["over"] == validation["bad_values"][level]
        # The same operations on the same doubles; JSON has null where numbers are not finite.
        for key in ("values", "differing", "max_abs", "max_rel", "row", "column", "a_at", "b_at"):
            expected = theirs.get(key)
            assert mine[key] == (None if isinstance(expected, str) else expected), key
        if level == 0:
            # Sums of n squares in another order are at most n eps apart, relative.
            bound = mine["values"] * np.finfo(float).eps
            assert mine["l2"] == pytest.approx(theirs["l2"], rel=bound)
            assert mine["l2_relative"] == pytest.approx(theirs["l2_relative"], rel=bound)
            assert (mine["row"], mine["column"]) == (13, 2)
        assert not comparison.equal
    with h5py.File(case / "mesh.L0.h5") as mesh:
        place = mesh["node_coordinates"][13].tolist()
    assert validation["differences"][0]["coordinates"] == place
    assert f"largest: row 13, component 2 at ({place[0]:.4g}, " in done.out


def test_validation_and_compare_draw_the_same_line(case: Path) -> None:
    write_solution(case)
    name = "variables.L0.cycles=2.h5"
    for factor, equal in ((1.0 + 0.9e-7, True), (1.0 + 1.1e-7, False)):
        with h5py.File(case / f"solution.{name}", "r+") as file:
            file["p_variables_result_L0"][3, 4] *= factor
        done = run(case, "-v", "-g", "2", "--output-variables")
        assert done.code == (0 if equal else 6)
        assert compare(case / name, case / f"solution.{name}", MGCFD_RULE).equal is equal
        write_solution(case)


def test_validation_reads_solutions_beside_the_input(case: Path, tmp_path: Path) -> None:
    write_solution(case)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    ok(run(elsewhere, "-d", str(case), "-v", "-g", "2"))


@pytest.mark.parametrize("ranks", [1, 3])
def test_a_missing_solution_is_one_sentence(case: Path, ranks: int) -> None:
    done = run(case, "-v", "-g", "2", ranks=ranks)
    assert done.code == 3
    assert len(done.messages) == 1
    assert "solution.variables.L0.cycles=2.h5" in done.messages[0]
