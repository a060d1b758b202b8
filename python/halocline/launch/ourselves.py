# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Starts this very package again, now or from a job script."""

from __future__ import annotations

import sys

PACKAGE = "halocline"


def own_command(*words: str, module: str = PACKAGE) -> list[str]:
    """Return the words that run `module` of this package with this Python.

    `-m` alone would put the current folder first on Python's path: any `random.py` lying in a
    case's folder would run instead of Python's own. `-P` leaves that folder out.
    """
    return [sys.executable, "-P", "-m", module, *words]


def own_arguments(command: list[str]) -> list[str]:
    """Return the words of `own_command` alone, as people know them."""
    return command[len(own_command()) :]
