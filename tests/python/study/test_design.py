# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Designs: which points a study file means, counted by hand."""

from __future__ import annotations

from typing import Any

import pytest
from halocline.errors import InvalidInputError
from halocline.study.design import points_of
from halocline.study.model import StudyFile
from halocline.study.point import Point


def points(**keys: Any) -> list[Point]:
    return points_of(StudyFile.model_validate({"program": {"command": "x"}} | keys), "s.toml")


def labels(**keys: Any) -> list[str]:
    return [point.title for point in points(**keys)]


def test_a_product_has_all_combinations_and_the_first_of_each_is_the_base() -> None:
    found = points(vary={"a": [1, 2], "b": ["x", "y", "z"]})
    assert len(found) == 6
    assert found[0].is_base
    assert found[0].values == {"a": 1, "b": "x"}
    assert sum(point.is_base for point in found) == 1
    assert found[-1].label == "a = 2, b = z"


def test_one_change_at_a_time_leaves_all_else_at_the_base() -> None:
    found = labels(
        design="one at a time", base={"b": "y"}, vary={"a": [1, 2], "b": ["x", "y", "z"]}
    )
    assert found == ["base", "a = 2", "b = x", "b = z"]


def test_a_list_of_points_changes_the_base() -> None:
    found = labels(design="points", base={"a": 1, "b": ""}, points=[{"a": 2}, {"a": 2, "b": "x"}])
    assert found == ["base", "a = 2", "a = 2, b = x"]


def test_dotted_names_are_tables_in_toml() -> None:
    found = points(vary={"case": {"solver": {"cycles": [1, 2]}}})
    assert found[1].values == {"case.solver.cycles": 2}


def test_strong_scaling_repeats_the_design_at_each_scale() -> None:
    found = labels(scaling={"strong": [1, "2x2"]}, vary={"mpi": ["openmpi", "mpich"]})
    assert found == [
        "base at 1 rank",
        "mpi = mpich at 1 rank",
        "base at 2 ranks × 2 threads",
        "mpi = mpich at 2 ranks × 2 threads",
    ]


def test_ranks_of_a_product_are_scales() -> None:
    assert labels(vary={"ranks": [1, 2]}) == ["base at 1 rank", "base at 2 ranks"]


def test_weak_scaling_grows_with_the_cores() -> None:
    found = points(scaling={"weak": [1, 2, "2x3"], "grows": "mesh_nodes", "each": 1000})
    assert [point.values["mesh_nodes"] for point in found] == [1000, 2000, 6000]


def test_scales_may_name_hosts() -> None:
    (found,) = points(scaling={"strong": ["2x4x8"]})
    assert found.values == {"hosts": 2, "ranks": 4, "threads": 8}
    assert found.cores == 32


def test_conditions_leave_points_out() -> None:
    found = labels(
        vary={"ranks": [1, 2, 4], "threads": [1, 2]},
        exclude=["ranks * threads > 4 and threads > 1"],
    )
    assert len(found) == 5


def test_a_point_that_is_said_twice_runs_once() -> None:
    assert labels(design="points", base={"a": 1}, points=[{"a": 2}, {"a": 2}, {"a": 1}]) == [
        "base",
        "a = 2",
    ]


def test_true_is_not_1() -> None:
    assert labels(vary={"a": [1, True]}) == ["base", "a = yes"]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"vary": {"a": []}}, "'vary.a' is empty"),
        ({"vary": {"a": 3}}, "not a list"),
        ({"vary": {"a": [[1]]}}, "neither text nor number"),
        ({"vary": {"ranks": [0]}}, "whole number from 1"),
        ({"vary": {"ranks": ["4"], "threads": [1.5]}}, "whole number from 1"),
        ({"vary": {"a": [1, 2]}, "exclude": ["a > 0"]}, "no point is left"),
        ({"vary": {"a": [1, 2]}, "exclude": ["a == 1"]}, "the base is excluded"),
        ({"vary": {"a": [1, 2]}, "exclude": ["a >"]}, "is not a condition"),
        ({"vary": {"a": [1, 2]}, "exclude": ["b > 1"]}, "not a variable"),
        ({"points": [{"a": 1}]}, 'design = "points"'),
        ({"design": "points", "vary": {"a": [1]}}, "needs \\[\\[points\\]\\]"),
        ({"design": "points", "base": {"b": 1}, "points": [{"a": 1}]}, "\\[base\\] has no 'a'"),
        ({"scaling": {}}, "either `strong` or `weak`"),
        ({"scaling": {"strong": []}}, "lists no scale"),
        ({"scaling": {"strong": ["4y"]}}, "is not a scale"),
        ({"scaling": {"strong": [0]}}, "is not a scale"),
        ({"scaling": {"weak": [1, 2]}}, "`grows` and `each`"),
        ({"vary": {name: list(range(10)) for name in "abcde"}}, "more than 10,000"),
    ],
)
def test_a_design_without_sense_gets_a_sentence(keys: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInputError, match=words):
        points(**keys)
