# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""From a study file to its points: combinations, one change at a time, or a list; at each scale."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from halocline.errors import InvalidInputError
from halocline.study.conditions import Condition, ConditionError
from halocline.study.model import ScalingSection, StudyFile
from halocline.study.point import SCALE, Point, Value, Values, scale_words

MOST_POINTS = 10_000
SCALE_TEXT = re.compile(r"(?:(\d+)x)?(\d+)x(\d+)|(\d+)")


def points_of(file: StudyFile, source: str) -> list[Point]:
    """Return all points, the base of each scale first; raises InvalidInputError."""
    vary = {name: _list(name, values, source) for name, values in _flat(file.vary).items()}
    scaling = file.scaling
    if scaling is None and file.design == "product" and "ranks" in vary:
        scaling = ScalingSection(strong=vary.pop("ranks"))  # type: ignore[arg-type] # checked
    base = _base(file, vary, source)
    scales = _scales(scaling, base, source)
    settings = _settings(file, base, vary, source)
    excluded = _conditions(file.exclude, source)
    if len(scales) * len(settings) > MOST_POINTS:
        raise InvalidInputError(
            f"{source}: {len(scales) * len(settings):,} points are more than {MOST_POINTS:,} (they "
            "would never end). Vary less, or one at a time."
        )
    return _numbered(list(_points(base, scales, settings, excluded)), source)


def _points(
    base: Values, scales: list[Values], settings: list[Values], excluded: Mapping[str, Condition]
) -> Iterator[tuple[Values, Values, str]]:
    """Yield values, changes and scale of each point that no condition excludes."""
    known = dict.fromkeys(itertools.chain(base, *scales, *settings))
    for scale in scales:
        words = scale_words(base | scale) if len(scales) > 1 else ""
        for changes in settings:
            values = base | changes | scale
            if not _excluded(known | values, excluded):
                yield values, changes, words


def _numbered(found: list[tuple[Values, Values, str]], source: str) -> list[Point]:
    if not found:
        raise InvalidInputError(
            f"{source}: no point is left (`exclude` leaves out all of them). Change a condition."
        )
    points = []
    for number, (values, changes, scale) in enumerate(found):
        points.append(Point(f"p{number:03d}", values, scale, changes, is_base=not changes))
    for scale in dict.fromkeys(point.scale for point in points):
        if not any(point.is_base and point.scale == scale for point in points):
            where = f" at {scale}" if scale else ""
            raise InvalidInputError(
                f"{source}: the base{where} is excluded (nothing is left to compare with). Change "
                "[base] or a condition of `exclude`."
            )
    return points


def _base(file: StudyFile, vary: Mapping[str, list[Value]], source: str) -> Values:
    """Return the base: what [base] says, and of the others the first value to vary."""
    base = {name: _scalar(name, value, "base", source) for name, value in _flat(file.base).items()}
    if file.design == "points":
        return base
    return {name: values[0] for name, values in vary.items()} | base


def _settings(
    file: StudyFile, base: Values, vary: Mapping[str, list[Value]], source: str
) -> list[Values]:
    """Return changes of the base, none (the base itself) first."""
    if file.design == "points":
        return _listed(file, base, vary, source)
    if file.points:
        raise InvalidInputError(
            f"{source}: [[points]] are given, but key 'design' is '{file.design}'. "
            'Write design = "points", or leave them out.'
        )
    if file.design == "product":
        named = (dict(zip(vary, row, strict=True)) for row in itertools.product(*vary.values()))
        rows = list(itertools.islice(named, MOST_POINTS + 1))
    else:
        rows = [{name: value} for name, values in vary.items() for value in values]
    return _distinct([_changes(row, base) for row in rows])


def _listed(
    file: StudyFile, base: Values, vary: Mapping[str, list[Value]], source: str
) -> list[Values]:
    if vary or not file.points:
        raise InvalidInputError(
            f'{source}: design = "points" needs [[points]] and no [vary]. Change one of them.'
        )
    rows = [
        {
            name: _scalar(name, value, f"points.{place}", source)
            for name, value in _flat(row).items()
        }
        for place, row in enumerate(file.points)
    ]
    unknown = {name for row in rows for name in row} - set(base)
    if unknown:
        raise InvalidInputError(
            f"{source}: [base] has no '{min(unknown)}', which a point changes (there is "
            "nothing to compare with). Add it to [base]."
        )
    return _distinct([_changes(row, base) for row in rows])


