# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Derives JSON schemas and the key tables of docs/formats/tune.md from the models.

`python -m halocline.tune.reference [DOC]` rewrites the schema files, and in DOC the parts between
the marker lines, so that neither can drift from the models.
"""

from __future__ import annotations

import sys
from pathlib import Path

from halocline.documents import reference
from halocline.files.output_file import write_text
from halocline.tune.model import TuneReport
from halocline.tune.rules import Rules

FOLDER = Path(__file__).parent / "schema"
SCHEMAS = {"tune.v1.schema.json": TuneReport, "tune-rules.v1.schema.json": Rules}
SECTIONS = {"tune report": TuneReport, "tune rules": Rules}


def markers(title: str) -> tuple[str, str]:
    """Return the lines between which the tables of a document stand."""
    begin = f"<!-- keys of {title}: begin (made by python -m halocline.tune.reference) -->"
    return begin, f"<!-- keys of {title}: end -->"


def update_doc(text: str) -> str:
    """Replace what stands between the markers of `text` by the current tables."""
    for title, model in SECTIONS.items():
        tables = reference.key_tables(model, title)
        text = reference.replace_between(text, *markers(title), tables)
    return text


def main() -> None:
    """Rewrite the schema files and, when named, the documentation page."""
    FOLDER.mkdir(exist_ok=True)
    for name, model in SCHEMAS.items():
        write_text(FOLDER / name, reference.schema_text(model))
    for name in sys.argv[1:]:
        page = Path(name)
        write_text(page, update_doc(page.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
