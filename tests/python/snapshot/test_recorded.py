# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reports of real runs: imbalance known by construction, every way to end, both MPI libraries."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from halocline.preload import Family

sys.path.append(str(Path(__file__).parents[2] / "support"))

from mpi_builds import AS_ROOT, recorded_build
from preloads import JUMPING_CLOCK, make_preload

PROGRAMS = Path(__file__).parent / "programs"
# Programs in virtual time: what is recorded there is known to the nanosecond.
VIRTUAL = Path(__file__).parents[2] / "tools" / "snapshot" / "programs"
LIMIT_S = 250
Run = Callable[..., tuple[int, dict[str, Any]]]

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]


@pytest.fixture(params=list(Family), ids=str)
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """Builds a program with one MPI library, records it; returns exit code and report."""
    build = recorded_build(request.param)

    def compiled(name: str) -> Path:
        program = tmp_path / name
        source = PROGRAMS / f"{name}.c"
        if not source.exists():
            source = VIRTUAL / f"{name}.c"
        # -rdynamic: the recorder finds the program's clock by its name
        options = ["-rdynamic", f"-I{VIRTUAL}"]
        if "virtual_time.h" in source.read_text():
            library = tmp_path / "libvirtual_time.so"
            build.compile(VIRTUAL / "virtual_time.c", library, "-shared", "-fPIC")
            options += ["-Wl,--no-as-needed", str(library)]
        build.compile(source, program, *options)
        return program

    def recorded(name: str, words: Sequence[object], ranks: int = 2) -> tuple[int, dict[str, Any]]:
        program = compiled(name)
        line = build.line(ranks, program, *words)
        command = [sys.executable, "-m", "halocline", "snapshot", "-o", "report", "--", *line]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, **AS_ROOT, "HALOCLINE_SNAPSHOT_FLUSH_S": "1"},
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        report = tmp_path / "report" / "snapshot.json"
        assert report.is_file(), done.stderr
        return done.returncode, json.loads(report.read_text())

    return recorded


@pytest.mark.parametrize("percent", [10, 33, 50])
def test_imbalance_known_by_construction(
    run: Run, monkeypatch: pytest.MonkeyPatch, percent: int
) -> None:
    """Eight steps of 120 ms of virtual time and a call of 1 us each: rank 1 works all the time,
    rank 0 waits for it so long that the mean over both is the percentage."""
    monkeypatch.setenv("HALOCLINE_SNAPSHOT_CLOCK", "virtual_now")
    code, report = run("imbalance", [percent, "collective"])
    assert code == 0
    elapsed_s = 8 * (0.12 + 1e-6)
    assert report["times"]["elapsed_s"] == pytest.approx(elapsed_s, rel=1e-9)
    wanted = percent * 8 * 0.12 / elapsed_s
    assert report["times"]["imbalance_percent"] == pytest.approx(wanted, rel=1e-6)
    assert report["slowest_rank"] == 1
    assert report["most_waited_for_rank"] == 1
    assert report["functions"][0]["name"] == "MPI_Allreduce"
    assert report["functions"][0]["calls"] == 16


def test_call_sites_have_function_and_line(run: Run) -> None:
    _, report = run("uneven", [0.5, 5])
    site = next(each for each in report["call_sites"] if each["function"] == "MPI_Barrier")
    assert (site["symbol"], Path(site["file"]).name, site["ranks"]) == ("main", "uneven.c", 2)
    assert "MPI_Barrier" in (PROGRAMS / "uneven.c").read_text().splitlines()[site["line"] - 1]


def test_the_exit_code_is_passed_on(run: Run) -> None:
    code, report = run("ending", ["fine", 23])
    assert code == 23
    assert report["status"] == {"state": "complete", "exit_code": 23, "reasons": []}


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("abort", "rank 1 called MPI_Abort with code 7"),
        ("exit", "rank 1"),
        ("crash", "rank 1 was stopped by signal 11"),
        ("kill", "rank 1 was killed without warning"),
    ],
)
def test_a_run_that_breaks_leaves_a_partial_report(run: Run, how: str, words: str) -> None:
    code, report = run("ending", [how])
    assert code != 0
    assert report["status"]["state"] == "partial"
    assert any(words in reason for reason in report["status"]["reasons"])
    allreduce = next(each for each in report["functions"] if each["name"] == "MPI_Allreduce")
    assert allreduce["calls"] > 10


