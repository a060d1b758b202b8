# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the MPI library of a program says of itself: its version and its control variables."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.child import ChildDiedError, in_child
from halocline.errors import RunFailedError, UsageError
from halocline.launch.mpi_library import MpiLibrary, mpi_library
from halocline.preload.family import Family
from halocline.preload.launch_line import LaunchLine, Part, read_launch_line, resolve_program

VERSION_ROOM = 16384


@dataclass(frozen=True)
class Variable:
    """A control variable with the value that the launch line and the environment give it."""

    name: str
    kind: str  # int, text, other
    value: str
    writable: bool
    items: tuple[tuple[int, str], ...]
    description: str


@dataclass(frozen=True)
class Library:
    """An MPI library as its ranks see it."""

    family: Family
    version: str
    ranks: int
    variables: dict[str, Variable]

    def value(self, name: str) -> str | None:
        """The value of a variable; None where the library does not know it."""
        found = self.variables.get(name)
        return found.value if found else None


def read_description(file: Path, family: Family) -> Library:
    """Read what `halocline-tune-bench describe` wrote."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    if not lines or "end" not in lines[-1]:
        raise RunFailedError(
            f"{file} ends early (the MPI library did not get through the list of its settings). "
            "Run halocline tune again."
        )
    variables = {
        line["variable"]: Variable(
            line["variable"],
            line["type"],
            line["value"],
            line["writable"],
            tuple((int(value), str(name)) for value, name in line["items"]),
            line["description"],
        )
        for line in lines
        if "variable" in line
    }
    version = short_version(lines[0]["library"])
    return Library(family, version, int(lines[0]["ranks"]), variables)


def short_version(text: str) -> str:
    """Return the part of MPI_Get_library_version that tells one build from another.

    Open MPI says it in one line. MPICH adds how it was built, down to the compiler's flags; its
    version and device are what decides about algorithms.
    """
    lines = [" ".join(line.split()) for line in text.strip().splitlines()] or ["unknown"]
    facts = dict(line.split(": ", 1) for line in lines if ": " in line)
    if "MPICH Version" in facts:
        return f"MPICH {facts['MPICH Version']} ({facts.get('MPICH Device', 'unknown device')})"
    return lines[0].partition(", package")[0]


def program_library(words: Sequence[str]) -> MpiLibrary | None:
    """Return the MPI library of the first program of a launch line that is linked to one."""
    line = read_launch_line(words)
    for part in line.parts:
        place = mpi_word(line, part)
        if place is not None:
            program = resolve_program(line.words[place])
            return mpi_library(program) if program else None
    return None


def mpi_word(line: LaunchLine, part: Part) -> int | None:
    """Return the place of the word that names a program linked to MPI: `env A=b ./app`."""
    for place in range(part.program, part.end):
        program = resolve_program(line.words[place])
        if program is not None and mpi_library(program):
            return place
    return None


def library_version(library: MpiLibrary) -> str:
    """Ask a library file for its version; it is loaded in a process of its own."""
    try:
        return short_version(in_child(lambda: _ask_version(library.path)))
    except ChildDiedError:
        raise UsageError(
            f"{library.path} does not say which version it is (MPI_Get_library_version failed). "
            "Name a program that uses Open MPI or MPICH."
        ) from None


def _ask_version(path: Path) -> str:
    loaded = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    text = ctypes.create_string_buffer(VERSION_ROOM)
    length = ctypes.c_int(0)
    loaded.MPI_Get_library_version(text, ctypes.byref(length))
    return text.value.decode(errors="replace")
