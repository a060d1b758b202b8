# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline run` with a stand-in for the native program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def flags(seen: Path) -> list[str]:
    return json.loads(seen.read_text())["words"]


def test_a_run_passes_the_case_on_and_ends_with_a_table(
    halocline: Callable[..., Any], stand_in: Path, case_file: Path
) -> None:
    done = halocline("run", case_file)
    assert done.code == 0, done.err
    output = case_file.parent / "output"
    assert flags(stand_in) == [str(case_file), "--threads", "1"]
    assert "halocline-solve on 1 rank" in done.err
    assert "stand-in at work" in done.out
    for text in ("1,000,000 nodes", "flux_edge", "% of triad", str(output / "record.json")):
        assert text in done.out
    # 45 MB in 0.3 s; 0.2 s of these were not waited for.
    assert "45.0 MB in 2 files and checkpoints at 150 MB/s, slowest rank 1" in done.out
    assert "0.30 s of writing, 0.20 s of them (67 %) behind loops" in done.out


def test_every_setting_reaches_the_program_as_it_was_given(
    halocline: Callable[..., Any], stand_in: Path, case_file: Path
) -> None:
    settings = ["--set", "solver.legacy_mode=true", "--set", "parallel.partitioner=block"]
    settings += ["--set", "output.prefix=a_", "--set", "solver.cycles=4"]
    done = halocline("run", case_file, *settings)
    assert done.code == 0, done.err
    assert flags(stand_in) == [str(case_file), *settings, "--threads", "1"]
    assert (case_file.parent / "output" / "a_record.json").is_file()


@pytest.mark.usefixtures("stand_in")
def test_the_record_learns_the_case_and_its_hash(
    halocline: Callable[..., Any], case_file: Path
) -> None:
    done = halocline("run", case_file, "--json")
    assert done.code == 0, done.err
    case = done.data["record"]["case"]
    resolved = (case_file.parent / "output" / "case.resolved.toml").read_text()
    assert case["file"] == str(case_file)
    assert case["hash"] in resolved
    assert json.loads((case_file.parent / "output" / "record.json").read_text())["case"] == case


def test_a_dry_run_shows_the_command_and_changes_nothing(
    halocline: Callable[..., Any], stand_in: Path, case_file: Path
) -> None:
    before = sorted(case_file.parent.rglob("*"))
    shown = halocline("run", case_file, "--dry-run")
    assert shown.code == 0
    assert "OMP_NUM_THREADS=1" in shown.out
    assert f"halocline-solve {case_file} --threads 1" in shown.out
    assert sorted(case_file.parent.rglob("*")) == before
    data = halocline("run", case_file, "--dry-run", "--json").data
    assert (data["ranks"], data["threads"]) == (1, 1)
    assert not stand_in.exists()


@pytest.mark.parametrize(("code", "expected"), [(3, 3), (4, 4), (5, 5), (75, 75), (1, 5)])
@pytest.mark.usefixtures("stand_in")
def test_the_exit_code_of_the_program_is_ours(
    halocline: Callable[..., Any],
    case_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    code: int,
    expected: int,
) -> None:
    monkeypatch.setenv("STAND_IN_CODE", str(code))
    failed = halocline("run", case_file)
    assert failed.code == expected
    assert (f"code {code}" in failed.err) is (code != 75)


@pytest.mark.usefixtures("stand_in")
def test_a_run_that_stopped_early_says_how_to_go_on(
    halocline: Callable[..., Any], case_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_CODE", "75")
    stopped = halocline("run", case_file, "--set", "solver.cycles=9", "--restart", "auto")
    assert stopped.code == 75
    words = f"halocline run {case_file} --set solver.cycles=9 --restart auto"
    assert stopped.err.endswith(f"halocline: stopped early. Go on with: {words}\n")


@pytest.mark.usefixtures("stand_in")
def test_an_old_record_does_not_pass_for_a_new_one(
    halocline: Callable[..., Any], case_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert halocline("run", case_file).code == 0
    monkeypatch.setenv("STAND_IN_RECORD", "no")
    failed = halocline("run", case_file)
    assert failed.code == 5
    assert "record.json" in failed.err


@pytest.mark.mpi
@pytest.mark.skipif(shutil.which("mpirun") is None, reason="no mpirun; `make test` installs one")
@pytest.mark.usefixtures("stand_in")
def test_two_ranks_run_under_mpirun_and_pass_their_code_on(
    halocline: Callable[..., Any], case_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert halocline("run", case_file, "--set", "parallel.ranks=2").code == 0
    monkeypatch.setenv("STAND_IN_CODE", "3")
    assert halocline("run", case_file, "--set", "parallel.ranks=2").code == 3


@pytest.mark.usefixtures("stand_in")
def test_a_missing_mesh_without_recipe_names_file_and_keys(
    halocline: Callable[..., Any], case_file: Path
) -> None:
    failed = halocline("run", case_file, "--set", "mesh.directory=nowhere")
    assert failed.code == 3
    assert "nowhere/input.dat" in failed.err
    assert "[mesh.make]" in failed.err


@pytest.mark.usefixtures("stand_in")
def test_a_missing_mesh_with_a_recipe_is_made_first(
    halocline: Callable[..., Any], case_file: Path
) -> None:
    recipe = ("--set", "mesh.directory=made", "--set", "mesh.make.shape=box")
    recipe += ("--set", "mesh.make.nodes=200", "--set", "mesh.make.levels=1")
    done = halocline("run", case_file, *recipe)
    assert done.code == 0, done.err
    assert (case_file.parent / "made" / "input.dat").is_file()
    assert halocline("run", case_file, *recipe).code == 0
    failed = halocline("run", case_file, *recipe, "--set", "mesh.make.nodes=300")
    assert failed.code == 3
    assert "nodes" in failed.err


def test_no_program_is_an_environment_error(
    halocline: Callable[..., Any], case_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALOCLINE_BIN", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    failed = halocline("run", case_file)
    assert failed.code == 4
    assert "make build" in failed.err


@pytest.mark.usefixtures("stand_in")
def test_an_output_folder_that_cannot_be_is_named(
    halocline: Callable[..., Any], case_file: Path
) -> None:
    (case_file.parent / "blocked").write_text("a file")
    failed = halocline("run", case_file, "--set", "output.directory=blocked/results")
    assert failed.code == 3
    assert "output.directory" in failed.err


def test_the_case_schema_is_json(halocline: Callable[..., Any]) -> None:
    assert "MgcfdSolver" in halocline("run", "--schema").data["$defs"]


def test_a_signal_reaches_the_program_which_stops_early(tmp_path: Path, case_file: Path) -> None:
    started = tmp_path / "started"
    program = tmp_path / "halocline-solve"
    program.write_text(
        f"#!/bin/sh\ntrap 'exit 75' TERM\n: > {started}\nwhile :; do sleep 0.05; done\n"
    )
    program.chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, "-m", "halocline", "run", str(case_file)],
        env={**os.environ, "HALOCLINE_BIN": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while not started.exists() and process.poll() is None:
            time.sleep(0.02)
        process.terminate()
        _, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 75
    assert "stopped early. Go on with: halocline run" in errors


def test_a_case_that_looks_like_an_option_reaches_the_program_as_a_path(
    halocline: Callable[..., Any],
    stand_in: Path,
    case_file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(case_file.parent)
    case_file.rename("-case.toml")
    assert halocline("run", "--", "-case.toml").code == 0
    assert flags(stand_in)[0] == "./-case.toml"
