# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Derives the JSON schema and the key tables of docs/run_record.md from the record model.

`python -m halocline.record.reference [DOC]` rewrites the schema file, and in DOC the part
between the two marker lines, so that neither can drift from the model.
"""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from halocline.record.model import SCHEMA_VERSION, Record, RecordPart

SCHEMA_FILE = Path(__file__).parent / "schema" / f"record.v{SCHEMA_VERSION}.schema.json"
BEGIN = "<!-- keys: begin (made by python -m halocline.record.reference) -->"
END = "<!-- keys: end -->"
_NAMES: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def schema_text() -> str:
    """Return the JSON schema (draft 2020-12) as text."""
    schema = Record.model_json_schema(by_alias=True)
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps(dialect | schema, indent=2, ensure_ascii=False) + "\n"


def key_tables() -> str:
    """Return one Markdown table for each part of a record, the record itself first."""
    parts: list[type[RecordPart]] = [Record, *_parts_below(Record)]
    return "\n".join(_table(part) for part in parts)


def update_doc(text: str) -> str:
    """Replace what stands between the markers of `text` by the current tables."""
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    return f"{head}{BEGIN}\n\n{key_tables()}\n{END}{tail}"


def _table(part: type[RecordPart]) -> str:
    title = "record" if part is Record else part.__name__
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
    models = _models_in(annotation)
    return (models[0].__doc__ or "").strip().splitlines()[0] if models else ""


def _models_in(annotation: Any) -> list[type[RecordPart]]:
    if isinstance(annotation, type) and issubclass(annotation, RecordPart):
        return [annotation]
    return [model for item in get_args(annotation) for model in _models_in(item)]


def _parts_below(part: type[RecordPart]) -> list[type[RecordPart]]:
    found: list[type[RecordPart]] = []
    for field in part.model_fields.values():
        for model in _models_in(field.annotation):
            found += [model, *_parts_below(model)]
    return list(dict.fromkeys(found))


def main() -> None:
    """Rewrite the schema file and, when named, the documentation page."""
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
    for name in sys.argv[1:]:
        page = Path(name)
        page.write_text(update_doc(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
