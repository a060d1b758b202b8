# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Derives the JSON schema and the key tables of docs/formats/endpoints.md from the model.

`python -m halocline.endpoints.reference [DOC]` rewrites the schema file, and in DOC the part
between the two marker lines, so that neither can drift from the model.
"""

from __future__ import annotations

import sys
from pathlib import Path

from halocline.documents import reference
from halocline.endpoints.report import SCHEMA_VERSION, EndpointsReport
from halocline.files.output_file import write_text

SCHEMA_FILE = Path(__file__).parent / "schema" / f"endpoints.v{SCHEMA_VERSION}.schema.json"
BEGIN = "<!-- keys: begin (made by python -m halocline.endpoints.reference) -->"
END = "<!-- keys: end -->"


def schema_text() -> str:
    """Return the JSON schema of endpoints reports as text."""
    return reference.schema_text(EndpointsReport)


def update_doc(text: str) -> str:
    """Replace what stands between the markers of `text` by the current tables."""
    tables = reference.key_tables(EndpointsReport, "endpoints report")
    return reference.replace_between(text, BEGIN, END, tables)


def main() -> None:
    """Rewrite the schema file and, when named, the documentation page."""
    write_text(SCHEMA_FILE, schema_text())
    for name in sys.argv[1:]:
        tables = reference.key_tables(EndpointsReport, "endpoints report")
        reference.rewrite_page(Path(name), BEGIN, END, tables)


if __name__ == "__main__":
    main()
