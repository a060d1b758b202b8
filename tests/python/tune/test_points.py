# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Points: what the recorder wrote, added up over ranks."""

from __future__ import annotations

import pytest
from halocline.snapshot.raw import RawPoints
from halocline.tune.points import recorded_points, worth_measuring


class _Rank:
    """What the reader needs of a rank file."""

    def __init__(self, *rows: tuple[str, int, int, int, int, int]) -> None:
        self.collective_points = RawPoints(rows=list(rows))


def test_calls_count_once_and_times_are_means_over_ranks() -> None:
    # Two ranks, 10 calls of 100 bytes each: bin 7 holds 64 to 127 bytes.
    rank = _Rank(("MPI_Allreduce", 2, 7, 10, 1000, 3_000_000))
    late = _Rank(("MPI_Allreduce", 2, 7, 10, 1000, 1_000_000))
    (point,) = recorded_points([rank, late])
    assert (point.function, point.members, point.bytes, point.calls) == ("Allreduce", 2, 100, 10)
    assert (point.low, point.high) == (64, 128)
    assert point.seconds == pytest.approx(0.002)


def test_threads_of_a_rank_add_up_and_sizes_stay_apart() -> None:
    rows = [("MPI_Bcast", 2, 4, 1, 8, 10), ("MPI_Bcast", 2, 4, 3, 30, 30)]
    other = ("MPI_Bcast", 2, 0, 1, 0, 5)
    first, second = recorded_points([_Rank(*rows, other)])
    assert (first.calls, first.bytes, first.seconds) == (2, 10, pytest.approx(4e-8))
    assert (second.low, second.high, second.bytes) == (0, 1, 0)


def test_points_with_little_time_are_not_worth_it() -> None:
    points = recorded_points(
        [_Rank(("MPI_Bcast", 2, 4, 2, 16, 500_000_000), ("MPI_Barrier", 2, 0, 2, 0, 1_000_000))]
    )
    assert [point.function for point in worth_measuring(points, 1.0, 0.01)] == ["Bcast"]
