# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline endpoints`, with programs compiled here, and its report."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.errors import MissingEnvironmentError
from halocline.preload import Family, tool_library

# MPI polls while it waits: on fewer cores than ranks, others on the machine multiply its times.
pytestmark = pytest.mark.timeout(300)

SOURCE = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double data[100000];
int main(int argc, char** argv) {
    int rank, level, calls = argc > 1 ? atoi(argv[1]) : 7, code = argc > 2 ? atoi(argv[2]) : 0;
    int count = argc > 3 ? atoi(argv[3]) : 5000;
    MPI_Init(&argc, &argv);
    MPI_Query_thread(&level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < count; ++i) data[i] = i;
    for (int k = 0; k < calls; ++k)
        MPI_Allreduce(MPI_IN_PLACE, data, count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int k = 0; k < 10; ++k) MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("last %g level %d\\n", data[count - 1], level == MPI_THREAD_SINGLE);
    MPI_Finalize();
    return code;
}
"""


@pytest.fixture(scope="module", params=list(Family))
def job(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A launch line on two ranks, of each family that is installed."""
    family: Family = request.param
    compiler, launcher = shutil.which(f"mpicc.{family}"), shutil.which(f"mpirun.{family}")
    if compiler is None or launcher is None:
        pytest.skip(f"{family.label} is not installed; `make test` installs it")
    try:
        tool_library("endpoints", family)
    except MissingEnvironmentError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp(f"job-{family}")
    (folder / "main.c").write_text(SOURCE)
    subprocess.run([compiler, str(folder / "main.c"), "-o", str(folder / "app")], check=True)
    options = ["--oversubscribe", "--bind-to", "none"] if family is Family.OPENMPI else []
    return [launcher, "-n", "2", *options, str(folder / "app")]


@pytest.fixture(autouse=True)
def memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The environment of all jobs; returns the folder of their memory."""
    monkeypatch.setenv("MEP_MEMORY", str(tmp_path / "memory"))
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("OMPI_MCA_mpi_yield_when_idle", "1")
    return tmp_path / "memory"


@pytest.mark.mpi
def test_every_call_is_split_when_told_so(halocline: Callable[..., Any], job: list[str]) -> None:
    done = halocline("endpoints", "--json", "--always", "--threads", 2, "--", *job, 7)
    assert done.code == 0
    row = done.data["rows"][0]
    assert (row["function"], row["calls"], row["split_calls"]) == ("Allreduce", 7, 7)
    assert row["bytes_from"] == 32768
    assert "last 4999" in done.err


@pytest.mark.mpi
def test_thresholds_keep_calls_plain(
    halocline: Callable[..., Any], job: list[str], tmp_path: Path
) -> None:
    config = tmp_path / "endpoints.toml"
    config.write_text("num_threads = 2\nallreduce_threshold = 5001\ncalibrate = false\n")
    report = tmp_path / "report.json"
    done = halocline("endpoints", "--config", config, "--report", report, "--", *job, 3)
    assert done.code == 0
    found = json.loads(report.read_text())
    assert found["rows"] == []
    assert found["passed_on"]["Allreduce"]["small"] == 3
    assert "no collective was long enough" in done.err


@pytest.mark.mpi
def test_the_first_run_only_watches(
    halocline: Callable[..., Any], job: list[str], memory: Path
) -> None:
    """100 000 doubles are watched, at the program's own level; every call that locks is counted."""
    done = halocline("endpoints", "--json", "--threads", 2, "--", *job, 7, 0, 100000)
    found = done.data
    assert (found["active"], found["watched"], found["raised"]) == (False, True, False)
    (row,) = found["rows"]
    assert (row["calls"], row["split_calls"], row["decision"]) == (7, 0, "watched")
    assert row["plain_s"] > 0.0
    assert found["mpi_calls"] == 7 + 10
    assert found["watched_s"] > 0.0
    (file,) = memory.iterdir()
    assert f"plan {found['next_run']}\n" in file.read_text()
    assert "only watched" in done.err
    assert "last 99999 level 1" in done.err


@pytest.mark.mpi
def test_short_calls_are_not_looked_at(halocline: Callable[..., Any], job: list[str]) -> None:
    found = halocline("endpoints", "--json", "--threads", 2, "--", *job, 7).data
    assert found["rows"] == []
    assert found["passed_on"]["Allreduce"]["small"] == 7
    assert found["next_run"] == "watch"


@pytest.mark.mpi
def test_what_is_remembered_decides(
    halocline: Callable[..., Any], job: list[str], memory: Path
) -> None:
    """`try` raises the level once; `plain` is final. The program never sees the higher level."""
    words = ("endpoints", "--json", "--threads", 2, "--", *job, 7, 0, 100000)
    halocline(*words)
    (file,) = memory.iterdir()
    head = file.read_text().partition("plan ")[0]
    file.write_text(head + "plan try\nwhy a test\n")
    tried = halocline(*words)
    assert (tried.data["active"], tried.data["raised"]) == (True, True)
    assert tried.data["next_run"] in ("split", "plain")
    assert f"plan {tried.data['next_run']}\n" in file.read_text()
    assert "level 1" in tried.err
    file.write_text(head + "plan plain\nwhy a test\n")
    after = halocline(*words).data
    assert (after["watched"], after["raised"], after["next_run"]) == (True, False, "plain")


@pytest.mark.mpi
def test_the_thread_level_can_be_given(
    halocline: Callable[..., Any], job: list[str], memory: Path
) -> None:
    """`multiple` may split in the first run, `own` never; neither is remembered."""
    for level, raised in (("multiple", True), ("own", False)):
        words = ("endpoints", "--json", "--threads", 2, "--thread-level", level)
        found = halocline(*words, "--", *job, 7, 0, 100000).data
        assert (found["active"], found["raised"]) == (raised, raised)
        assert (found["watched"], found["next_run"]) == (False, "")
    assert not memory.exists()


@pytest.mark.mpi
def test_one_endpoint_is_none(halocline: Callable[..., Any], job: list[str]) -> None:
    done = halocline("endpoints", "--json", "--threads", 1, "--", *job)
    assert done.data["active"] is False
    assert "one core a rank" in done.err


@pytest.mark.mpi
def test_the_exit_code_is_the_programs(halocline: Callable[..., Any], job: list[str]) -> None:
    assert halocline("endpoints", "--threads", 2, "--", *job, 1, 3).code == 3


def test_a_dry_run_shows_the_line(halocline: Callable[..., Any], job: list[str]) -> None:
    done = halocline("endpoints", "--dry-run", "--threads", 2, "--", *job)
    assert done.code == 0
    assert "libhalocline-endpoints-" in done.out
    assert "MEP_NUM_THREADS" in done.out


def test_mistakes_are_sentences(
    halocline: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert halocline("endpoints", "--threads", 65, "--", "true").code == 2
    assert "Did you mean '--threads'" in halocline("endpoints", "--thread", 2, "--", "true").err
    assert "--mpi openmpi" in halocline("endpoints", "--", "true").err
    monkeypatch.setenv("MEP_NUM_THREAD", "2")
    assert halocline("endpoints", "--mpi", "openmpi", "--", "true").code in (2, 4)
