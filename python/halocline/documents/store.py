# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads documents with errors a stranger understands, and writes them atomically."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from halocline.errors import InvalidInputError, suggestion
from halocline.files.output_file import write_text

LARGEST = 1e100
"""Sums and ratios of anything below stay finite."""


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
        return parse(self.model, data, str(file))

    def write(self, document: Model, file: Path) -> None:
        """Replace a file in one step: a reader never sees half a document."""
        write_text(file, document.model_dump_json(by_alias=True, indent=2) + "\n")

    def _load(self, file: Path) -> dict[str, Any]:
        data = read_json(file, self.noun)
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


def read_json(file: Path, noun: str) -> Any:
    """Return what a JSON file holds; `noun` says in messages what it should be."""
    try:
        return json.loads(
            file.read_text(encoding="utf-8"),
            parse_int=_whole,
            parse_float=_real,
            parse_constant=_refuse_constant,
        )
    except OSError as error:
        raise InvalidInputError(f"Cannot read {file} ({error.strerror}). Check the path.") from None
    except RecursionError:
        raise InvalidInputError(f"{file} is nested too deeply. Is it a {noun}?") from None
    except ValueError as error:
        raise InvalidInputError(f"{file} is not JSON ({error}). Is it a {noun}?") from None


def _whole(digits: str) -> int:
    """Refuse what no program writes, and what cannot become a float or an index."""
    number = int(digits)
    if abs(number) >= 2**63:
        raise ValueError(f"{digits[:24]}… has more than 64 bits")
    return number


def _real(digits: str) -> float:
    number = float(digits)
    if abs(number) > LARGEST:
        raise ValueError(f"{digits[:24]} is beyond {LARGEST:g}")
    return number


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def parse(model: type[Model], data: Any, source: str) -> Model:
    """Return JSON data as a model; one sentence names the key of the first problem."""
    try:
        return model.model_validate_json(json.dumps(data))
    except ValidationError as error:
        raise InvalidInputError(first_problem(model, error, source)) from None


def first_problem(model: type[BaseModel], error: ValidationError, source: str) -> str:
    """Return a sentence on the first problem that validation found."""
    problem = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        siblings = keys_beside(model, problem["loc"])
        return f"{source}: unknown key '{key}'. {suggestion(str(problem['loc'][-1]), siblings)}"
    return f"{source}: key '{key}': {problem['msg'].lower()}."


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
