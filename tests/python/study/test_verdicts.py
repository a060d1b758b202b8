# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sentences of a study where nothing is significantly faster."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from halocline.study.result import Noise, PointResult
from halocline.study.verdicts import winners_of


def sentence(*compared: bool) -> str:
    """What is said of changes, some of which were compared with the base without a difference."""
    told = SimpleNamespace(ratio=1.0, verdict="no difference")
    points = [
        SimpleNamespace(scale="2 ranks", is_base=False, comparison=told if each else None)
        for each in compared
    ]
    base = SimpleNamespace(scale="2 ranks")
    study = cast("Any", SimpleNamespace(comparisons=True, bases=[base]))
    noise = SimpleNamespace(scale="2 ranks", floor=0.5)
    (winner,) = winners_of(study, cast("list[PointResult]", points), [cast("Noise", noise)])
    return winner.sentence


def test_points_that_were_compared_are_counted() -> None:
    assert sentence(True, True, False).startswith(
        "At 2 ranks: no point of 2 is significantly faster"
    )


def test_a_study_whose_budget_ended_before_a_round_compared_nothing() -> None:
    told = sentence(False, False)
    assert told == (
        "At 2 ranks: no point was compared with the base: no round of both has ended. The base "
        "differs from itself by up to 50.0 %."
    )
