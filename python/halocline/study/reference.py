# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Derives JSON schemas and the key tables of docs/formats/study.md from the models.

`python -m halocline.study.reference [DOC]` rewrites the schema files, and in DOC the part between
the two marker lines, so that none can drift from the models.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from halocline.documents import reference
from halocline.files.output_file import write_text
from halocline.study.model import StudyFile
from halocline.study.result import SCHEMA_VERSION, StudyResult

SCHEMA_FOLDER = Path(__file__).parent / "schema"
RESULT_SCHEMA = SCHEMA_FOLDER / f"study.v{SCHEMA_VERSION}.schema.json"
FILE_SCHEMA = SCHEMA_FOLDER / "study-file.schema.json"
BEGIN = "<!-- keys: begin (made by python -m halocline.study.reference) -->"
END = "<!-- keys: end -->"


def schemas() -> dict[Path, str]:
    """Return the text of each schema file."""
    of_files = json.dumps(StudyFile.model_json_schema(), indent=2, ensure_ascii=False) + "\n"
    return {RESULT_SCHEMA: reference.schema_text(StudyResult), FILE_SCHEMA: of_files}


def update_doc(text: str) -> str:
    """Replace what stands between the markers of `text` by the current tables."""
    return reference.replace_between(text, BEGIN, END, reference.key_tables(StudyResult, "study"))


def main() -> None:
    """Rewrite the schema files and, when named, the documentation page."""
    for file, text in schemas().items():
        write_text(file, text)
    for name in sys.argv[1:]:
        page = Path(name)
        write_text(page, update_doc(page.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