def _changes(row: Values, base: Values) -> Values:
    return {name: value for name, value in row.items() if not _same(base.get(name), value)}


def _same(one: Value | None, other: Value) -> bool:
    return type(one) is type(other) and one == other


def _distinct(rows: list[Values]) -> list[Values]:
    """Return the base and every other row once."""
    found: list[Values] = [{}]
    seen = {"{}"}
    for row in rows:
        if repr(row) not in seen:
            seen.add(repr(row))
            found.append(row)
    return found


def _scales(scaling: ScalingSection | None, base: Values, source: str) -> list[Values]:
    if scaling is None:
        return [{}]
    if (scaling.strong is None) == (scaling.weak is None):
        raise InvalidInputError(f"{source}: [scaling] needs either `strong` or `weak`. Correct it.")
    weak = scaling.weak is not None
    if weak != (scaling.grows is not None) or weak != (scaling.each is not None):
        raise InvalidInputError(
            f"{source}: [scaling] needs `grows` and `each` with `weak`, and only with it (what "
            'grows with the cores, e.g. grows = "mesh_nodes", each = 100000). Correct it.'
        )
    listed = scaling.weak if scaling.weak is not None else scaling.strong
    if not listed:
        raise InvalidInputError(
            f"{source}: [scaling] lists no scale (nothing would run). Add some."
        )
    found: dict[str, Values] = {}
    for text in listed:
        scale = _scale(text, scaling, base, source)
        found.setdefault(scale_words(base | scale), scale)  # "4" and "4x1" are one
    return list(found.values())


def _scale(text: int | str, scaling: ScalingSection, base: Values, source: str) -> Values:
    match = SCALE_TEXT.fullmatch(str(text))
    if match is None or not all(int(part) for part in match.groups() if part):
        raise InvalidInputError(
            f"{source}: [scaling] has {text!r}, which is not a scale. Write ranks, as 4, or "
            '"4x2" for 4 ranks of 2 threads, or "2x4x2" on 2 hosts.'
        )
    hosts, ranks, threads, alone = match.groups()
    values: Values = {"ranks": int(alone or ranks)}
    if threads:
        values["threads"] = int(threads)
    if hosts:
        values["hosts"] = int(hosts)
    if scaling.grows is not None and scaling.each is not None:
        threads_now = values.get("threads", base.get("threads", 1))
        values[scaling.grows] = scaling.each * int(values["ranks"]) * int(threads_now)
    return values


def _conditions(texts: list[str], source: str) -> dict[str, Condition]:
    found = {}
    for text in texts:
        try:
            found[f"{source}: key 'exclude': {text!r}"] = Condition(text)
        except ConditionError as error:
            raise InvalidInputError(
                f"{source}: key 'exclude': {text!r} {error}. Correct it."
            ) from None
    return found


def _excluded(values: Mapping[str, Any], conditions: Mapping[str, Condition]) -> bool:
    for place, condition in conditions.items():
        try:
            if condition.holds(values):
                return True
        except ConditionError as error:
            raise InvalidInputError(f"{place} {error}. Correct it.") from None
    return False


def _flat(table: Mapping[str, Any], start: str = "") -> dict[str, Any]:
    """Return dotted names: `case.solver.cycles` is three tables in TOML."""
    found: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{start}{name}.")
        else:
            found[start + name] = value
    return found


def _list(name: str, values: Any, source: str) -> list[Value]:
    if not isinstance(values, list):
        raise InvalidInputError(
            f"{source}: key 'vary.{name}' is {values!r}, not a list of values. Write [ ] around "
            "them, or put it into [base]."
        )
    if not values:
        raise InvalidInputError(
            f"{source}: key 'vary.{name}' is empty (no point would be left). Add values."
        )
    return [_scalar(name, value, "vary", source) for value in values]


def _scalar(name: str, value: Any, table: str, source: str) -> Value:
    if not isinstance(value, str | int | float | bool):
        raise InvalidInputError(
            f"{source}: key '{table}.{name}' has {value!r}, which is neither text nor number. "
            "Correct it."
        )
    if name in SCALE and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
        raise InvalidInputError(
            f"{source}: key '{table}.{name}' has {value!r}, not a whole number from 1. Correct it."
        )
    return value
