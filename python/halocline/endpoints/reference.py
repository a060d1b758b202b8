# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Schemas of endpoints reports and key tables of docs/formats/endpoints.md; made of the models."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from halocline.documents.reference import schema_text
from halocline.documents.reference_files import Reference
from halocline.endpoints.report import SCHEMA_VERSION, EndpointsReport

SCHEMA_FILE = Path(__file__).parent / "schema" / f"endpoints.v{SCHEMA_VERSION}.schema.json"
REFERENCE = Reference(
    "halocline.endpoints.reference",
    {SCHEMA_FILE: partial(schema_text, EndpointsReport)},
    {"endpoints report": EndpointsReport},
)

if __name__ == "__main__":
    REFERENCE.main()
