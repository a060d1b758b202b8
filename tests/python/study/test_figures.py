# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of a study: what lines join, and how long names are cut."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, cast

from halocline.study.figures.selection import shortened
from halocline.study.figures.speed_up import speed_up_chart
from halocline.study.result import PointResult, SpeedUp


def point(ranks: int, threads: int, value: float) -> PointResult:
    """A base at a scale."""
    return PointResult(
        name=f"p{ranks}{threads}",
        label="base",
        scale=f"{ranks} ranks",
        is_base=True,
        values={"ranks": ranks, "threads": threads},
        cores=ranks * threads,
        launch_line="",
        state="ok",
        why="",
        failures=0,
        median=None,
        comparison=None,
        memory_bytes=None,
        mpi=None,
        last_lines=[],
        speed_up=SpeedUp(
            value=value,
            low=None,
            high=None,
            efficiency_percent=100.0 * value / (ranks * threads),
        ),
        medians={},
    )


def test_threads_and_ranks_have_lines_of_their_own() -> None:
    points = [point(1, 1, 1.0), point(2, 1, 1.9), point(1, 2, 1.1), point(4, 1, 3.5)]
    result: Any = SimpleNamespace(points=points, scaling="strong")
    drawn = speed_up_chart(cast(Any, result))
    lines = re.findall(r'<polyline points="([^"]+)" class="l0"', drawn)
    assert [len(places.split()) for places in lines] == [3, 1]
    assert "2 threads a rank" in drawn


def test_names_that_begin_alike_stay_apart() -> None:
    names = [f"coll_tuned_use_dynamic_rules=1 coll_tuned_{what}=2" for what in ("a", "b")]
    cut = [shortened(name, 26) for name in names]
    assert cut[0] != cut[1]
    assert [len(each) for each in cut] == [26, 26]
    assert shortened("short", 26) == "short"
