# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the algorithms of a program's collectives, launch after launch.

In each launch the default competes twice, as itself and as `again`: what these two differ is
what the measurement cannot tell. Where the library lets a running program choose, all algorithms
compete in that launch; the others (`refused` variables, or a rules file of the user that wins over
them) have launches of their own beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from typing import Any

from halocline.preload.family import Family
from halocline.tune.bench import AGAIN, BASE, Bench, BenchPoint, Contender, Outcome
from halocline.tune.candidates import (
    DYNAMIC,
    RULES_FILE,
    Algorithm,
    algorithms,
)
from halocline.tune.journal import Journal
from halocline.tune.library import Library
from halocline.tune.points import Point
from halocline.tune.settings import MCA, Setting

FORCED = re.compile(r"coll_tuned_\w+_algorithm")
BLOCKS = 3
ROUNDS = 10
S_A_SAMPLE = 0.004  # a sample, its barrier and its reduction, with room for slow algorithms
LEAST_LIMIT_S = 60.0


@dataclass(frozen=True)
class Field:
    """A point with its algorithms, and what became of them.

    `times_s` (launches × rounds) holds NaN where there is none.
    """

    point: Point
    algorithms: list[Algorithm]
    times_s: dict[str, list[float]] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Launch:
    """Contenders that one launch can measure, with the setting that it needs."""

    setting: Setting
    points: list[BenchPoint]


def fields_of(library: Library, points: Sequence[Point], data: bytes) -> list[Field]:
    """Return the points for which the library has algorithms to choose from.

    Args:
        library: as described by its ranks.
        points: as recorded.
        data: the library's file.
    """
    fields = [
        Field(point, algorithms(library, point.function, point.bytes, data)) for point in points
    ]
    return [each for each in fields if each.algorithms]


def base_setting(library: Library) -> Setting:
    """Return what lets a running program choose, without changing what it gets by itself."""
    if library.family is not Family.OPENMPI or library.value(DYNAMIC) is None:
        return Setting()
    changed = {MCA + DYNAMIC: "1"}
    if library.value(DYNAMIC) != "1":  # what is set without it has no effect and must stay so
        for name, variable in library.variables.items():
            if FORCED.fullmatch(name) and variable.value not in ("", "0"):
                changed[MCA + name] = "0"
        if library.value(RULES_FILE):
            changed[MCA + RULES_FILE] = ""
    return Setting(changed)


def plan_launches(library: Library, fields: Sequence[Field]) -> list[Launch]:
    """Divide what is to be measured into launches of one block; the first has the default."""
    base = base_setting(library)
    user_rules = library.family is Family.OPENMPI and bool(library.value(RULES_FILE))
    user_rules = user_rules and library.value(DYNAMIC) == "1"
    both = (Contender(BASE), Contender(AGAIN))
    inside, outside = [], []
    for each in fields:
        free = [a for a in each.algorithms if a.writable]
        contenders = tuple(Contender(a.name, _assignments(a)) for a in free)
        inside.append(BenchPoint(each.point, both if user_rules else (*both, *contenders)))
        if user_rules and contenders:
            outside.append(BenchPoint(each.point, contenders))
    launches = [Launch(base, inside)]
    if outside:
        launches.append(Launch(base.joined(Setting({MCA + RULES_FILE: ""})), outside))
    return launches + _own_launches(library, fields, base, user_rules)


def _assignments(algorithm: Algorithm) -> tuple[str, ...]:
    return tuple(f"{name}={value}" for name, value in algorithm.values.items())


def _own_launches(
    library: Library, fields: Sequence[Field], base: Setting, user_rules: bool
) -> list[Launch]:
    """Launches for variables that cannot be set later, as few as their values allow.

    Functions have variables of their own and share a launch; two algorithms of one function do not,
    nor do two contenders of one point.
    """
    prefix = MCA if library.family is Family.OPENMPI else ""
    launches: list[tuple[dict[str, str], dict[str, BenchPoint]]] = []
    for each in fields:
        for algorithm in each.algorithms:
            if algorithm.writable:
                continue
            wanted = {prefix + name: str(value) for name, value in algorithm.values.items()}
            free = (one for one in launches if _fits(each.point.name, wanted, *one))
            environment, points = next(free, ({}, {}))
            if not points:
                launches.append((environment, points))
            environment |= wanted
            points[each.point.name] = BenchPoint(each.point, (Contender(algorithm.name),))
    if user_rules:
        base = base.joined(Setting({MCA + RULES_FILE: ""}))
    return [
        Launch(base.joined(Setting(environment)), list(points.values()))
        for environment, points in launches
    ]


def _fits(
    point: str, wanted: dict[str, str], environment: dict[str, str], points: Container[str]
) -> bool:
    """Whether a launch leaves a point free and says nothing else of the wanted variables."""
    return point not in points and all(
        environment.get(name, value) == value for name, value in wanted.items()
    )


def measure_fields(
    bench: Bench,
    library: Library,
    fields: Sequence[Field],
    journal: Journal,
    seed: int,
    progress: Callable[[float], None],
) -> None:
    """Measure all fields in blocks of launches; finished launches are taken from the journal.

    Args:
        progress: called with the share that is done, 0 to 1.
    """
    launches = plan_launches(library, fields)
    by_name = {each.point.name: each for each in fields}
    total = BLOCKS * len(launches)
    bad: dict[str, set[str]] = {}
    for block in range(BLOCKS):
        for place, launch in enumerate(launches):
            name = f"bench {block} {place}"
            if name not in journal:
                points = [each.without(bad.get(each.point.name, set())) for each in launch.points]
                found = bench.measure(
                    points, launch.setting, ROUNDS, seed + block, _limit_s(points)
                )
                journal.put(name, _plain(found))
            _enter(journal[name], by_name, block, bad)
            progress((block * len(launches) + place + 1) / total)


def _limit_s(points: Sequence[BenchPoint]) -> float:
    samples = sum(len(each.contenders) for each in points) * (ROUNDS + 4)
    members = max(each.point.members for each in points)
    return LEAST_LIMIT_S + samples * S_A_SAMPLE * max(4, members) * 4


def _plain(found: dict[str, dict[str, Outcome]]) -> dict[str, Any]:
    return {
        point: {name: [each.state, each.times_ns] for name, each in outcomes.items()}
        for point, outcomes in found.items()
    }


def _enter(
    data: dict[str, Any], by_name: dict[str, Field], block: int, bad: dict[str, set[str]]
) -> None:
    """Add a launch's times; who was wrong, crashed or far too slow is not measured again."""
    for point, outcomes in data.items():
        target = by_name[point]
        for name, (state, times_ns) in outcomes.items():
            times = target.times_s.setdefault(name, [float("nan")] * (BLOCKS * ROUNDS))
            for place, value in enumerate(times_ns[:ROUNDS]):
                times[block * ROUNDS + place] = value * 1e-9
            if state != "ok" or name not in target.states:
                target.states[name] = state
            if state != "ok":
                bad.setdefault(point, set()).add(name)
