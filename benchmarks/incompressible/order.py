# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Errors of a case with an exact solution on meshes of several sizes, and the orders they show.

Usage: order.py CASE FOLDER 32,32 64,64 128,128 [--set KEY=VALUE ...]
"""

from __future__ import annotations

import argparse
import math
import shutil
import subprocess
import sys
from pathlib import Path

import halocline


def errors(case: Path, folder: Path, cells: str, changes: list[str]) -> tuple[float, float | None]:
    """Run the case on a mesh of so many cells; return the errors of velocity and pressure."""
    place = folder / cells.replace(",", "x")
    place.mkdir(parents=True, exist_ok=True)
    copy = Path(shutil.copy(case, place))
    settings = [f'mesh.make.cells="{cells}"', *changes]
    words = [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run(
        ["halocline", "run", str(copy), *words], check=False, capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(done.stderr)
    record = halocline.open(place / "output").record
    if record is None or record.results.exact_error is None:
        sys.exit(f"{case} has no exact solution. Add [solver.exact].")
    error = record.results.exact_error
    return error.l2 or math.nan, error.pressure_l2


def main() -> None:
    """Print a line a mesh."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("case", type=Path)
    parser.add_argument("folder", type=Path, help="for meshes and results")
    parser.add_argument("cells", nargs="+", help="of each mesh, coarsest first, e.g. 32,32 64,64")
    parser.add_argument("--set", action="append", default=[], help="KEY=VALUE of the case")
    words = parser.parse_args()
    before: tuple[int, float, float | None] | None = None
    print(f"{'cells':<12}{'velocity':>12}{'order':>8}{'pressure':>12}{'order':>8}")
    for cells in words.cells:
        width = int(cells.split(",")[0])
        velocity, pressure = errors(words.case, words.folder, cells, words.set)
        line = f"{cells:<12}{velocity:12.4e}"
        finer = math.log(width / before[0]) if before else math.nan
        line += f"{math.log(before[1] / velocity) / finer:8.2f}" if before else " " * 8
        if pressure is not None:
            line += f"{pressure:12.4e}"
            line += f"{math.log(before[2] / pressure) / finer:8.2f}" if before and before[2] else ""
        print(line, flush=True)
        before = (width, velocity, pressure)


if __name__ == "__main__":
    main()
