# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the table of MPI prototypes and asks a preprocessed mpi.h which of them it declares."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("mpi.table")

_PROTOTYPE = re.compile(r"^(MPI_\w+)\((.*)\)$")
# The name of a parameter: the last word, perhaps followed by array brackets.
_NAME = re.compile(r"(\w+)\s*((?:\[\d*\])*)$")


@dataclass(frozen=True)
class Parameter:
    """One parameter: `declaration` as in the prototype, `name` alone."""

    declaration: str
    name: str


@dataclass(frozen=True)
class Prototype:
    """One function of MPI; all in the table return int."""

    name: str
    kind: str
    parameters: tuple[Parameter, ...]

    @property
    def base(self) -> str:
        """Name without `MPI_` and without the `_c` of large counts."""
        return self.name.removeprefix("MPI_").removesuffix("_c")

    @property
    def declaration(self) -> str:
        """Parameter list in C, `void` when empty."""
        return ", ".join(p.declaration for p in self.parameters) or "void"


def read_table(path: Path = TABLE) -> list[Prototype]:
    """Prototypes in the order of the table.

    Raises:
        ValueError: a line is neither comment, [class] nor prototype; names file and line.
    """
    kind = ""
    prototypes = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if text.startswith("[") and text.endswith("]"):
            kind = text[1:-1]
            continue
        match = _PROTOTYPE.match(text)
        if match is None or not kind:
            raise ValueError(
                f"{path}:{number}: '{text}' is not a prototype under a [class] heading."
            )
        prototypes.append(Prototype(match[1], kind, _parameters(match[2], path, number)))
    return prototypes


def declared(prototypes: list[Prototype], header: str) -> list[Prototype]:
    """Those that a preprocessed header declares: libraries differ in what they have of MPI 4."""
    names = set(re.findall(r"\b(MPI_\w+)\s*\(", header))
    return [p for p in prototypes if p.name in names]


def _parameters(text: str, path: Path, number: int) -> tuple[Parameter, ...]:
    if text == "void":
        return ()
    found = []
    for part in (piece.strip() for piece in text.split(",")):
        match = _NAME.search(part)
        if match is None:
            raise ValueError(f"{path}:{number}: parameter '{part}' has no name.")
        found.append(Parameter(part, match[1]))
    return tuple(found)
