# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Studies whose runs are batch jobs: here without a scheduler, and on a Slurm of two nodes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Write = Callable[..., Path]
LOCAL = '[submit]\nscheduler = "local"\n'


def result(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "study" / "study.json").read_text())
    return found


def test_jobs_without_a_scheduler_tell_the_same(
    halocline: Run, study_file: Write, tmp_path: Path
) -> None:
    change = {"most = 8": "most = 6\njobs = 2", "noise_rounds = 2": "noise_rounds = 0"}
    file = study_file(LOCAL + '[vary]\nlevel = [1.0, 0.8]\nfault = ["none", "fails"]', **change)
    file.write_text("exclude = [\"fault == 'fails' and level < 1\"]\n" + file.read_text())
    done = halocline("study", file)
    assert done.code == 0, done.err
    points = {point["label"]: point for point in result(tmp_path)["points"]}
    assert points["level = 0.8"]["comparison"]["verdict"] == "faster"
    assert points["fault = fails"]["why"] == "it ended with code 1"
    assert "cannot go on" in points["fault = fails"]["last_lines"]
    assert points["base"]["medians"]["wall"] > 0.0


@pytest.fixture
def short_study(study_file: Write) -> Path:
    """A trial and 6 rounds of the base and its twin."""
    return study_file(LOCAL, **{"most = 8": "most = 6", "noise_rounds = 2": "noise_rounds = 0"})


def test_a_killed_driver_waits_for_its_jobs_and_submits_none_twice(
    short_study: Path, tmp_path: Path, runs_made: Callable[[], int]
) -> None:
    words = [sys.executable, "-m", "halocline", "study", str(short_study)]
    for _ in range(3):
        before = runs_made()
        process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        while runs_made() <= before and process.poll() is None:
            time.sleep(0.01)
        process.kill()
        process.wait()
    assert subprocess.run(words, capture_output=True, check=False).returncode == 0
    assert runs_made() == result(tmp_path)["runs"] == 1 + 12


def driver_killed(where: str, file: Path) -> int:
    """Run a study whose driver dies in a function of the submission, as by SIGKILL."""
    code = (
        "import os, sys\n"
        "from halocline.cli import app\n"
        "from halocline.submit import submission\n"
        "from halocline.submit.schedulers.local import Local\n"
        f"{where} = lambda *_: os._exit(9)\n"
        f"app.main(['study', {str(file)!r}])\n"
    )
    return subprocess.run([sys.executable, "-c", code], check=False).returncode


def test_a_job_that_began_but_has_no_file_is_not_submitted_again(
    halocline: Run, short_study: Path, tmp_path: Path, runs_made: Callable[[], int]
) -> None:
    assert driver_killed("submission._remember", short_study) == 9
    while runs_made() < 1:
        time.sleep(0.01)
    assert not list(tmp_path.rglob("*.job.json"))
    done = halocline("study", short_study)
    assert done.code == 0, done.err
    assert runs_made() == result(tmp_path)["runs"] == 1 + 12


def test_a_job_that_begins_after_it_was_submitted_again_runs_nothing(
    halocline: Run, short_study: Path, tmp_path: Path, runs_made: Callable[[], int]
) -> None:
    assert driver_killed("Local.submit", short_study) == 9
    (script,) = tmp_path.rglob("*.job.sh")
    in_the_queue = tmp_path / "script of the queue"  # schedulers keep a copy
    shutil.copy(script, in_the_queue)
    done = halocline("study", short_study)
    assert done.code == 0, done.err
    assert subprocess.run(["bash", in_the_queue], capture_output=True, check=False).returncode == 4
    assert runs_made() == result(tmp_path)["runs"] == 1 + 12


def test_arrays_of_a_scheduler_without_them_are_refused_before_any_run(
    halocline: Run, study_file: Write, runs_made: Callable[[], int]
) -> None:
    file = study_file(LOCAL, **{"most = 8": "most = 6\narrays = true"})
    done = halocline("study", file)
    assert done.code == 3, done.err
    assert "no arrays of jobs of 'local'" in done.err
    assert runs_made() == 0


@pytest.mark.timeout(600)
@pytest.mark.parametrize("arrays", ["false", "true"])
def test_the_same_study_runs_on_two_nodes_of_a_slurm(
    halocline: Run, slurm: Any, tmp_path: Path, arrays: str
) -> None:
    if shutil.which("mpicc") is None:
        pytest.skip("mpicc is missing")
    source = tmp_path / "hosts.c"
    source.write_text(
        "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
        "int main(int argc, char** argv) { int size, rank; MPI_Init(&argc, &argv);\n"
        "MPI_Comm_size(MPI_COMM_WORLD, &size); MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
        'if (rank == 0) printf("ranks = %d\\ntime = %g s\\n", size, 1.0 / size);\n'
        "return MPI_Finalize(); }\n"
    )
    subprocess.run(["mpicc", "-o", tmp_path / "hosts", source], check=True)
    settings = ["1", "2"] if arrays == "true" else ["1"]  # tasks of an array, or jobs by themselves
    (tmp_path / "study.toml").write_text(
        f"""
[program]
command = "./hosts"
[vary]
env.SETTING = {settings}
[scaling]
strong = ["1x1x1", "1x2x1", "2x2x1"]
[run]
noise_rounds = 0
most = 2
least = 2
confidence = 0.6
twins = false
jobs = 2
arrays = {arrays}
[submit]
site = "{slurm.site}"
time = "2m"
[measure]
by = "time"
snapshot = "never"
[measure.patterns.time]
pattern = 'time = (\\S+) s'
unit = "s"
[measure.patterns.ranks]
pattern = 'ranks = (\\d+)'
unit = "1"
"""
    )
    done = halocline("study", tmp_path / "study.toml")
    assert done.code == 0, done.err
    points = result(tmp_path)["points"]
    scales = [point["scale"] for point in points]
    count = len(settings)
    assert scales == count * ["1 rank"] + count * ["2 ranks"] + count * ["2 hosts, 2 ranks"]
    assert [point["medians"]["ranks"] for point in points] == count * [1.0] + 2 * count * [2.0]
    assert points[2 * count]["speed_up"]["value"] == pytest.approx(2.0)
    # Points of one scale ask for the same: three arrays a round, one of two hosts.
    scripts = sorted((tmp_path / "study" / "jobs" / "arrays").glob("*round-000*.array.sh"))
    assert len(scripts) == (3 if arrays == "true" else 0)
