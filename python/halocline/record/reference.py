# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Schemas of run records and key tables of docs/run_record.md, made from the models."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from halocline.documents.reference import schema_text
from halocline.documents.reference_files import Reference
from halocline.record.model import SCHEMA_VERSION, Record

SCHEMA_FILE = Path(__file__).parent / "schema" / f"record.v{SCHEMA_VERSION}.schema.json"
REFERENCE = Reference(
    "halocline.record.reference",
    {SCHEMA_FILE: partial(schema_text, Record)},
    {"record": Record},
)

if __name__ == "__main__":
    REFERENCE.main()
