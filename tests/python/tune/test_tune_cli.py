# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline tune` on programs compiled here: a wrong default, nothing to gain, bad input."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from halocline.errors import MissingEnvironmentError
from halocline.preload import Family, tool_library
from halocline.tune.bench import bench_program

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(600)]

# Arguments: function, calls, bytes a rank sends. The time is that of the calls alone.
SOURCE = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
    int rank, size, calls = atoi(argv[2]), bytes = atoi(argv[3]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *from = calloc(bytes, size), *to = calloc(bytes, size);
    from[0] = rank + 1;
    double begin = MPI_Wtime();
    for (int k = 0; k < calls; ++k)
        if (!strcmp(argv[1], "bcast")) MPI_Bcast(from, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        else MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
    double elapsed = MPI_Wtime() - begin;
    if (rank == 0) printf("result %d %d\\ntime %.6f s\\n", from[0], to[0], elapsed);
    MPI_Finalize();
    return 0;
}
"""
TUNE = [sys.executable, "-m", "halocline", "tune"]
PATTERNS = ["--result", "result .*", "--time", r"time (\S+)"]


@dataclass(frozen=True)
class Job:
    """A program and how it is launched on two ranks."""

    family: Family
    launch: list[str]
    program: str

    def line(self, *words: object) -> list[str]:
        """The launch line."""
        return [*self.launch, self.program, *map(str, words)]


@pytest.fixture(scope="module", params=list(Family))
def job(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Job:
    """The program, built with each family that is installed."""
    family: Family = request.param
    compiler, launcher = shutil.which(f"mpicc.{family}"), shutil.which(f"mpirun.{family}")
    if compiler is None or launcher is None:
        pytest.skip(f"{family.label} is not installed; `make test` installs it")
    try:
        tool_library("snapshot", family)
        bench_program(family)
    except MissingEnvironmentError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp(f"tune-{family}")
    (folder / "main.c").write_text(SOURCE)
    subprocess.run([compiler, "-O1", str(folder / "main.c"), "-o", str(folder / "app")], check=True)
    options = ["--oversubscribe", "--bind-to", "none"] if family is Family.OPENMPI else []
    return Job(family, [launcher, "-n", "2", *options], str(folder / "app"))


def _wrong_default(job: Job, folder: Path) -> tuple[dict[str, str], list[str]]:
    """Settings of a user that make a collective slow, and the program that suffers from them."""
    if job.family is Family.OPENMPI:
        file = folder / "params.conf"  # segments of 64 bytes
        file.write_text(
            "coll_tuned_use_dynamic_rules = 1\ncoll_tuned_bcast_algorithm = 6\n"
            "coll_tuned_bcast_algorithm_segmentsize = 64\n"
        )
        return {"OMPI_MCA_mca_base_param_files": str(file)}, job.line("bcast", 20, 65536)
    # Bruck's algorithm copies long messages more often than it has to.
    return {"MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM": "brucks"}, job.line("alltoall", 300, 1 << 20)


def _tune(folder: Path, words: list[str], *options: str) -> tuple[int, dict[str, Any], str]:
    """Run the command in a process of its own; return code, report and notes."""
    done = subprocess.run(
        [*TUNE, "--json", "-o", str(folder), *options, "--", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, json.loads(done.stdout) if done.stdout else {}, done.stderr


@pytest.mark.slow
def test_a_wrong_default_is_found_proved_and_applied(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, halocline: Callable[..., Any]
) -> None:
    variables, words = _wrong_default(job, tmp_path)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "tune"
    code, report, notes = _tune(folder, words, "--no-parameters", *PATTERNS)
    assert code == 0, notes
    assert report["decision"], report["reason"]
    assert report["proof"]["gain"]["ratio"] < 0.8
    assert report["proof"]["compared_results"]
    (ruling,) = report["rulings"]
    assert ruling["function"] == ("MPI_Bcast" if job.family is Family.OPENMPI else "MPI_Alltoall")
    assert ruling["members"] == 2
    shown = halocline("tune", "--apply", str(folder), "--dry-run", "--", *words)
    assert shown.code == 0
    applied = subprocess.run(
        [sys.executable, "-m", "halocline", "tune", "--apply", str(folder), "--", *words],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "result 1" in applied.stdout
    page = (folder / "tune.html").read_text()
    assert "less time" in page
    assert "<script" not in page


@pytest.mark.slow
def test_nothing_to_gain_is_no_decision(job: Job, tmp_path: Path) -> None:
    words = job.line("bcast", 50, 8)
    code, report, notes = _tune(tmp_path / "tune", words, "--runs", "10", "--pairs", "9")
    assert code == 0, notes
    assert not report["decision"]
    assert report["reason"]
    assert not (tmp_path / "tune" / "rules.json").exists()


@pytest.mark.slow
def test_a_killed_tuning_goes_on_where_it_was(job: Job, tmp_path: Path) -> None:
    folder = tmp_path / "tune"
    words = job.line("bcast", 50, 8)
    options = [
        "--no-collectives",
        "--no-parameters",
        "--try",
        "UCX_X=1",
        "--pairs",
        "9",
        "--runs",
        "2",
    ]
    command = [*TUNE, "-o", str(folder), *options, "--", *words]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    journal = folder / "journal.jsonl"
    for _ in range(600):
        if journal.exists() and journal.read_text().count("\n") > 5:
            break
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = journal.read_text()
    before = before[: before.rfind("\n") + 1]
    code, _, notes = _tune(folder, words, *options)
    assert code == 0, notes
    assert "going on where" in notes
    after = journal.read_text()
    assert after.startswith(before)
    names = [json.loads(line).get("name") for line in after.splitlines()]
    assert len(names) == len(set(names))


def test_rules_of_another_library_are_refused(
    job: Job, tmp_path: Path, halocline: Callable[..., Any]
) -> None:
    rules = {
        "schema": "halocline.tune-rules",
        "schema_version": 1,
        "made_by": "x",
        "made": "x",
        "family": job.family.value,
        "library": "Another MPI 9",
        "command": [],
        "ranks": 2,
        "environment": {},
        "gain": {
            "ratio": 0.5,
            "low": 0.4,
            "high": 0.6,
            "error_rate": 0.01,
            "pairs": 12,
            "noise": 0.01,
        },
    }
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(rules))
    refused = halocline("tune", "--apply", str(file), "--", *job.line("bcast", 1, 8))
    assert refused.code == 2
    assert "Another MPI 9" in refused.err
    assert "Tune again" in refused.err


def test_a_program_that_fails_is_told_with_its_last_words(
    job: Job, tmp_path: Path, halocline: Callable[..., Any]
) -> None:
    failed = halocline(
        "tune",
        "-o",
        str(tmp_path / "t"),
        "--result",
        "no such words",
        "--",
        *job.line("bcast", 1, 8),
    )
    assert failed.code == 5
    assert "has nothing like 'no such words'" in failed.err
    assert "result 1" in failed.err  # its last words


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--pairs", "4"], "--pairs 4 are too few"),
        (["--error-rate", "0.9"], "--error-rate 0.9 makes no sense"),
        (["--time", "(("], "is not a regular expression"),
        (["--budget", "soon"], "--budget 'soon' must be like"),
        (["--try", "nonsense"], "no values"),
        (["--try", "mpi_yield_when_idel=1"], "Did you mean"),
        (["--budget", "1s", "--limit", "20s"], "a budget of 1 s is too small"),
    ],
)
def test_bad_options_get_a_sentence(
    options: list[str], words: str, tmp_path: Path, halocline: Callable[..., Any]
) -> None:
    launcher = shutil.which("mpirun.openmpi")
    compiler = shutil.which("mpicc.openmpi")
    if launcher is None or compiler is None:
        pytest.skip("Open MPI is not installed")
    (tmp_path / "main.c").write_text(SOURCE)
    subprocess.run([compiler, str(tmp_path / "main.c"), "-o", str(tmp_path / "app")], check=True)
    line = [launcher, "-n", "2", "--oversubscribe", str(tmp_path / "app"), "bcast", "1", "8"]
    refused = halocline(
        "tune", "-o", str(tmp_path / "t"), "--no-collectives", *options, "--", *line
    )
    assert refused.code == 2, refused.err
    assert words in refused.err
    assert not (tmp_path / "t" / "tune.json").exists()


def test_no_launch_line_is_told(halocline: Callable[..., Any]) -> None:
    refused = halocline("tune")
    assert refused.code == 2
    assert "no launch line given" in refused.err


def test_a_folder_without_a_decision_cannot_be_applied(
    tmp_path: Path, halocline: Callable[..., Any]
) -> None:
    refused = halocline("tune", "--apply", str(tmp_path), "--", "mpirun", "-n", "2", "./app")
    assert refused.code == 3
    assert "no rules.json" in refused.err


def test_results_of_another_tuning_are_not_removed(
    job: Job, tmp_path: Path, halocline: Callable[..., Any]
) -> None:
    folder = tmp_path / "t"
    folder.mkdir()
    head = {"format": "halocline.tune-journal", "version": 1, "identity": {"command": ["other"]}}
    lines = [head, {"name": "first run", "value": {}}]
    (folder / "journal.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (folder / "rules.json").write_text("{}")
    refused = halocline("tune", "-o", str(folder), "--", *job.line("bcast", 1, 8))
    assert refused.code == 3
    assert "journal of another tuning" in refused.err
    assert (folder / "rules.json").exists()
