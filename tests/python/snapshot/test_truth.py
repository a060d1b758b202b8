# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The verdicts on programs whose truth is known (tests/tools/snapshot/programs/truth.c).

On a busy machine other processes take the cores in truth, too, and the verdict may say that. So
`make test` runs these alone, and each is recorded again where others were at work. A deadlock comes
before that, whoever else is at work.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from halocline.preload import Family
from halocline.snapshot.folder import RANK_FOLDER
from halocline.snapshot.hang import NEVER_LONG_S
from halocline.snapshot.model import Snapshot
from halocline.snapshot.recording import Settings, plan_recording, record
from halocline.snapshot.store import read_snapshot

sys.path.append(str(Path(__file__).parents[2] / "support"))

from mpi_builds import AS_ROOT, MpiBuild, recorded_build

SOURCE = Path(__file__).parents[2] / "tools" / "snapshot" / "programs" / "truth.c"
TRUTH = {
    "computing": "computing",
    "imbalance": "imbalance",
    "turns": "taking turns",
    "serial": "imbalance",
    "pingpong": "small messages",
    "sendrecv": "small messages",
    "nonblocking": "small messages",
    "bandwidth": "large messages",
    "collectives": "collectives",
    "transpose": "collectives",
    "files": "files",
    "mpi_files": "files",
    "sleeping": "off core",
    "threads": "crowded",
    "crowded": "crowded",
    "deadlock": "deadlock",
}
# Seen on one core alone, which the job's own ranks or threads then fight for.
ON_ONE_CORE = ("threads", "crowded")
# Below this share of the processors' time others are no news: the kernel itself runs, too.
QUIET_SHARE = 0.02
# Beside bursts of others one record may show their work for the program's own, but not each.
ATTEMPTS = 3
Record = Callable[[str], Snapshot]

pytestmark = [pytest.mark.mpi, pytest.mark.alone, pytest.mark.timeout(300)]


@dataclass
class Bench:
    """One MPI library with the programs built for it."""

    build: MpiBuild
    program: Path
    folder: Path

    def line(self, name: str, ranks: int = 2) -> list[str]:
        """The launch line of a program."""
        words = self.build.line(ranks, self.program, name, self.folder / "data")
        if name not in ON_ONE_CORE:
            return words
        core = str(min(os.sched_getaffinity(0)))
        free = ["--bind-to", "none"] if self.build.family is Family.OPENMPI else []
        return ["taskset", "-c", core, words[0], *free, *words[1:]]

    def record(self, name: str) -> Snapshot:
        """The report of a program."""
        if name == "deadlock":
            return self.record_until_it_hangs(self.line(name))
        ranks = 1 if name == "threads" else 2
        line = self.line(name, ranks)
        if name == "crowded":
            line[line.index("crowded")] = "computing"
        plan = plan_recording(line, self.folder / "report", self.build.family, Settings())
        return record(plan, output_to_stderr=True).snapshot

    def record_until_it_hangs(self, line: list[str]) -> Snapshot:
        """The report of a program that is told to stop once both ranks say that they hang."""
        report = self.folder / "hanging"
        words = [sys.executable, "-m", "halocline", "snapshot", "-o", str(report), "--", *line]
        environment = os.environ | {"HALOCLINE_SNAPSHOT_FLUSH_S": "1"}
        running = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
        while running.poll() is None and not both_hang(report / RANK_FOLDER):
            time.sleep(0.1)
        running.terminate()
        running.wait()
        return read_snapshot(report)


def both_hang(folder: Path) -> bool:
    """Whether the files of two ranks show a call that has lasted for longer than any should."""
    files = [json.loads(file.read_text()) for file in folder.glob("rank-*.json")]
    longest = [max((call["since_ns"] for call in file["pending"]), default=0) for file in files]
    return len(files) == 2 and min(longest) >= 1e9 * NEVER_LONG_S


FAMILIES = [Family.OPENMPI, pytest.param(Family.MPICH, marks=pytest.mark.slow)]


@pytest.fixture(scope="module", params=FAMILIES, ids=str)
def bench(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Builds the programs with one MPI library."""
    build = recorded_build(request.param)
    folder = tmp_path_factory.mktemp(str(build.family))
    build.compile(SOURCE, folder / "truth")
    return Bench(build, folder / "truth", folder)


@pytest.fixture(autouse=True)
def _allow_root(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in AS_ROOT.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def busy_machine() -> Iterator[None]:
    """A process on each processor that computes all the time."""
    words = [sys.executable, "-c", "while True: pass"]
    burning = [subprocess.Popen(words) for _ in os.sched_getaffinity(0)]
    yield
    for process in burning:
        process.kill()
        process.wait()


def share_of_others(run: Callable[[], Snapshot]) -> tuple[Snapshot, float]:
    """The share of the processors' time that others used meanwhile, as the test itself sees it."""
    begin = (busy_s(), children_s(), time.monotonic())
    found = run()
    end = (busy_s(), children_s(), time.monotonic())
    busy, own, elapsed = (after - before for after, before in zip(end, begin, strict=True))
    return found, (busy - own) / (elapsed * len(os.sched_getaffinity(0)))


def busy_s() -> float:
    """Seconds in which processors were not idle, sum over those that we may use."""
    mine = {f"cpu{cpu}" for cpu in os.sched_getaffinity(0)}
    rows = [line.split() for line in Path("/proc/stat").read_text().splitlines()]
    ticks = [sum(map(int, row[1:4] + row[6:9])) for row in rows if row[0] in mine]
    return sum(ticks) / os.sysconf("SC_CLK_TCK")


def children_s() -> float:
    """Processor time of this process and all that it has started and awaited."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def own_trouble(found: Snapshot) -> str:
    """What costs most, apart from what other processes took; the verdict where that is nothing."""
    costs = found.verdict.costs
    worth_saying = [rule for rule, cost in costs.items() if rule != "noise" and cost >= 5.0]
    return (worth_saying or [found.verdict.rule])[0]


def check(name: str, found: Snapshot, busy: bool) -> None:
    words = f"{name}: {found.verdict.rule}, {found.verdict.costs}"
    if name == "deadlock" or not (busy and found.verdict.rule == "noise"):
        assert found.verdict.rule == TRUTH[name], words
        return
    # What costs most next is not asked for: ranks that wait for cores take turns.
    assert "Other processes take the cores" in found.verdict.finding
    for rank in found.ranks:
        used = rank.usage.user_s + rank.usage.system_s
        if name != "threads":
            assert used + (rank.usage.run_queue_s or 0.0) <= 1.05 * rank.process_s, words


@pytest.mark.parametrize("name", TRUTH)
def test_the_verdict_is_the_truth(bench: Bench, name: str) -> None:
    for _ in range(ATTEMPTS):
        found, others = share_of_others(lambda: bench.record(name))
        busy = others > QUIET_SHARE
        if not busy or TRUTH[name] in (found.verdict.rule, own_trouble(found)):
            break
    check(name, found, busy)


@pytest.mark.slow
@pytest.mark.usefixtures("busy_machine")
@pytest.mark.parametrize("name", TRUTH)
def test_the_verdict_is_the_truth_beside_busy_loops(bench: Bench, name: str) -> None:
    check(name, bench.record(name), busy=True)


@pytest.mark.usefixtures("busy_machine")
def test_a_computing_job_beside_busy_loops_has_no_cores(bench: Bench) -> None:
    assert bench.record("computing").verdict.rule == "noise"
