# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The launch line of a program that measures ranks, as halocline-p2p does, on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.launch.cores import usable_cores
from halocline.launch.layout import Layout
from halocline.launch.mpi import launch_words
from halocline.launch.mpi_library import mpi_family
from halocline.launch.programs import path_word, require_program

PROGRAM = "halocline-p2p"


@dataclass(frozen=True)
class Request:
    """What to measure; `words` are options of the native program."""

    ranks: int
    words: tuple[str, ...]
    launcher_words: tuple[str, ...] = ()
    program: str = PROGRAM


def launch_line(request: Request, result: Path) -> list[str]:
    """Return the command that measures and leaves its results in `result`.

    A rank has one core: what is measured is one process talking to another.
    """
    program = require_program(request.program)
    layout = Layout(request.ranks, 1, oversubscribed=request.ranks > usable_cores().cores)
    launcher = launch_words("auto", layout, mpi_family(program), request.launcher_words)
    return [*launcher, str(program), *request.words, "--json", path_word(result)]


def option_words(options: Sequence[tuple[str, object]]) -> tuple[str, ...]:
    """Return the words of the options that are given: (flag, value); True stands for a flag."""
    words: list[str] = []
    for flag, value in options:
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            words += [flag, str(value)]
    return tuple(words)
