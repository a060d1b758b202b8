# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Schemas of snapshots and key tables of docs/formats/snapshot.md, made from the models."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from halocline.documents.reference import schema_text
from halocline.documents.reference_files import Reference
from halocline.snapshot.diff import Difference
from halocline.snapshot.model import SCHEMA_VERSION, Snapshot
from halocline.snapshot.scale import Scaling

FOLDER = Path(__file__).parent / "schema"
REFERENCE = Reference(
    "halocline.snapshot.reference",
    {
        FOLDER / f"snapshot.v{SCHEMA_VERSION}.schema.json": partial(schema_text, Snapshot),
        FOLDER / "snapshot-diff.v1.schema.json": partial(schema_text, Difference),
        FOLDER / "snapshot-scaling.v1.schema.json": partial(schema_text, Scaling),
    },
    {"snapshot": Snapshot},
)

if __name__ == "__main__":
    REFERENCE.main()
