# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Schema files and key tables of all documents say what the models say."""

from __future__ import annotations

from pathlib import Path

import halocline.endpoints.reference
import halocline.record.reference
import halocline.snapshot.reference
import halocline.study.reference
import halocline.tune.reference
import pytest
from halocline.documents.reference_files import Reference

DOCS = Path(__file__).parents[3] / "docs"
PAGES = {
    DOCS / "run_record.md": halocline.record.reference.REFERENCE,
    DOCS / "formats" / "endpoints.md": halocline.endpoints.reference.REFERENCE,
    DOCS / "formats" / "snapshot.md": halocline.snapshot.reference.REFERENCE,
    DOCS / "formats" / "study.md": halocline.study.reference.REFERENCE,
    DOCS / "formats" / "tune.md": halocline.tune.reference.REFERENCE,
}


@pytest.mark.parametrize("reference", PAGES.values(), ids=lambda reference: reference.module)
def test_the_schema_files_are_current(reference: Reference) -> None:
    for file, text in reference.schemas.items():
        assert file.read_text() == text(), f"run python -m {reference.module}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_key_tables_are_current(page: Path) -> None:
    text = page.read_text()
    remedy = f"run python -m {PAGES[page].module} {page.relative_to(DOCS.parent)}"
    assert PAGES[page].update_page(text) == text, remedy


def test_both_are_rewritten_where_they_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = halocline.record.reference.REFERENCE
    schema, page = tmp_path / "schema.json", tmp_path / "page.md"
    begin, end = reference.markers("record")
    page.write_text(f"before\n{begin}\nstale tables\n{end}\nbehind\n")
    own = Reference(reference.module, {schema: lambda: "{}\n"}, reference.sections)
    monkeypatch.setattr("sys.argv", ["reference", str(page)])
    own.main()
    assert schema.read_text() == "{}\n"
    text = page.read_text()
    assert "stale tables" not in text
    assert "| `schema_version` |" in text
    assert text.startswith("before\n")
    assert text.endswith("\nbehind\n")
