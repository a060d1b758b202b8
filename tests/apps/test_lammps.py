# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""LAMMPS: the same results with and without the recorder, and its own timers against ours.

LAMMPS' "Comm" holds packing of buffers, too, so it is compared where waiting dominates; its "Sync"
(`timer full sync`) is nothing but MPI_Barrier, so it is compared as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.snapshot.raw import read_ranks

THERMO = re.compile(r"^ +\d+ +[-\d.]+ +[-\d.]+ .*$", re.MULTILINE)
TIMER = re.compile(r"^(\w+) +\| ([\d.e-]+) +\| ([\d.e-]+) +\| ([\d.e-]+) +\|", re.MULTILINE)
QUIET = 0.02  # part of the time without a core, up to which a machine counts as quiet

pytestmark = pytest.mark.mpi


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


def test_barriers_take_what_lammps_measures(
    lammps: list[object], recorded: Callable[..., Any], tmp_path: Path
) -> None:
    """`timer full sync` puts MPI_Barrier before each phase and sums their time as "Sync"."""
    found = recorded([*lammps, "-var", "timers", "sync"], tmp_path)
    own = timers(found.out)["Sync"]
    sites = [s for s in found.snapshot.call_sites
             if s.function == "MPI_Barrier" and "Timer::" in s.place]  # fmt: skip
    mean, largest = found.seconds_in("MPI_Barrier")
    assert sum(site.calls for site in sites) > 1000
    assert mean == pytest.approx(own[1], rel=0.05)
    assert largest == pytest.approx(own[2], rel=0.05)


def seconds_in_communication(found: Any) -> list[float]:
    """MPI time called from LAMMPS' communication classes, smallest rank first."""
    classes = {site.offset for site in found.snapshot.call_sites if "Comm" in (site.symbol or "")}
    return sorted(
        sum(row.time_ns for row in raw.call_sites.rows if row.frames[0][1] in classes) * 1e-9
        for raw in read_ranks(found.folder / "ranks")
    )


def test_communication_takes_what_lammps_measures(
    lammps: list[object], recorded: Callable[..., Any], tmp_path: Path
) -> None:
    """A box filled to 60 %: one rank waits for the other, and packing is next to nothing of it.

    Where other processes take the cores, packing lasts as long as they let it: then LAMMPS' figure
    is an upper bound only.
    """
    found = recorded([*lammps, "-var", "filled", "0.6"], tmp_path)
    comm = timers(found.out)["Comm"]
    ours = seconds_in_communication(found)
    assert ours[-1] <= 1.05 * comm[2]
    quiet = all(
        (rank.usage.run_queue_s or 0.0) < QUIET * rank.elapsed_s for rank in found.snapshot.ranks
    )
    if quiet:
        assert ours[-1] == pytest.approx(comm[2], rel=0.05)
        assert found.snapshot.verdict.rule == "imbalance"
