# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Derives JSON schemas and the key tables of documentation pages from document models."""

from __future__ import annotations

import json
import types
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from halocline.documents.store import parts_in
from halocline.files.output_file import write_text

_NAMES: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def schema_text(model: type[BaseModel]) -> str:
    """Return the JSON schema (draft 2020-12) as text."""
    schema = model.model_json_schema(by_alias=True)
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps(dialect | schema, indent=2, ensure_ascii=False) + "\n"


def key_tables(model: type[BaseModel], title: str) -> str:
    """Return one Markdown table for each part of a document, the document itself first."""
    parts = [model, *_parts_below(model)]
    return "\n".join(_table(part, title if part is model else part.__name__) for part in parts)


def replace_between(text: str, begin: str, end: str, content: str) -> str:
    """Replace what stands between two marker lines of a page."""
    head, rest = text.split(begin)
    tail = rest.split(end)[1]
    return f"{head}{begin}\n\n{content}\n{end}{tail}"


def rewrite_page(page: Path, begin: str, end: str, content: str) -> None:
    """Rewrite what stands between the markers of a file."""
    text = page.read_text(encoding="utf-8")
    write_text(page, replace_between(text, begin, end, content))


def _table(part: type[BaseModel], title: str) -> str:
    lines = [f"### {title}", "", (part.__doc__ or "").strip(), ""]
    lines += ["| key | type | meaning |", "| --- | --- | --- |"]
    for name, field in part.model_fields.items():
        kind = _type_name(field.annotation)
        optional = "" if field.is_required() else "; may be absent"
        meaning = field.description or _first_line(field.annotation)
        lines.append(f"| `{field.alias or name}` | {kind}{optional} | {meaning} |")
    return "\n".join(lines) + "\n"


def _type_name(annotation: Any) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _type_name(arguments[0])
    if origin in (Union, types.UnionType):
        inner = [_type_name(item) for item in arguments if item is not type(None)]
        return " or ".join([*inner, "null"])
    if origin is list:
        return f"[{_type_name(arguments[0])}]"
    if origin is dict:
        return "object"
    if origin is Literal:
        return ", ".join(f"`{item}`" for item in arguments)
    return _NAMES.get(annotation) or f"[{annotation.__name__}](#{annotation.__name__.lower()})"


def _first_line(annotation: Any) -> str:
    part = next(parts_in(annotation), None)
    return (part.__doc__ or "").strip().splitlines()[0] if part else ""


def _parts_below(part: type[BaseModel]) -> list[type[BaseModel]]:
    found: list[type[BaseModel]] = []
    for field in part.model_fields.values():
        for model in parts_in(field.annotation):
            found += [model, *_parts_below(model)]
    return list(dict.fromkeys(found))
