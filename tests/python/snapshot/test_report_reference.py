# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Schema and documentation of snapshot reports follow the model; reports follow the schema."""

from __future__ import annotations

from pathlib import Path

from halocline.snapshot.model import Snapshot
from halocline.snapshot.store import read_snapshot, write_report


def test_a_report_survives_writing_and_reading(solver: Snapshot, tmp_path: Path) -> None:
    write_report(tmp_path, solver)
    assert read_snapshot(tmp_path) == solver
