# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""LAMMPS: the same results with and without the recorder, and its own timers around ours.

What lies inside one of its intervals cannot take longer than the interval, however busy the machine
is. How close both are is measured by `benchmarks/snapshot_timers.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

THERMO = re.compile(r"^ +\d+ +[-\d.]+ +[-\d.]+ .*$", re.MULTILINE)
TIMER = re.compile(r"^(\w+) +\| ([\d.e-]+) +\| ([\d.e-]+) +\| ([\d.e-]+) +\|", re.MULTILINE)
CLOCKS = 1.001  # the recorder reads another clock than LAMMPS, whose figures have five digits

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(900)]


@pytest.fixture
def lammps(mpirun: list[object], needs: Callable[..., None], case: Path) -> list[object]:
    """The launch line of the melt."""
    needs("lmp")
    return [*mpirun, "lmp", "-in", case / "lammps" / "melt.in", "-log", "none"]


def thermo(out: str) -> list[str]:
    """Energies and pressures as LAMMPS printed them."""
    rows = THERMO.findall(out)
    assert len(rows) == 3
    return rows


def timers(out: str) -> dict[str, tuple[float, float, float]]:
    """LAMMPS' own timers: section → min, mean, max over ranks in seconds."""
    return {row[0]: (float(row[1]), float(row[2]), float(row[3])) for row in TIMER.findall(out)}


def test_results_do_not_change(
    lammps: list[object],
    plain: Callable[..., str],
    recorded: Callable[..., Any],
    tmp_path: Path,
) -> None:
    with_recorder = recorded(lammps, tmp_path)
    assert thermo(with_recorder.out) == thermo(plain(lammps, tmp_path))
    snapshot = with_recorder.snapshot
    assert snapshot.status.state == "complete"
    assert [rank.finished for rank in snapshot.ranks] == [True, True]
    assert snapshot.program == "lmp"


def test_barriers_lie_within_what_lammps_measures(
    lammps: list[object], recorded: Callable[..., Any], tmp_path: Path
) -> None:
    """`timer full sync` puts MPI_Barrier before each phase, and sums the time around as "Sync"."""
    found = recorded([*lammps, "-var", "timers", "sync"], tmp_path)
    least, mean, largest = timers(found.out)["Sync"]
    (site,) = [
        each
        for each in found.snapshot.call_sites
        if each.function == "MPI_Barrier" and "Timer::_stamp" in each.place
    ]
    assert site.ranks == 2
    assert site.calls > 1000
    assert site.calls % 2 == 0  # both ranks pass the same phases
    assert 0.0 < site.seconds.min <= CLOCKS * least
    assert 0.0 < site.seconds.mean <= CLOCKS * mean
    assert 0.0 < site.seconds.max <= CLOCKS * largest


def test_calls_are_found_in_the_classes_that_communicate(
    lammps: list[object], recorded: Callable[..., Any], tmp_path: Path
) -> None:
    """Every step sends in CommBrick, which Debian's library names."""
    found = recorded(lammps, tmp_path)
    calls = sum(
        site.calls
        for site in found.snapshot.call_sites
        if site.function == "MPI_Send" and "CommBrick::" in (site.symbol or "")
    )
    assert calls == sum(f.calls for f in found.snapshot.functions if f.name == "MPI_Send")
    assert calls >= 2 * 2 * 100  # two ranks, forward and reverse, 100 steps
