# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Long runs: memory and open files stay as they are, cycle after cycle."""

from __future__ import annotations

import itertools
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from mgcfd_support import environment, launcher, make_box, patience_s, program

flow_interval = 20
fewest_looks = 40
patience_to_rest_s = 30.0

# A run keeps 8 bytes of residual a cycle and the names of files it wrote, in arrays that double.
# Looks take seconds, in which a fast machine goes on by ten thousand cycles: the bound counts those
# that were done. A leak of 100 bytes a cycle exceeds it from 4000 cycles on.
allowed_bytes = 128 * 1024
allowed_bytes_a_cycle = 64


@dataclass(frozen=True)
class Holding:
    """What a process holds now."""

    anonymous_bytes: int
    descriptors: int


def holding(pid: int) -> Holding:
    """Resident memory without files and shared segments, and open descriptors."""
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("RssAnon:"))
    return Holding(1024 * int(line.split()[1]), len(list(Path(f"/proc/{pid}/fd").iterdir())))


def at_rest(pid: int, descriptors: int | None = None) -> Holding:
    """The least of some looks: a file may just be written, with memory and a descriptor.

    Looks on while there are more than `descriptors`, as given: on a busy machine a file may take
    longer to be written than all of the looks. What is lost stays lost, however long.
    """
    end = time.monotonic() + patience_to_rest_s
    least = holding(pid)
    for looks in itertools.count(1):
        is_more = descriptors is not None and least.descriptors > descriptors
        if looks >= fewest_looks and (not is_more or time.monotonic() > end):
            break
        time.sleep(0.005)
        look = holding(pid)
        least = Holding(
            min(least.anonymous_bytes, look.anonymous_bytes),
            min(least.descriptors, look.descriptors),
        )
    return least


def ranks_in(folder: Path) -> list[int]:
    """The processes of the program that work in this folder."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and (process / "cwd").readlink() == folder:
                name = (process / "comm").read_text().strip()
                found += [int(process.name)] if name.startswith("mgcfd") else []
        except OSError:
            continue  # gone, or another user's
    return sorted(found)


def wait_for_cycle(job: subprocess.Popen[bytes], folder: Path, cycle: int, log: Path) -> None:
    """Until the flow of this cycle is there, of which the next cycles are soon done."""
    end = time.monotonic() + patience_s
    while not list(folder.glob(f"*cycle={cycle}.h5")):
        assert time.monotonic() < end, log.read_text()
        assert job.poll() is None, log.read_text()
        time.sleep(0.01)


def newest_cycle(folder: Path) -> int:
    """The last cycle of which there is a flow."""
    return max(int(file.stem.rpartition("=")[2]) for file in folder.glob("*cycle=*.h5"))


def check_steady(folder: Path, words: list[str], ranks: int, threads: int, cycles: int) -> None:
    """Runs without an end in sight; compares what ranks hold after half of `cycles` and after all.

    What has a bound has reached it by half of them: up to 512 device timers wait to be read.
    """
    log = folder / "log"
    warm_up = cycles // 2
    command = [*launcher(ranks), program(), *words, "-I", str(flow_interval), "-g", "100000000"]
    with log.open("w") as out:
        job = subprocess.Popen(
            command, cwd=folder, env=environment(threads), stdout=out, stderr=out
        )
        try:
            wait_for_cycle(job, folder, warm_up, log)
            pids = ranks_in(folder)
            early = [at_rest(pid) for pid in pids]
            wait_for_cycle(job, folder, cycles, log)
            late = [
                at_rest(pid, before.descriptors) for pid, before in zip(pids, early, strict=True)
            ]
            done = newest_cycle(folder) - warm_up
            job.send_signal(signal.SIGUSR1)
            code = job.wait(timeout=patience_s)
        finally:
            job.kill()
            job.wait()
    assert code == 75, log.read_text()
    assert len(pids) == ranks
    growth_bytes = allowed_bytes + allowed_bytes_a_cycle * done
    for before, after in zip(early, late, strict=True):
        assert after.descriptors <= before.descriptors
        assert after.anonymous_bytes <= before.anonymous_bytes + growth_bytes, done


# Ranks share cores with other tests: each exchange of a cycle may wait for a slice of time.
ways = [
    pytest.param(["--backend", "serial"], 1, 1, 2000, id="serial"),
    pytest.param(["--backend", "openmp"], 1, 2, 2000, id="openmp"),
    pytest.param(["--backend", "openmp", "-m", "block"], 2, 1, 1200, id="2 ranks"),
    pytest.param(["--backend", "emulated", "-m", "block"], 2, 1, 1200, id="2 emulated devices"),
]


@pytest.mark.parametrize(("words", "ranks", "threads", "cycles"), ways)
def test_memory_and_descriptors_do_not_grow(
    tmp_path: Path, words: list[str], ranks: int, threads: int, cycles: int
) -> None:
    case = make_box(tmp_path / "case", (9, 9, 9), 2)
    check_steady(tmp_path, ["-d", str(case), *words], ranks, threads, cycles)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["p2p", "rma"])
def test_memory_and_descriptors_do_not_grow_in_20000_cycles_of_any_scheme(
    tmp_path: Path, scheme: str
) -> None:
    case = make_box(tmp_path / "case", (9, 9, 9), 4)
    words = ["-d", str(case), "-m", "block", "--halo-scheme", scheme]
    check_steady(tmp_path, words, 2, 1, 20000)
