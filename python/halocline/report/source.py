# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a report is made of: records, snapshots and studies, a file or folders full of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from halocline.documents.store import read_json
from halocline.errors import InvalidInputError, UsageError
from halocline.record.model import SCHEMA_NAME as RECORD
from halocline.record.model import Record
from halocline.record.store import RECORD_NAME, RUN_RECORD
from halocline.snapshot.folder import REPORT_NAME
from halocline.snapshot.model import SCHEMA_NAME as SNAPSHOT
from halocline.snapshot.model import Snapshot
from halocline.snapshot.store import REPORT
from halocline.study.result import RESULT, RESULT_NAME, StudyResult
from halocline.study.result import SCHEMA_NAME as STUDY

NAMED = re.compile(r"([^=/]{1,80})=(.+)", re.DOTALL)
Document = Record | Snapshot | StudyResult


@dataclass(frozen=True)
class Source:
    """One input, a column of the tables."""

    label: str
    documents: list[Document] = field(default_factory=list)


def read_sources(given: list[str]) -> list[Source]:
    """Read inputs: `PATH`, or `NAME=PATH` to name a column.

    Raises:
        UsageError: two columns have one name.
        InvalidInputError: an input is none of what can be reported.
    """
    sources = [_source(word) for word in given]
    labels = _short_labels([source.label for source in sources])
    if len(set(labels)) < len(labels):
        double = next(label for label in labels if labels.count(label) > 1)
        raise UsageError(
            f"halocline report: two inputs are called '{double}' (their columns would be alike). "
            "Name them: before=PATH after=PATH."
        )
    return [Source(label, source.documents) for label, source in zip(labels, sources, strict=True)]


def _source(word: str) -> Source:
    match = NAMED.fullmatch(word)
    if match is not None and not Path(word).exists():
        return Source(match[1], _documents(Path(match[2])))
    return Source(word, _documents(Path(word)))


def _short_labels(labels: list[str]) -> list[str]:
    """Leave out the folders that all paths begin with, and names of files that all end with."""
    parts = [Path(label).parts for label in labels]
    if len(parts) < 2:
        return labels
    shortest = min(len(part) for part in parts)
    start = 0
    while start < shortest - 1 and len({part[start] for part in parts}) == 1:
        start += 1
    end = 0
    while end < shortest - 1 - start and len({part[-1 - end] for part in parts}) == 1:
        end += 1
    return [str(Path(*part[start : len(part) - end])) for part in parts]


def _documents(path: Path) -> list[Document]:
    if not path.is_dir():
        return [_read(path)]
    for name in (RESULT_NAME, REPORT_NAME, RECORD_NAME):
        if (path / name).is_file():
            return [_read(path / name)]
    found = list(_below(path))
    if not found:
        raise InvalidInputError(
            f"{path} holds neither {RESULT_NAME}, {REPORT_NAME} nor {RECORD_NAME}, nor do folders "
            "in it. Name what a study, a snapshot or a run wrote."
        )
    return [_read(file) for file in found]


def _below(folder: Path) -> Iterator[Path]:
    """Yield records, snapshots and studies below a folder; what is in a study's is the study's."""
    studies = sorted(folder.glob(f"**/{RESULT_NAME}"))
    yield from studies
    for pattern in (f"**/*{RECORD_NAME}", f"**/{REPORT_NAME}"):
        for file in sorted(folder.glob(pattern)):
            if not any(file.is_relative_to(study.parent) for study in studies):
                yield file


def _read(file: Path) -> Document:
    data = read_json(file, "run record, snapshot or study")
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema == RECORD:
        return RUN_RECORD.read(file)
    if schema == SNAPSHOT:
        return REPORT.read(file)
    if schema == STUDY:
        return RESULT.read(file)
    raise InvalidInputError(
        f"{file} is not a run record, snapshot or study (key 'schema' is {schema!r}). Name one."
    )
