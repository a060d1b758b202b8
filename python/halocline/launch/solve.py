# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The native program that runs a case: it reads the same file, and takes what changes it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from halocline.launch.programs import path_word

PROGRAM = "halocline-solve"


def solve_words(case_file: Path, settings: Sequence[str], threads: int) -> list[str]:
    """Return the words after the program: the case, each `--set` as given, the chosen threads."""
    words = [path_word(case_file)]
    for setting in settings:
        words += ["--set", setting]
    return [*words, "--threads", str(threads)]
