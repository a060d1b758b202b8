# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of the submit tests: stand-in programs."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def stand_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Put a shell program in front of the PATH: name, body."""
    folder = tmp_path / "stand-ins"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def make(name: str, body: str) -> Path:
        program = folder / name
        program.write_text(f"#!/bin/bash\n{body}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return program

    return make
