# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Folders of small studies."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

STUDY = """
[program]
command = ["%(python)s", "-S", "-c", "print('time =', %(factor)s * {level})"]
[vary]
level = [1.0, 2.0]
[run]
noise_rounds = 0
most = 6
[measure]
snapshot = "never"
by = "time"
[measure.patterns.time]
pattern = 'time = (\\S+)'
unit = "s"
"""


@pytest.fixture
def run_folder(tmp_path: Path) -> Callable[[Path, float], Path]:
    """Return what runs a study of a program whose times are its level times a factor."""

    def run(folder: Path, factor: float) -> Path:
        file = tmp_path / f"{folder.name}.toml"
        file.write_text(STUDY % {"python": sys.executable, "factor": factor})
        words = [sys.executable, "-m", "halocline", "study", str(file), "-o", str(folder)]
        subprocess.run(words, check=True, capture_output=True)
        return folder

    return run
