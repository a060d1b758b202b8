# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Conditions over variables, e.g. `ranks * threads > 4 and mpi == 'mpich'`, evaluated safely.

Python parses them; what is evaluated are numbers, texts, lists, arithmetic, comparisons, and, or,
not, and names of variables. There are no calls, attributes or powers, so that a study file of
somebody else can do nothing and takes no time.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from halocline.errors import suggestion

LONGEST = 1000
ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda value, group: value in group,
    ast.NotIn: lambda value, group: value not in group,
}


class ConditionError(ValueError):
    """A condition cannot be understood or evaluated; the text says why."""


class Condition:
    """One condition; dots of variable names are kept (`case.solver.cycles`)."""

    def __init__(self, text: str) -> None:
        """Parse `text`; raises ConditionError."""
        if len(text) > LONGEST:
            raise ConditionError(f"has more than {LONGEST} characters")
        try:
            self._tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise ConditionError('is not a condition, such as "ranks * threads > 4"') from None

    def holds(self, values: Mapping[str, Any]) -> bool:
        """Say whether it holds; a variable that a point does not have is None."""
        try:
            return bool(_value(self._tree, values))
        except (TypeError, ArithmeticError, RecursionError) as error:
            raise ConditionError(f"cannot be evaluated ({error})") from None


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return value
        case ast.Name() | ast.Attribute():
            return _variable(node, values)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item, values) for item in items]
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_value(part, values) for part in parts)
        case ast.BoolOp(values=parts):
            return any(_value(part, values) for part in parts)
        case ast.UnaryOp(op=ast.Not() | ast.USub() as op, operand=part):
            value = _value(part, values)
            return not value if isinstance(op, ast.Not) else -value
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            return _arithmetic(op, _value(left, values), _value(right, values))
        case ast.Compare(left=left, ops=ops, comparators=others):
            return _compared(_value(left, values), ops, [_value(each, values) for each in others])
    raise ConditionError(f"holds '{ast.unparse(node)}', which is neither value nor comparison")


def _arithmetic(op: ast.operator, left: Any, right: Any) -> Any:
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        raise TypeError(f"{left!r} and {right!r} are not both numbers")
    return ARITHMETIC[type(op)](left, right)


def _compared(left: Any, ops: list[ast.cmpop], others: list[Any]) -> bool:
    for op, right in zip(ops, others, strict=True):
        if type(op) not in COMPARISONS:
            raise ConditionError("knows no 'is'; write ==")
        if not COMPARISONS[type(op)](left, right):
            return False
        left = right
    return True


def _variable(node: ast.Name | ast.Attribute, values: Mapping[str, Any]) -> Any:
    name = ast.unparse(node)
    if name not in values:
        raise ConditionError(f"names '{name}', which is not a variable. {suggestion(name, values)}")
    return values[name]
