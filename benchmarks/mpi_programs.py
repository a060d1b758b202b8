# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Small MPI programs of the benchmarks, compiled by the family's own compiler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from halocline.errors import MissingEnvironmentError
from halocline.preload import Family


def compile_program(family: Family, source: Path, folder: Path) -> Path:
    """Compile one C file into `folder`; return the program."""
    compiler = shutil.which(f"mpicc.{family}")
    if compiler is None:
        raise MissingEnvironmentError(f"mpicc.{family} was not found. Install lib{family}-dev.")
    program = folder / source.stem
    subprocess.run([compiler, "-O2", str(source), "-o", str(program), "-ldl"], check=True)
    return program
