# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How algorithms that a running program cannot choose are divided into launches."""

from __future__ import annotations

from halocline.preload.family import Family
from halocline.tune.candidates import Algorithm
from halocline.tune.library import Library
from halocline.tune.measuring import Field, Launch, plan_launches
from halocline.tune.points import Point

BCAST = "coll_tuned_bcast_algorithm"
LIBRARY = Library(Family.OPENMPI, "v", 2, {})


def _field(low: int, *algorithms: Algorithm, function: str = "Bcast") -> Field:
    return Field(Point(function, 2, low, low, 2 * low, 10, 1.0), list(algorithms))


def _closed(value: int, segments: int | None = None) -> Algorithm:
    return Algorithm(BCAST, value, f"a{value}", writable=False, segments=segments)


def _measured(launches: list[Launch]) -> list[tuple[str, str, str]]:
    """Point, contender, and what its launch sets."""
    return [
        (each.point.name, contender.name, launch.setting.environment[f"OMPI_MCA_{BCAST}"])
        for launch in launches[1:]
        for each in launch.points
        for contender in each.contenders
    ]


def test_each_algorithm_is_measured_under_its_own_setting() -> None:
    """Long messages have three algorithms for each of short ones: places in lists do not agree."""
    short = _field(64, _closed(1, 0), _closed(2, 0))
    cut = (0, 32768, 131072)
    long = _field(1 << 20, *(_closed(value, size) for value in (1, 2) for size in cut))
    found = _measured(plan_launches(LIBRARY, [short, long]))
    assert len(found) == 2 + 6
    assert all(name.startswith(f"{BCAST}={value}") for _, name, value in found)
    assert len(plan_launches(LIBRARY, [short, long])) == 1 + 6


def test_algorithms_that_a_program_can_choose_need_no_launch() -> None:
    free = Algorithm(BCAST, 1, "free")
    launches = plan_launches(LIBRARY, [_field(64, free, _closed(2), free)])
    assert len(launches) == 2
    assert all(launch.points for launch in launches)


def test_functions_share_a_launch() -> None:
    other = Algorithm("coll_tuned_reduce_algorithm", 3, "c", writable=False)
    launches = plan_launches(
        LIBRARY, [_field(64, _closed(1)), _field(64, other, function="Reduce")]
    )
    assert [len(launch.points) for launch in launches] == [2, 2]
