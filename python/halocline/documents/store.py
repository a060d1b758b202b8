# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads documents with errors a stranger understands, and writes them atomically."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from halocline.errors import InvalidInputError, suggestion


class DocumentPart(BaseModel):
    """Strict on purpose: a misspelt or mistyped key must not pass as "not measured"."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class DocumentKind(Generic[Model]):
    """One kind of document: its model, the keys that name it, and how people call it."""

    model: type[Model]
    schema: str
    version: int
    noun: str

    def read(self, file: Path) -> Model:
        """Read and check a file; one sentence names file and key of the first problem."""
        data = self._load(file)
        self._check_version(data, file)
        try:
            return self.model.model_validate_json(json.dumps(data))
        except ValidationError as error:
            raise InvalidInputError(self._first_problem(error, file)) from None

    def write(self, document: Model, file: Path) -> None:
        """Write under a temporary name, then rename: a reader never sees half a document."""
        text = document.model_dump_json(by_alias=True, indent=2)
        temporary = file.with_name(f".{file.name}.{os.getpid()}")
        temporary.write_text(text + "\n", encoding="utf-8")
        temporary.replace(file)

    def _load(self, file: Path) -> dict[str, Any]:
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise InvalidInputError(
                f"Cannot read {file} ({error.strerror}). Check the path."
            ) from None
        except ValueError as error:
            raise InvalidInputError(f"{file} is not JSON ({error}). Is it a {self.noun}?") from None
        if not isinstance(data, dict) or data.get("schema") != self.schema:
            raise InvalidInputError(
                f"{file} is no {self.noun} (key 'schema' is not '{self.schema}')."
            )
        return data

    def _check_version(self, data: dict[str, Any], file: Path) -> None:
        version = data.get("schema_version")
        if version != self.version:
            raise InvalidInputError(
                f"{file}: schema_version {version} is not {self.version}, which this program "
                "reads. Use the halocline version that wrote it."
            )

    def _first_problem(self, error: ValidationError, file: Path) -> str:
        problem = error.errors()[0]
        key = ".".join(str(part) for part in problem["loc"])
        if problem["type"] == "extra_forbidden":
            siblings = keys_beside(self.model, problem["loc"])
            return f"{file}: unknown key '{key}'. {suggestion(str(problem['loc'][-1]), siblings)}"
        return f"{file}: key '{key}': {problem['msg'].lower()}."


def keys_beside(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """Return the known keys at the level of the unknown key at `location`."""
    for part in location[:-1]:
        if isinstance(part, str):
            model = _part_model(model, part) or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _part_model(model: type[BaseModel], key: str) -> type[BaseModel] | None:
    field = model.model_fields.get(key)
    found = [] if field is None else list(parts_in(field.annotation))
    return found[0] if found else None


def parts_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """Yield the parts that an annotation such as `list[Part] | None` mentions."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for item in get_args(annotation):
        yield from parts_in(item)
