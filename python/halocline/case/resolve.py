# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The resolved case: all defaults and machine decisions written out, and its hash."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from halocline.case.model import Case
from halocline.case.toml_text import to_toml
from halocline.files.output_file import write_text

RESOLVED_NAME = "case.resolved.toml"


def resolved_case(case: Case, ranks: int, threads: int) -> Case:
    """Return the case with the layout that will be used instead of `auto`."""
    parallel = case.parallel.model_copy(update={"ranks": ranks, "threads": threads})
    return case.model_copy(update={"parallel": parallel})


def case_hash(case: Case) -> str:
    """Return `sha256:<hex>` of a case's content, which does not depend on the file's layout.

    How a case is submitted and drawn is no part of what it computes.
    """
    aside: dict[str, Any] = {"submit": True, "checkpoint": True, "output": {"pictures"}}
    content = case.model_dump(mode="json", exclude=aside)
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=True)
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


def write_resolved(case: Case, folder: Path, source: Path) -> Path:
    """Write `case.resolved.toml` into `folder`; return its path."""
    path = folder / RESOLVED_NAME
    head = f"# {source.name} with every default written out; {case_hash(case)}\n\n"
    write_text(path, head + to_toml(case.model_dump(mode="json", by_alias=True)))
    return path


def case_schema_text() -> str:
    """Return the JSON schema of case files (draft 2020-12), for editors that complete TOML."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Case.model_json_schema()}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
