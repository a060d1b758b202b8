# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Test programs built and launched with either MPI library that the recorder knows."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from halocline.errors import MissingEnvironmentError
from halocline.preload import Family, tool_library

AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


@dataclass(frozen=True)
class MpiBuild:
    """Compiler and launcher of one library, by their Debian names."""

    family: Family
    compiler: str
    launcher: tuple[str, ...]

    def line(self, ranks: int, program: Path, *words: object) -> list[str]:
        """The launch line of a program."""
        return [*self.launcher, "-n", str(ranks), str(program), *map(str, words)]

    def compile(self, source: Path, program: Path, *options: str) -> None:
        """Builds a program of one C file with symbols, or a library where the options say so."""
        words = [self.compiler, "-g", "-O1", "-w", *options, "-o", str(program), str(source)]
        subprocess.run([*words, "-pthread", "-ldl"], check=True, capture_output=True)


BUILDS = {
    Family.OPENMPI: MpiBuild(
        Family.OPENMPI, "mpicc.openmpi", ("mpirun.openmpi", "--oversubscribe", "--quiet")
    ),
    Family.MPICH: MpiBuild(Family.MPICH, "mpicc.mpich", ("mpirun.mpich",)),
}


def recorded_build(family: Family) -> MpiBuild:
    """The build of a library; skips the test where it or its recorder is missing."""
    build = BUILDS[family]
    try:
        tool_library("snapshot", family)
    except MissingEnvironmentError as error:
        pytest.skip(str(error))
    for program in (build.compiler, build.launcher[0]):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is missing")
    return build
