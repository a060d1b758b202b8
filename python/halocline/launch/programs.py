# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds native programs."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Literal

from halocline.errors import MissingEnvironmentError

PROGRAM_FOLDER_VARIABLE = "HALOCLINE_BIN"
LOADER_SEGMENT = 3  # PT_INTERP of the ELF format


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


def is_static(program: Path) -> bool:
    """Whether a program names no dynamic loader: nothing can be preloaded into it."""
    try:
        with program.open("rb") as file:
            head = file.read(64)
            if head[:5] != b"\x7fELF\x02":
                return False
            order: Literal["little", "big"] = "little" if head[5] == 1 else "big"
            start = int.from_bytes(head[32:40], order)
            size, count = (int.from_bytes(head[at : at + 2], order) for at in (54, 56))
            file.seek(start)
            table = file.read(size * count)
    except OSError:
        return False
    kinds = [int.from_bytes(table[at : at + 4], order) for at in range(0, len(table), size or 1)]
    return LOADER_SEGMENT not in kinds
