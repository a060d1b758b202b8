# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Derives JSON schemas and the key tables of documentation pages from the parts of documents."""

from __future__ import annotations

import inspect
import json
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from halocline.documents.check import types_of
from halocline.documents.part import Bounds, DocumentPart, Key

NAMES: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}
Schema = dict[str, Any]


def schema_text(document: type[DocumentPart]) -> str:
    """Return the JSON schema (draft 2020-12) as text."""
    parts = sorted(parts_below(document), key=lambda part: part.__name__)
    schema = {
        "$defs": {part.__name__: _schema(part) for part in parts},
        **_schema(document),
    }
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps(dialect | schema, indent=2, ensure_ascii=False) + "\n"


def _schema(part: type[DocumentPart]) -> Schema:
    hints, keys = types_of(part), part.__keys__
    required = [each.name or name for name, each in keys.items() if each.is_required]
    return {
        "additionalProperties": part.__open__,
        "description": inspect.cleandoc(part.__doc__ or ""),
        "properties": {
            each.name or name: _property(hints[name], each, each.name or name)
            for name, each in keys.items()
        },
        **({"required": required} if required else {}),
        "title": part.__name__,
        "type": "object",
    }


def _property(hint: Any, declared: Key, name: str) -> Schema:
    made = _value_schema(hint)
    if declared.min_length:
        made["minItems"] = declared.min_length
    if declared.factory is None and not declared.is_required:
        made["default"] = declared.default
    if declared.description:
        made["description"] = declared.description
    if "$ref" not in made and {"$ref"} not in [set(each) for each in made.get("anyOf", [])]:
        made["title"] = name.replace("_", " ").title().strip()
    return dict(sorted(made.items()))


def _value_schema(hint: Any) -> Schema:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return dict(sorted((_bounds(inner[1]) | _value_schema(inner[0])).items()))
    if origin in (Union, types.UnionType):
        return {"anyOf": [_value_schema(each) for each in inner]}
    if origin is list:
        return {"items": _value_schema(inner[0]), "type": "array"}
    if origin is dict:
        return {"additionalProperties": _value_schema(inner[1]), "type": "object"}
    if origin is Literal:
        choices = {"enum": list(inner)} if len(inner) > 1 else {"const": inner[0]}
        return {**choices, "type": NAMES[type(inner[0])]}
    if hint is types.NoneType:
        return {"type": "null"}
    return {"type": NAMES[hint]} if hint in NAMES else {"$ref": f"#/$defs/{hint.__name__}"}


def _bounds(limits: Bounds) -> Schema:
    words = {"minimum": limits.ge, "exclusiveMinimum": limits.gt, "maximum": limits.le}
    return {word: bound for word, bound in words.items() if bound is not None}


def key_tables(document: type[DocumentPart], title: str) -> str:
    """Return one Markdown table for each part of a document, the document itself first."""
    parts = [document, *parts_below(document)]
    return "\n".join(_table(part, title if part is document else part.__name__) for part in parts)


def _table(part: type[DocumentPart], title: str) -> str:
    lines = [f"### {title}", "", (part.__doc__ or "").strip(), ""]
    lines += ["| key | type | meaning |", "| --- | --- | --- |"]
    hints = types_of(part)
    for name, declared in part.__keys__.items():
        kind = _type_name(hints[name])
        words = meaning(hints[name], declared).replace("|", r"\|")
        lines.append(f"| `{declared.name or name}` | {kind}{_presence(declared)} | {words} |")
    return "\n".join(lines) + "\n"


def _presence(declared: Key) -> str:
    if declared.is_required:
        return ""
    return "; absent in older files" if declared.newer else "; may be absent"


def meaning(hint: Any, declared: Key) -> str:
    """Return what a key stands for: its own words, or else those of the part it holds."""
    return declared.description or _first_line(hint)


def _type_name(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _type_name(inner[0])
    if origin in (Union, types.UnionType):
        names = [_type_name(item) for item in inner if item is not types.NoneType]
        return " or ".join([*names, "null"])
    if origin is list:
        return f"[{_type_name(inner[0])}]"
    if origin is dict:
        return "object"
    if origin is Literal:
        return ", ".join(f"`{item}`" for item in inner)
    return NAMES.get(hint) or f"[{hint.__name__}](#{hint.__name__.lower()})"


def _first_line(hint: Any) -> str:
    part = next(_parts_in(hint), None)
    return (part.__doc__ or "").strip().splitlines()[0] if part else ""


def parts_below(part: type[DocumentPart]) -> list[type[DocumentPart]]:
    """Return all parts that a part is made of, each once."""
    found: list[type[DocumentPart]] = []
    for hint in types_of(part).values():
        for inner in _parts_in(hint):
            found += [inner, *parts_below(inner)]
    return list(dict.fromkeys(found))


def _parts_in(hint: Any) -> Iterator[type[DocumentPart]]:
    """Yield the parts that a type such as `list[Part] | None` mentions."""
    if isinstance(hint, type) and issubclass(hint, DocumentPart):
        yield hint
    for inner in get_args(hint):
        yield from _parts_in(inner)
