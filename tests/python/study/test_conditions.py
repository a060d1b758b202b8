# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Conditions: what they mean, and that nothing else is evaluated."""

from __future__ import annotations

import pytest
from halocline.study.conditions import Condition, ConditionError

VALUES = {"ranks": 4, "threads": 2, "mpi": "mpich", "case.solver.cycles": 10, "folder": None}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("ranks * threads > 4", True),
        ("ranks * threads > 4 and mpi == 'openmpi'", False),
        ("not (mpi in ['openmpi', 'mpich'])", False),
        ("2 < ranks <= 4", True),
        ("case.solver.cycles % 3 == 1", True),
        ("-ranks < 0 or mpi == 'x'", True),
        ("folder == None", True),
        ("ranks // 3 == 1 and threads / 4 == 0.5 and ranks + 1 - 2 == 3", True),
        ("mpi not in 'openmpi'", True),
    ],
)
def test_a_condition_means_what_it_says(text: str, holds: bool) -> None:
    assert Condition(text).holds(VALUES) is holds


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("__import__('os').system('true')", "neither value nor comparison"),
        ("(lambda: 1)()", "neither value nor comparison"),
        ("9 ** 9 ** 9 > 1", "neither value nor comparison"),
        ("'a' * 999999999 == mpi", "not both numbers"),
        ("[x for x in [1]]", "neither value nor comparison"),
        ("ranks[0]", "neither value nor comparison"),
        ("ranks is 4", "write =="),
        ("rank > 4", "Did you mean 'ranks'"),
        ("mpi.__class__ == 1", "not a variable"),
        ("ranks / 0 > 1", "division"),
        ("mpi > 4", "cannot be evaluated"),
        ("ranks in 4", "cannot be evaluated"),
        (f"1{400 * '0'} / 3 > ranks", "cannot be evaluated"),
    ],
)
def test_all_else_is_refused(text: str, words: str) -> None:
    with pytest.raises(ConditionError, match=words):
        Condition(text).holds(VALUES)


@pytest.mark.parametrize("text", ["", "ranks >", "import os", "x" * 2000, "(" * 500, "ranks = 4"])
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(ConditionError, match=r"not a condition|characters"):
        Condition(text)
