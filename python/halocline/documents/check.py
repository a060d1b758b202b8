# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Turns JSON data into parts of documents, strictly by the types that the parts declare.

No value is converted (but a whole number to a float); the first problem ends the reading.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from halocline.documents.part import Bounds, DocumentPart, Key
from halocline.wording import counted

Part = TypeVar("Part", bound=DocumentPart)
Check = Callable[[Any], Any]
"""Takes JSON data, returns the value; raises `Problem`."""


class Problem(Exception):  # noqa: N818 - it becomes an error where the file is known
    """What is wrong, and at which key; `siblings` are known keys beside an unknown one."""

    def __init__(self, sentence: str, *location: str | int) -> None:
        super().__init__(sentence)
        self.location: list[str | int] = list(location)
        self.siblings: list[str] | None = None

    def below(self, place: str | int) -> Problem:
        """Return the problem as seen from one level above."""
        self.location.insert(0, place)
        return self


def prepare(part: type[DocumentPart]) -> None:
    """Make the reader of a part, as the first reading would do."""
    _part(part)  # type: ignore[arg-type] # mypy hashes an instance


def checked(part: type[Part], data: Any) -> Part:
    """Return JSON data as a part; raises `Problem`."""
    made: Part = _part(part)(data)  # type: ignore[arg-type] # mypy hashes an instance
    return made


def types_of(part: type[DocumentPart]) -> dict[str, Any]:
    """Return the type of each key, `Annotated` included."""
    hints = get_type_hints(part, include_extras=True)
    return {name: hints[name] for name in part.__keys__}


@cache
def _part(part: type[DocumentPart]) -> Check:
    hints = types_of(part)
    keys = part.__keys__
    rows = [(name, each.name or name, _value(hints[name], each)) for name, each in keys.items()]
    required = {name for name, each in keys.items() if each.is_required}
    known = [alias for _, alias, _ in rows]

    def check(data: Any) -> DocumentPart:
        if type(data) is not dict:
            raise Problem("input should be an object")
        values = {}
        for name, alias, value in rows:
            if alias in data:
                try:
                    values[name] = value(data[alias])
                except Problem as problem:
                    raise problem.below(alias) from None
            elif name in required:
                raise Problem("field required", alias)
        if len(values) < len(data) and not part.__open__:
            raise _unknown(next(key for key in data if key not in known), known)
        made = part(**values)
        try:
            made.verify_whole()
        except ValueError as error:
            raise Problem(f"value error, {error}".lower()) from None
        return made

    return check


def _unknown(name: str, known: list[str]) -> Problem:
    problem = Problem("unknown key", name)
    problem.siblings = known
    return problem


def _value(hint: Any, declared: Key) -> Check:
    check = _check(hint)
    least = declared.min_length
    if not least:
        return check

    def long_enough(data: Any) -> Any:
        value = check(data)
        if value is not None and len(value) < least:
            unit = "character" if isinstance(value, str) else "item"
            raise Problem(f"input should have at least {counted(least, unit)}, not {len(value)}")
        return value

    return long_enough


def _check(hint: Any) -> Check:
    """Return what checks values of a type as it stands in an annotation."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        limits = next(each for each in inner[1:] if isinstance(each, Bounds))
        return _number(inner[0], limits)
    if origin in (Union, types.UnionType):
        return _one_of([_check(each) for each in inner if each is not type(None)], len(inner))
    if origin is Literal:
        return _choice(inner)
    if origin is list:
        return _list(_check(inner[0]))
    if origin is tuple:
        return _row([_check(each) for each in inner])
    if origin is dict:
        return _object(_check(inner[1]))
    if hint in (int, float):
        return _number(hint, Bounds())
    return {str: _text, bool: _truth}.get(hint) or _part(hint)


def _one_of(checks: list[Check], branches: int) -> Check:
    """A value or null, or one of several parts; of the last part is what is said."""
    may_be_null = len(checks) < branches

    def check(data: Any) -> Any:
        if data is None and may_be_null:
            return None
        for each in checks[:-1]:
            try:
                return each(data)
            except Problem:
                continue
        return checks[-1](data)

    return check


def _number(kind: type, limits: Bounds) -> Check:
    low = -math.inf if limits.ge is None else limits.ge
    high = math.inf if limits.le is None else limits.le
    if kind is float:
        return _real(low, high, limits.gt)

    def check(data: Any) -> int:
        if type(data) is int:
            if low <= data <= high:
                return data
            raise _outside(data, limits)
        raise Problem("input should be a valid integer")

    return check


def _real(low: float, high: float, above: float | None) -> Check:
    limits = Bounds(low, above, high)

    def check(data: Any) -> float:
        if type(data) is not float:
            if type(data) is not int:
                raise Problem("input should be a valid number")
            data = float(data)
        if not math.isfinite(data):
            raise Problem("input should be a finite number")
        if not low <= data <= high or (above is not None and data <= above):
            raise _outside(data, limits)
        return float(data)

    return check


def _outside(value: float, limits: Bounds) -> Problem:
    if limits.gt is not None and value <= limits.gt:
        return Problem(f"input should be greater than {limits.gt:g}")
    if limits.ge is not None and value < limits.ge:
        return Problem(f"input should be greater than or equal to {limits.ge:g}")
    return Problem(f"input should be less than or equal to {limits.le}")


def _text(data: Any) -> str:
    if type(data) is not str:
        raise Problem("input should be a valid string")
    if not data.isascii():
        try:
            data.encode()
        except UnicodeEncodeError:
            raise Problem("input should be a valid string, it holds half a character") from None
    return data


def _truth(data: Any) -> bool:
    if type(data) is not bool:
        raise Problem("input should be a valid boolean")
    return data


def _choice(choices: tuple[Any, ...]) -> Check:
    words = [repr(each) for each in choices]
    last = f" or {words[-1]}" if len(words) > 1 else ""
    sentence = f"input should be {', '.join(words[:-1] or words)}{last}"

    def check(data: Any) -> Any:
        if any(type(data) is type(each) and data == each for each in choices):
            return data
        raise Problem(sentence)

    return check


def _list(item: Check) -> Check:
    def check(data: Any) -> list[Any]:
        if type(data) is not list:
            raise Problem("input should be a valid array")
        made: list[Any] = []
        try:
            for each in data:
                made.append(item(each))  # noqa: PERF401 - its length tells where a problem is
        except Problem as problem:
            raise problem.below(len(made)) from None
        return made

    return check


def _row(columns: list[Check]) -> Check:
    def check(data: Any) -> tuple[Any, ...]:
        if type(data) is not list:
            raise Problem("input should be a valid array")
        if len(data) != len(columns):
            raise Problem(f"array should have {len(columns)} items, not {len(data)}")
        made: list[Any] = []
        try:
            for column, each in zip(columns, data, strict=True):
                made.append(column(each))
        except Problem as problem:
            raise problem.below(len(made)) from None
        return tuple(made)

    return check


def _object(item: Check) -> Check:
    def check(data: Any) -> dict[str, Any]:
        if type(data) is not dict:
            raise Problem("input should be an object")
        made = {}
        for name, each in data.items():
            try:
                made[_text(name)] = item(each)
            except Problem as problem:
                raise problem.below(name) from None
        return made

    return check
