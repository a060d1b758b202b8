# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds native programs."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from halocline.errors import MissingEnvironmentError

PROGRAM_FOLDER_VARIABLE = "HALOCLINE_BIN"


def find_program(name: str) -> Path | None:
    """Look in $HALOCLINE_BIN, beside this Python, then on the PATH."""
    folders = [os.environ.get(PROGRAM_FOLDER_VARIABLE), str(Path(sys.executable).parent)]
    for folder in filter(None, folders):
        found = shutil.which(name, path=folder)
        if found:
            return Path(found)
    found = shutil.which(name)
    return Path(found) if found else None


def path_word(path: Path) -> str:
    """Return a path as a word that no program takes for an option."""
    text = str(path)
    return f"./{text}" if text.startswith("-") else text


def require_program(name: str) -> Path:
    """Return the path of a native program, or say how to get it."""
    found = find_program(name)
    if found is None:
        raise MissingEnvironmentError(
            f"program '{name}' was not found (looked in ${PROGRAM_FOLDER_VARIABLE}, "
            f"{Path(sys.executable).parent} and the PATH). Build it with: make build."
        )
    return found
