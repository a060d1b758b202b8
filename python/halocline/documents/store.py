# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads documents with errors a stranger understands, and writes them atomically."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from halocline.documents.check import Problem, checked
from halocline.documents.part import DocumentPart
from halocline.errors import InvalidInputError, suggestion
from halocline.files.output_file import write_text

LARGEST = 1e100
"""Sums and ratios of anything below stay finite."""


Model = TypeVar("Model", bound=DocumentPart)


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
        write_text(file, json_text(document))

    def _load(self, file: Path) -> dict[str, Any]:
        data = read_json(file, self.noun)
        if not isinstance(data, dict) or data.get("schema") != self.schema:
            raise InvalidInputError(
                f"{file} is not a {self.noun} (key 'schema' is not '{self.schema}')."
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


def read_tool_result(file: Path, tool: str, form: str, version: int) -> dict[str, Any]:
    """Return what a tool, as `halocline p2p`, wrote: an object of this `format` and `version`."""
    data = read_json(file, f"result of {tool}")
    if not isinstance(data, dict) or data.get("format") != form:
        raise InvalidInputError(
            f'{file}: is not a result of {tool} ("format" is not "{form}"). '
            f"Name a file that {tool} wrote."
        )
    if data.get("version") != version:
        raise InvalidInputError(
            f"{file}: has version {data.get('version')} (this program reads {version}). "
            f"Measure again with {tool}."
        )
    return data


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
    raise ValueError(f"{name} is not a number")


def parse(model: type[Model], data: Any, source: str) -> Model:
    """Return JSON data as a model; one sentence names the key of the first problem."""
    try:
        return checked(model, data)
    except Problem as problem:
        raise InvalidInputError(_sentence(problem, source)) from None


def json_text(document: DocumentPart) -> str:
    """Return a document as the text of a file."""
    text = json.dumps(document.plain(), indent=2, ensure_ascii=False, allow_nan=False)
    return text + "\n"


def _sentence(problem: Problem, source: str) -> str:
    key = ".".join(str(part) for part in problem.location)
    if problem.siblings is not None:
        hint = suggestion(str(problem.location[-1]), problem.siblings)
        return f"{source}: unknown key '{key}'. {hint}"
    return f"{source}: key '{key}': {problem}."
