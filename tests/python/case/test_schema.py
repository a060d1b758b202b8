# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""One schema of case files: the model here, its text in the native program's sources."""

from __future__ import annotations

from pathlib import Path

from halocline.case.resolve import case_schema_text

COMPILED = Path(__file__).parents[3] / "apps" / "solve" / "case.schema.json"


def test_the_native_program_is_built_with_the_schema_of_the_model() -> None:
    assert COMPILED.read_text() == case_schema_text(), (
        "the model changed. Write the schema again: "
        "halocline run --schema > apps/solve/case.schema.json"
    )
