# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Schema and documentation of snapshot reports follow the model; reports follow the schema."""

from __future__ import annotations

from pathlib import Path

import pytest
from halocline.documents.reference import schema_text
from halocline.snapshot import reference
from halocline.snapshot.model import Snapshot
from halocline.snapshot.store import read_snapshot, write_report

PAGE = Path(__file__).parents[3] / "docs" / "formats" / "snapshot.md"


@pytest.mark.parametrize("name", reference.SCHEMAS)
def test_the_schema_files_are_current(name: str) -> None:
    text = (reference.SCHEMA_FOLDER / name).read_text()
    assert text == schema_text(reference.SCHEMAS[name])


def test_the_key_tables_are_current() -> None:
    text = PAGE.read_text()
    assert reference.update_doc(text) == text


def test_a_report_survives_writing_and_reading(solver: Snapshot, tmp_path: Path) -> None:
    write_report(tmp_path, solver)
    assert read_snapshot(tmp_path) == solver
