# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Verbs that launch, ended in every way: no launcher and no rank is left."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from halocline.errors import MissingEnvironmentError
from halocline.launch.programs import find_program
from halocline.preload import Family, tool_library
from mpi_programs import ENDLESS, compiled

MARK = "HALOCLINE_TEST_OF_EDGES"
PATIENCE_S = 60.0
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
# A job in the background of a shell begins with INT and QUIT ignored.
ENDS_BY_EVERY_SIGNAL = ("env", "--default-signal=HUP,INT,QUIT")
CASE = """\
[solver]
cycles = 100000000
[parallel]
ranks = 2
threads = 1
backend = "serial"
[mesh.make]
shape = "box"
nodes = 400
levels = 1
"""

needs_mpirun = pytest.mark.skipif(
    shutil.which("mpirun") is None, reason="no mpirun; `make test` installs one"
)
needs_solve = pytest.mark.skipif(
    find_program("halocline-solve") is None or shutil.which("mpirun") is None,
    reason="halocline-solve is not built here; `make test` builds it first",
)


class Job:
    """A command line under way, and all processes that come of it, told by their environment."""

    def __init__(self, folder: Path, words: list[str]) -> None:
        self.mark = f"{MARK}={folder}"
        self.process = subprocess.Popen(
            [*ENDS_BY_EVERY_SIGNAL, str(Path(sys.executable).parent / "halocline"), *words],
            cwd=folder,
            env={**os.environ, **ROOT, MARK: str(folder), "HALOCLINE_SNAPSHOT_FLUSH_S": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def named(self, name: str) -> list[int]:
        """Processes of this job whose name begins so."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                own = self.mark.encode() in (process / "environ").read_bytes().split(b"\0")
                alive = (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
                if own and alive and (process / "comm").read_text().startswith(name):
                    found.append(int(process.name))
            except OSError:
                continue
        return found

    def wait_for(self, reached: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while not reached():
            assert time.monotonic() < end, f"{what}: {self.named('')}"
            time.sleep(0.05)

    def wait_for_ranks(self, name: str, count: int) -> None:
        def reached() -> bool:
            assert self.process.poll() is None, self.process.communicate()[1].decode()
            return len(self.named(name)) == count

        self.wait_for(reached, f"{count} ranks")

    def expect_end(self) -> None:
        self.process.communicate(timeout=PATIENCE_S)
        self.wait_for(lambda: not self.named(""), "nothing left")

    def clean_up(self) -> None:
        for pid in self.named(""):
            os.kill(pid, signal.SIGKILL)
        self.process.communicate()


@pytest.fixture
def job(tmp_path: Path) -> Iterator[Callable[..., Job]]:
    jobs: list[Job] = []

    def start(*words: object) -> Job:
        jobs.append(Job(tmp_path, [str(word) for word in words]))
        return jobs[-1]

    yield start
    for started in jobs:
        started.clean_up()


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A case that would run for ever, on two ranks."""
    (tmp_path / "case.toml").write_text(CASE)
    return tmp_path / "case.toml"


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `halocline-solve` that sleeps, whatever happens to its parents."""
    (tmp_path / "mesh").mkdir()
    (tmp_path / "mesh" / "input.dat").write_text("size = 1\n")
    program = tmp_path / "halocline-solve"
    program.write_text("#!/bin/sh\nexec sleep 1000\n")
    program.chmod(0o755)
    monkeypatch.setenv("HALOCLINE_BIN", str(tmp_path))
    return program


@needs_mpirun
@pytest.mark.mpi
@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("number", ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGKILL"])
@pytest.mark.parametrize("ranks", [1, 2])
def test_a_run_that_is_ended_leaves_nothing(
    job: Callable[..., Job], case: Path, number: str, ranks: int
) -> None:
    run = job("run", case, "--set", f"parallel.ranks={ranks}")
    run.wait_for_ranks("sleep", ranks)
    run.process.send_signal(getattr(signal, number))
    run.expect_end()


@needs_mpirun
@pytest.mark.mpi
@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("number", ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGKILL"])
def test_a_study_that_is_ended_leaves_nothing(
    job: Callable[..., Job], case: Path, number: str
) -> None:
    file = case.with_name("study.toml")
    file.write_text(
        '[program]\ncase = "case.toml"\n[base]\nranks = 2\n[measure]\nsnapshot = "never"\n'
    )
    study = job("study", file)
    study.wait_for_ranks("sleep", 2)
    study.process.send_signal(getattr(signal, number))
    study.expect_end()


@needs_solve
@pytest.mark.mpi
@pytest.mark.parametrize(
    ("victim", "number"),
    [
        ("halocline", "SIGQUIT"),
        ("halocline", "SIGKILL"),
        ("mpirun", "SIGKILL"),
        ("mpirun", "SIGQUIT"),  # Open MPI's leaves ranks that do not care for themselves
    ],
)
def test_ranks_of_ours_end_with_their_launcher(
    job: Callable[..., Job], case: Path, victim: str, number: str
) -> None:
    run = job("run", case)
    run.wait_for_ranks("halocline-solve", 2)
    pids = run.named("mpirun") if victim == "mpirun" else [run.process.pid]
    os.kill(pids[0], getattr(signal, number))
    run.expect_end()


@pytest.mark.mpi
@pytest.mark.parametrize(
    ("verb", "family", "victim", "number"),
    [
        ("snapshot", Family.OPENMPI, "halocline", "SIGHUP"),
        ("snapshot", Family.OPENMPI, "halocline", "SIGKILL"),
        ("snapshot", Family.OPENMPI, "mp", "SIGKILL"),
        ("snapshot", Family.OPENMPI, "mp", "SIGQUIT"),
        ("snapshot", Family.MPICH, "halocline", "SIGKILL"),
        ("snapshot", Family.MPICH, "mp", "SIGQUIT"),
        ("endpoints", Family.OPENMPI, "mp", "SIGQUIT"),
        ("endpoints", Family.MPICH, "mp", "SIGQUIT"),
    ],
)
def test_ranks_of_others_end_with_their_launcher(
    job: Callable[..., Job], tmp_path: Path, verb: str, family: Family, victim: str, number: str
) -> None:
    launcher = f"mpirun.{family}"
    if shutil.which(launcher) is None:
        pytest.skip(f"{launcher} is missing; `make test` installs it")
    words = ["--oversubscribe"] if family is Family.OPENMPI else []
    program = endless_program(tmp_path, verb, family)
    run = job(verb, "--", launcher, *words, "-n", 2, program)
    run.wait_for_ranks("endless", 2)
    pids = run.named("mp") if victim == "mp" else [run.process.pid]
    os.kill(pids[0], getattr(signal, number))
    run.expect_end()


@pytest.mark.mpi
@pytest.mark.parametrize("number", ["SIGTERM", "SIGQUIT", "SIGKILL"])
@pytest.mark.parametrize("family", list(Family))
def test_ranks_under_tools_end_with_the_command(
    job: Callable[..., Job], tmp_path: Path, family: Family, number: str
) -> None:
    """One rank is under a tool of its own process, the other is not."""
    compiler, launcher = f"mpicc.{family}", f"mpirun.{family}"
    if shutil.which(compiler) is None or shutil.which(launcher) is None:
        pytest.skip(f"{family.label} is missing; `make test` installs it")
    words = ["--oversubscribe"] if family is Family.OPENMPI else []
    program = compiled(tmp_path, "endless", ENDLESS, compiler)
    run = job("with", "--tool", "strace -o strace.log:0", "--", launcher, *words, "-n", 2, program)
    run.wait_for_ranks("endless", 2)
    run.process.send_signal(getattr(signal, number))
    run.expect_end()


@pytest.mark.mpi
@pytest.mark.usefixtures("slurm")
@pytest.mark.parametrize(
    ("verb", "family", "plugin", "victim", "number"),
    [
        ("snapshot", Family.OPENMPI, "pmix", "halocline", "SIGHUP"),
        ("snapshot", Family.OPENMPI, "pmix", "halocline", "SIGKILL"),
        ("snapshot", Family.OPENMPI, "pmix", "srun", "SIGKILL"),
        ("endpoints", Family.MPICH, "pmi2", "halocline", "SIGQUIT"),
        ("endpoints", Family.MPICH, "pmi2", "srun", "SIGKILL"),
    ],
)
def test_ranks_below_srun_end_with_it(
    *,
    job: Callable[..., Job],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    verb: str,
    family: Family,
    plugin: str,
    victim: str,
    number: str,
) -> None:
    """Slurm's own daemons end the ranks, on both nodes."""
    monkeypatch.setenv("OMPI_MCA_btl", "self,tcp")
    monkeypatch.setenv("OMPI_MCA_btl_tcp_if_include", "lo")
    program = endless_program(tmp_path, verb, family)
    run = job(verb, "--", "srun", f"--mpi={plugin}", "-N", 2, "-n", 2, program)
    run.wait_for_ranks("endless", 2)
    pids = run.named("srun") if victim == "srun" else [run.process.pid]
    os.kill(pids[0], getattr(signal, number))
    run.expect_end()


def endless_program(folder: Path, verb: str, family: Family) -> Path:
    """Compile a program that never ends; skip the test where a tool or compiler is missing."""
    compiler = f"mpicc.{family}"
    try:
        tool_library(verb, family)
    except MissingEnvironmentError as error:
        pytest.skip(f"{error} `make test` builds it first.")
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is missing; `make test` installs it")
    return compiled(folder, "endless", ENDLESS, compiler)


@needs_mpirun
@pytest.mark.usefixtures("stand_in")
def test_what_a_run_was_told_to_ignore_stays_ignored(tmp_path: Path, case: Path) -> None:
    """As under nohup: a hang-up ends neither the command nor its program."""
    seen = tmp_path / "seen"
    (tmp_path / "halocline-solve").write_text(
        f"#!/bin/sh\ngrep SigIgn /proc/self/status > {seen}.new && mv {seen}.new {seen}\n"
        f"while [ ! -e {tmp_path}/go ]; do sleep 0.05; done\nexit 3\n"
    )
    program = Path(sys.executable).parent / "halocline"
    line = f"trap '' HUP; exec {program} run {case} --set parallel.ranks=1"
    process = subprocess.Popen(["sh", "-c", line], stderr=subprocess.PIPE)
    while not seen.exists() and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGHUP)
    (tmp_path / "go").touch()
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 3
    assert int(seen.read_text().split()[1], 16) & 1 << (signal.SIGHUP - 1)
