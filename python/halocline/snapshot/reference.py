# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Derives JSON schemas and the key tables of docs/formats/snapshot.md from the models.

`python -m halocline.snapshot.reference [DOC]` rewrites the schema files, and in DOC the part
between the two marker lines, so that none can drift from the models.
"""

from __future__ import annotations

import sys
from pathlib import Path

from halocline.documents import reference
from halocline.documents.part import DocumentPart
from halocline.files.output_file import write_text
from halocline.snapshot.diff import Difference
from halocline.snapshot.model import SCHEMA_VERSION, Snapshot
from halocline.snapshot.scale import Scaling

SCHEMAS: dict[str, type[DocumentPart]] = {
    f"snapshot.v{SCHEMA_VERSION}.schema.json": Snapshot,
    "snapshot-diff.v1.schema.json": Difference,
    "snapshot-scaling.v1.schema.json": Scaling,
}
SCHEMA_FOLDER = Path(__file__).parent / "schema"
BEGIN = "<!-- keys: begin (made by python -m halocline.snapshot.reference) -->"
END = "<!-- keys: end -->"


def update_doc(text: str) -> str:
    """Replace what stands between the markers of `text` by the current tables."""
    tables = reference.key_tables(Snapshot, "snapshot")
    return reference.replace_between(text, BEGIN, END, tables)


def main() -> None:
    """Rewrite the schema files and, when named, the documentation page."""
    for file, model in SCHEMAS.items():
        write_text(SCHEMA_FOLDER / file, reference.schema_text(model))
    for name in sys.argv[1:]:
        tables = reference.key_tables(Snapshot, "snapshot")
        reference.rewrite_page(Path(name), BEGIN, END, tables)


if __name__ == "__main__":
    main()