@pytest.mark.parametrize("how", ["KILL", "TERM"])
def test_a_deadlock_is_time_in_mpi(run: Run, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """A second of work, then six in a call that never returns, on both ranks."""
    monkeypatch.setenv("HALOCLINE_SNAPSHOT_CLOCK", "virtual_now")
    code, report = run("hanging", [how])
    assert code != 0
    times = report["times"]
    assert times["elapsed_s"] == pytest.approx(7.0)
    assert times["mpi_percent"] == pytest.approx(600 / 7, abs=0.01)
    assert times["imbalance_percent"] == pytest.approx(600 / 7, abs=0.01), "all of it is waiting"
    top = report["functions"][0]
    assert (top["name"], top["calls"], top["unfinished_calls"]) == ("MPI_Recv", 2, 2)
    assert top["seconds"]["mean"] == pytest.approx(6.0)
    site = report["call_sites"][0]
    assert (site["function"], site["symbol"], site["ranks"]) == ("MPI_Recv", "main", 2)
    assert site["seconds"]["max"] == pytest.approx(6.0)
    for rank in report["ranks"]:
        assert (rank["unfinished_call"], rank["unfinished_s"]) == ("MPI_Recv", pytest.approx(6.0))
    assert report["verdict"]["rule"] != "computing"


def test_a_killed_rank_was_last_heard_of(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows when it was killed: its last file is older."""
    monkeypatch.setenv("HALOCLINE_SNAPSHOT_CLOCK", "virtual_now")
    _, report = run("hanging", ["KILL"])
    wanted = (
        "rank 1 was killed without warning, last heard of 7.00 s after MPI_Init, "
        "6.00 s inside MPI_Recv."
    )
    assert wanted in report["status"]["reasons"]


def test_percentages_are_of_what_pcontrol_left_on(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """3.5 s of 9.5 are recorded; 2 s of them rank 1 waits, so MPI is 2 / 7 of both ranks' time."""
    monkeypatch.setenv("HALOCLINE_SNAPSHOT_CLOCK", "virtual_now")
    _, report = run("levels", [])
    times = report["times"]
    assert times["elapsed_s"] == pytest.approx(3.5, abs=1e-5)
    assert times["mpi_percent"] == pytest.approx(200 / 7, abs=1e-3)
    assert times["imbalance_percent"] == pytest.approx(200 / 7, abs=1e-3)
    assert report["ranks"][1]["mpi_s"] == pytest.approx(2.0, abs=1e-5)
    assert any("switched recording off for 6.00 s" in words for words in report["warnings"])
    phases = {each["level"]: each for each in report["phases"]}
    assert sorted(phases) == [1, 2, 5]
    elapsed = {level: each["elapsed_s"]["mean"] for level, each in phases.items()}
    assert elapsed == pytest.approx({1: 1.0, 2: 2.0, 5: 0.5}, abs=1e-5)
    percents = {level: each["mpi_percent"] for level, each in phases.items()}
    assert percents == pytest.approx({1: 0.0, 2: 50.0, 5: 0.0}, abs=1e-3)
    assert phases[2]["entered"] == 4
    allreduce = phases[2]["functions"][0]
    assert (allreduce["name"], allreduce["calls"]) == ("MPI_Allreduce", 4)
    assert allreduce["seconds"] == pytest.approx(1.0, abs=1e-5)


def test_mpi_time_is_when_any_thread_is_inside(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads are inside from 0.0 to 0.8 s and from 0.2 to 1.0 s: together 1.0 of 2.0 s."""
    monkeypatch.setenv("HALOCLINE_SNAPSHOT_CLOCK", "virtual_now")
    code, report = run("at_once", [], ranks=1)
    assert code == 0
    assert report["times"]["mpi_percent"] == pytest.approx(50.0)
    rank = report["ranks"][0]
    assert (rank["mpi_s"], rank["mpi_threads"]) == (pytest.approx(1.0), 2)
    assert [each["mpi_s"] for each in rank["threads"]] == pytest.approx([0.8, 0.8])
    assert sum(each["seconds"]["mean"] for each in report["functions"]) == pytest.approx(1.0)


def test_a_clock_that_jumps_changes_no_duration_and_no_flush(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = make_preload(tmp_path, JUMPING_CLOCK, "jumping_clock")
    monkeypatch.setenv("LD_PRELOAD", str(library))
    # Ends when its file was replaced twice: not before hours, if flushes waited for a time of day.
    _, report = run("ending", ["kill"])
    assert any("rank 1" in reason for reason in report["status"]["reasons"])
    for file in (tmp_path / "report" / "ranks").glob("rank-*.json"):
        process_s = 1e-9 * json.loads(file.read_text())["time"]["process_ns"]
        assert 0.0 < process_s < LIMIT_S, file
