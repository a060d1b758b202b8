# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Schemas of tune reports and rules and key tables of docs/formats/tune.md; made of the models."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from halocline.documents.reference import schema_text
from halocline.documents.reference_files import Reference
from halocline.tune.model import TuneReport
from halocline.tune.rules import Rules

FOLDER = Path(__file__).parent / "schema"
REFERENCE = Reference(
    "halocline.tune.reference",
    {
        FOLDER / "tune.v1.schema.json": partial(schema_text, TuneReport),
        FOLDER / "tune-rules.v1.schema.json": partial(schema_text, Rules),
    },
    {"tune report": TuneReport, "tune rules": Rules},
)

if __name__ == "__main__":
    REFERENCE.main()
