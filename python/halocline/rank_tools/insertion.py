# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Puts words before the programs of a launch line; the launcher and its options stay."""

from __future__ import annotations

from collections.abc import Sequence

from halocline.preload.launch_line import LaunchLine


def before_programs(line: LaunchLine, words: Sequence[str]) -> list[str]:
    """Return the launch line with `words` before each of its programs."""
    made = list(line.words)
    for part in reversed(line.parts):
        made[part.program : part.program] = words
    return made
