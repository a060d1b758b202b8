# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads run records with errors a stranger understands, and writes them atomically."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from halocline.errors import InvalidInputError, suggestion
from halocline.record.model import SCHEMA_NAME, SCHEMA_VERSION, Record, RecordPart

RECORD_NAME = "record.json"


def read_record(path: Path) -> Record:
    """Read `path`, or the record inside it when it is a folder."""
    file = find_record(path)
    data = _load(file)
    _check_version(data, file)
    try:
        return Record.model_validate_json(json.dumps(data))
    except ValidationError as error:
        raise InvalidInputError(_first_problem(error, file)) from None


def find_record(path: Path) -> Path:
    """Return the record file that `path` means: itself, or the only one in a folder."""
    if not path.is_dir():
        return path
    if (path / RECORD_NAME).is_file():
        return path / RECORD_NAME
    found = sorted(path.glob(f"*{RECORD_NAME}"))
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(file.name for file in found)
        raise InvalidInputError(f"{path} holds several run records ({names}). Name one of them.")
    raise InvalidInputError(f"{path} holds no {RECORD_NAME} (every run writes one).")


def write_record(record: Record, path: Path) -> None:
    """Write under a temporary name, then rename: a reader never sees half a record."""
    text = record.model_dump_json(by_alias=True, indent=2)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text + "\n", encoding="utf-8")
    temporary.replace(path)


def _load(file: Path) -> dict[str, Any]:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInputError(f"Cannot read {file} ({error.strerror}). Check the path.") from None
    except ValueError as error:
        raise InvalidInputError(f"{file} is not JSON ({error}). Is it a run record?") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA_NAME:
        raise InvalidInputError(f"{file} is no run record (key 'schema' is not '{SCHEMA_NAME}').")
    return data


def _check_version(data: dict[str, Any], file: Path) -> None:
    version = data.get("schema_version")
    if version != SCHEMA_VERSION:
        raise InvalidInputError(
            f"{file}: schema_version {version} is not {SCHEMA_VERSION}, which this program reads. "
            "Use the halocline version that wrote it."
        )


def _first_problem(error: ValidationError, file: Path) -> str:
    """One sentence on the first problem, naming file and key."""
    problem = error.errors()[0]
    key = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        siblings = _keys_beside(problem["loc"])
        return f"{file}: unknown key '{key}'. {suggestion(str(problem['loc'][-1]), siblings)}"
    return f"{file}: key '{key}': {problem['msg'].lower()}."


def _keys_beside(location: tuple[int | str, ...]) -> list[str]:
    """Known keys at the level of the unknown key at `location`."""
    model: type[RecordPart] = Record
    for part in location[:-1]:
        if isinstance(part, str):
            model = _part_model(model, part) or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _part_model(model: type[RecordPart], key: str) -> type[RecordPart] | None:
    from typing import get_args

    field = model.model_fields.get(key)
    candidates = [] if field is None else [field.annotation, *get_args(field.annotation)]
    for candidate in candidates:
        if isinstance(candidate, type) and issubclass(candidate, RecordPart):
            return candidate
    return None
