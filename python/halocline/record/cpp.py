# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the C++ structs of run records and the names of their keys from the record model.

`python -m halocline.record.cpp src/halocline/io` rewrites the two headers there. An entry of the
record is therefore described once, in Python; the native programs only fill it.

A key becomes a member of the same name. What the model allows, the member says: a key that may be
null is a `std::optional`, but for numbers that every run has (`double`, not finite: null). A member
starts at the model's default, or else at the least value that the model allows.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
import types
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from halocline.documents.check import types_of
from halocline.documents.part import Bounds, DocumentPart, Key
from halocline.documents.reference import meaning, parts_below
from halocline.files.output_file import write_text
from halocline.record.model import Record

STRUCTS = "run_record.generated.hpp"
KEYS = "run_record_keys.generated.hpp"
WIDTH = 100
SCALARS: dict[Any, str] = {
    str: "std::string",
    int: "std::int64_t",
    float: "double",
    bool: "bool",
}
#: Names that C++ has another use for.
TAKEN = {"case": "run_case"}

HEAD = """\
// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// {subject} of run records, made by `python -m halocline.record.cpp src/halocline/io`.
// Change python/halocline/record and make it again.
#pragma once

{includes}
namespace halocline::record {{

"""
TAIL = "}  // namespace halocline::record\n"


def structs() -> str:
    """Return the header of all parts of a record, each before the parts that hold it."""
    includes = "".join(
        f"#include <{name}>\n"
        for name in ("cstdint", "limits", "map", "optional", "string", "vector")
    )
    head = HEAD.format(subject="Parts", includes=includes)
    return head + "\n".join(_struct(part) for part in _in_order(Record)) + "\n" + TAIL


def visitors() -> str:
    """Return the header that tells a visitor the keys of each part, in the order of the file."""
    includes = f'#include <cstdint>\n\n#include "halocline/io/{STRUCTS}"\n'
    head = HEAD.format(subject="Keys", includes=includes)
    head += "// Each function calls visit(key, value) for all keys of a part, in their order.\n\n"
    return head + "\n".join(_visit(part) for part in _in_order(Record)) + "\n" + TAIL


def _in_order(part: type[DocumentPart]) -> list[type[DocumentPart]]:
    """Bases and members come before what is made of them."""
    below = [inner for each in parts_below(part) for inner in _in_order(each)]
    base = [] if _base(part) is DocumentPart else _in_order(_base(part))
    return list(dict.fromkeys([*base, *below, part]))


def _base(part: type[DocumentPart]) -> type[DocumentPart]:
    base: type[DocumentPart] = part.__bases__[0]
    return base


def _struct(part: type[DocumentPart]) -> str:
    base = _base(part)
    inherits = "" if base is DocumentPart else f" : {base.__name__}"
    hints = types_of(part)
    own = [name for name in part.__keys__ if name not in base.__keys__]
    members = [
        _comment(meaning(hints[name], part.__keys__[name]), "    ")
        + f"    {_member(hints[name], part.__keys__[name], name)};\n"
        for name in own
        if _constant(hints[name]) is None
    ]
    text = inspect.cleandoc(part.__doc__ or "")
    return _comment(text, "") + f"struct {part.__name__}{inherits} {{\n{''.join(members)}}};\n"


def _visit(part: type[DocumentPart]) -> str:
    hints = types_of(part)
    lines = [
        f'    visit("{declared.name or name}", {_value(hints[name], name)});\n'
        for name, declared in part.__keys__.items()
    ]
    head = (
        "template <class Visit>\n"
        f"void for_each_key(const {part.__name__}& part, const Visit& visit) {{\n"
    )
    return head + "".join(lines) + "}\n"


def _value(hint: Any, name: str) -> str:
    constant = _constant(hint)
    if constant is None:
        return f"part.{TAKEN.get(name, name)}"
    return f'"{constant}"' if isinstance(constant, str) else f"std::int64_t{{{constant}}}"


def _constant(hint: Any) -> str | int | None:
    """Return what a key always holds, where it does."""
    choices = get_args(hint) if get_origin(hint) is Literal else ()
    return choices[0] if len(choices) == 1 else None


def _comment(text: str, indent: str) -> str:
    lines = text.splitlines()
    wrapped = [
        row for line in lines for row in textwrap.wrap(line, WIDTH - len(indent) - 4) or [""]
    ]
    return "".join(f"{indent}/// {row}".rstrip() + "\n" for row in wrapped)


def _member(hint: Any, declared: Key, name: str) -> str:
    inner, may_be_null = _without_null(hint)
    if may_be_null and not _is_always_there(inner, declared):
        return f"std::optional<{_type(inner)}> {TAKEN.get(name, name)}{{}}"
    start = "std::numeric_limits<double>::quiet_NaN()" if may_be_null else _start(inner, declared)
    if declared.newer:
        start = _start(inner, Key())
    return f"{_type(inner)} {TAKEN.get(name, name)}{start if start == '{}' else f' = {start}'}"


def _is_always_there(inner: Any, declared: Key) -> bool:
    """Whether null stands for a number that is not finite, or for a key that older files lack."""
    return declared.newer or (declared.is_required and _type(inner) == "double")


def _without_null(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) not in (Union, types.UnionType):
        return hint, False
    (inner,) = [each for each in get_args(hint) if each is not types.NoneType]
    return inner, True


def _type(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _type(inner[0])
    if origin is Literal:
        return SCALARS[type(inner[0])]
    if origin is list:
        # A number of a list that is null is one that is not finite.
        return f"std::vector<{_type(_without_null(inner[0])[0])}>"
    if origin is dict:
        return f"std::map<{_type(inner[0])}, {_type(inner[1])}>"
    return SCALARS.get(hint) or str(hint.__name__)


def _start(hint: Any, declared: Key) -> str:
    """Return the value a member starts with: the default, the first choice, the least allowed."""
    if not declared.is_required and declared.factory is None:
        return _literal(declared.default)
    if get_origin(hint) is Literal:
        return _literal(get_args(hint)[0])
    if hint is bool:
        return "false"
    kind = next(iter(get_args(hint)), hint)
    if kind in (int, float) and get_origin(hint) in (None, Annotated):
        return _literal(kind(_least(hint)))
    return "{}"


def _least(hint: Any) -> float:
    limits = [each for each in get_args(hint)[1:] if isinstance(each, Bounds)]
    return next((each.ge for each in limits if each.ge is not None), 0.0)


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"' if value else "{}"
    return str(value)


def main() -> None:
    """Rewrite both headers in the folder that is named."""
    folder = Path(sys.argv[1])
    write_text(folder / STRUCTS, structs())
    write_text(folder / KEYS, visitors())


if __name__ == "__main__":
    main()
