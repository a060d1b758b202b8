# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Schemas of studies and key tables of docs/formats/study.md, made from the models."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from halocline.documents.reference import schema_text
from halocline.documents.reference_files import Reference
from halocline.study.model import StudyFile
from halocline.study.result import SCHEMA_VERSION, StudyResult

FOLDER = Path(__file__).parent / "schema"


def _schema_of_files() -> str:
    return json.dumps(StudyFile.model_json_schema(), indent=2, ensure_ascii=False) + "\n"


REFERENCE = Reference(
    "halocline.study.reference",
    {
        FOLDER / f"study.v{SCHEMA_VERSION}.schema.json": partial(schema_text, StudyResult),
        FOLDER / "study-file.schema.json": _schema_of_files,
    },
    {"study": StudyResult},
)

if __name__ == "__main__":
    REFERENCE.main()
