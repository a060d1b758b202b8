# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Small MPI programs in C that tests compile with the library under test."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

# Never ends by itself.
ENDLESS = """
#include <mpi.h>
#include <unistd.h>
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    for (;;) {
        MPI_Barrier(MPI_COMM_WORLD);
        usleep(20000);
    }
}
"""


def sums(elements: int, calls: int) -> str:
    """A program whose ranks add their numbers (rank + 1) up; the first says what came of it."""
    return f"""
#include <mpi.h>
#include <stdio.h>
static double own[{elements}], sum[{elements}];
int main(int argc, char** argv) {{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < {elements}; ++i) own[i] = rank + 1;
    for (int k = 0; k < {calls}; ++k)
        MPI_Allreduce(own, sum, {elements}, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("sum %g of %d with %d words\\n", sum[{elements} - 1], size, argc);
    MPI_Finalize();
    return 0;
}}
"""


def compiled(
    folder: Path, name: str, source: str, compiler: str, variables: Mapping[str, str] | None = None
) -> Path:
    """Compile a program into `folder` with an MPI library's own compiler."""
    text = folder / f"{name}.c"
    text.write_text(source)
    words = [compiler, str(text), "-o", str(folder / name)]
    subprocess.run(words, env={**os.environ, **(variables or {})}, check=True, capture_output=True)
    return folder / name
