# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds the installed library of a tool for an MPI family."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from halocline.errors import MissingEnvironmentError
from halocline.preload.family import Family

TOOL_FOLDER_VARIABLE = "HALOCLINE_TOOLS"


def tool_library(tool: str, family: Family) -> Path:
    """Return `libhalocline-<tool>-<family>.so`, or say how to get it.

    Looked for in $HALOCLINE_TOOLS, then in lib/halocline of the Python environment.
    """
    name = f"libhalocline-{tool}-{family}.so"
    folders = list(tool_folders())
    for folder in folders:
        if (folder / name).is_file():
            return (folder / name).resolve()
    looked_in = ", ".join(str(folder) for folder in folders)
    raise MissingEnvironmentError(
        f"{name} was not found (looked in ${TOOL_FOLDER_VARIABLE}, {looked_in}). Build it with: "
        f"make build; it needs the compiler of {family.label} (mpicc.{family})."
    )


def tool_folders() -> Iterator[Path]:
    """Folders that may hold tool libraries, best first."""
    given = os.environ.get(TOOL_FOLDER_VARIABLE)
    if given:
        yield Path(given)
    prefix = Path(sys.prefix)
    yield prefix / "lib" / "halocline"
    for folder in (prefix / "lib64", *sorted((prefix / "lib").glob("*-linux-gnu*"))):
        if (folder / "halocline").is_dir():
            yield folder / "halocline"
