# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A launcher that is ended with ranks on two hosts: none is left on either of them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mgcfd_support import environment, make_box, patience_s, program, wait_for
from mpi_programs import ENDLESS, compiled
from two_hosts import Hosts, two_hosts, why_impossible

reason = why_impossible()
if not reason and "mpich" in os.environ["HALOCLINE_MPIRUN"]:
    reason = "the launch agent speaks Open MPI's language"
pytestmark = pytest.mark.skipif(bool(reason), reason=reason)

mark = "HALOCLINE_TEST_OF_HOSTS"


class Job:
    """A launch over both hosts, and every process that comes of it, told by its environment."""

    def __init__(self, hosts: Hosts, folder: Path, words: list[str]) -> None:
        self._mark = f"{mark}={folder}".encode()
        self._process = subprocess.Popen(
            ["env", "--default-signal=HUP,QUIT", *hosts.command(mpirun(), *words)],
            cwd=folder,
            env={**environment(), **hosts.environment, mark: str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def hosts_of(self, name: str) -> dict[int, str]:
        """Processes whose name begins so, with the network namespace that is their host."""
        found = {}
        for process in Path("/proc").glob("[0-9]*"):
            try:
                own = self._mark in (process / "environ").read_bytes().split(b"\0")
                alive = (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
                if own and alive and (process / "comm").read_text().startswith(name):
                    found[int(process.name)] = str((process / "ns" / "net").readlink())
            except OSError:
                continue
        return found

    def wait_for_ranks(self, name: str) -> None:
        """Waits until there is a rank on each host."""
        wait_for(lambda: len(set(self.hosts_of(name).values())) == 2, patience_s)

    def end(self, victim: str, number: signal.Signals) -> None:
        """Sends a signal to one part of the launcher alone; waits until nothing is left."""
        (pid,) = self.hosts_of(victim)
        os.kill(pid, number)
        wait_for(lambda: not self.hosts_of(""), patience_s)

    def clean_up(self) -> None:
        """Leaves nothing, whatever the test has found."""
        for pid in self.hosts_of(""):
            os.kill(pid, signal.SIGKILL)
        self._process.wait()


def mpirun() -> str:
    """The launcher that ctest names."""
    return os.environ["HALOCLINE_MPIRUN"]


@pytest.fixture(scope="module")
def hosts() -> Iterator[Hosts]:
    """Two hosts, the cable between them as fast as it can be."""
    with two_hosts() as pair:
        yield pair


@pytest.fixture
def start(hosts: Hosts, tmp_path: Path) -> Iterator[Callable[..., Job]]:
    """Starts a job of one rank a host."""
    jobs: list[Job] = []

    def begin(*words: str) -> Job:
        jobs.append(Job(hosts, tmp_path, list(words)))
        return jobs[-1]

    yield begin
    for job in jobs:
        job.clean_up()


@pytest.fixture
def endless_program(tmp_path: Path) -> str:
    """A program of somebody else that never ends."""
    compiler = shutil.which("mpicc.openmpi") or shutil.which("mpicc")
    if compiler is None:
        pytest.skip("no mpicc")
    return str(compiled(tmp_path, "endless", ENDLESS, compiler))


@pytest.mark.parametrize(
    ("victim", "number"),
    [
        ("mpirun", signal.SIGKILL),
        ("mpirun", signal.SIGQUIT),
        ("orted", signal.SIGKILL),  # its daemon on the other host
    ],
)
def test_ranks_of_ours_end_on_both_hosts(
    start: Callable[..., Job], tmp_path: Path, victim: str, number: signal.Signals
) -> None:
    box = make_box(tmp_path / "box", (8, 6, 4), 1)
    job = start(program(), "-d", str(box), "-g", "100000000", "--no-triad", "-m", "block")
    job.wait_for_ranks("mgcfd")
    job.end(victim, number)


def test_ranks_of_others_end_on_both_hosts(start: Callable[..., Job], endless_program: str) -> None:
    build = Path(program()).parent.parent
    library = build / "lib" / "halocline" / "libhalocline-snapshot-openmpi.so"
    if not library.is_file():
        pytest.skip(f"{library.name} is not built")
    job = start("-x", f"LD_PRELOAD={library}", endless_program)
    job.wait_for_ranks("endless")
    job.end("mpirun", signal.SIGKILL)
