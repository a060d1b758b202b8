# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds, reads and writes run records."""

from __future__ import annotations

from pathlib import Path

from halocline.documents.store import DocumentKind
from halocline.errors import InvalidInputError
from halocline.record.model import SCHEMA_NAME, SCHEMA_VERSION, Record

RECORD_NAME = "record.json"
RUN_RECORD = DocumentKind(Record, SCHEMA_NAME, SCHEMA_VERSION, "run record")


def read_record(path: Path) -> Record:
    """Read `path`, or the record inside it when it is a folder."""
    return RUN_RECORD.read(find_record(path))


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
    RUN_RECORD.write(record, path)
