# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Poisson's equation by halocline, hypre and PETSc in turns, on one core.

Usage: poisson_peers.py [--side 150] [--dimensions 3] [--repetitions 3] [--tune] [--json FILE]

The same operator, right-hand side and tolerance (1e-8); each program measures what its solution
really leaves by the same function (linalg/grid_poisson.hpp). scripts/bench_peers.sh installs the
peers and builds the programs. --tune runs all sets of options that the defaults were chosen from.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from halocline.errors import HaloclineError, RunFailedError
from suite.peers import Peer, Samples, require_file, run_program, show, take_turns, write

TOP = Path(__file__).parents[1]
PROGRAMS = TOP / "build" / "benchmarks"
TOLERANCE = 1e-8
SLACK = 3.0  # residuals of recurrences drift from true ones where the matrix is singular
NOT_SOLVED = 5  # an exit code; the table judges
COLUMNS = (
    "",
    "iterations",
    "|b − Ax| / |b|",
    "set-up [s]",
    "solve [s]",
    "× ours, set-up",
    "× ours",
)

HYPRE = {
    "hypre: HMIS, aggressive 1": ("aggressive=1",),
    "hypre: HMIS": (),
}
HYPRE_MORE = {
    "hypre: HMIS, aggressive 1, 0.25": ("aggressive=1", "threshold=0.25"),
    "hypre: HMIS, 0.6": ("threshold=0.6",),
    "hypre: PMIS, 0.25": ("coarsen=8", "threshold=0.25"),
    "hypre: PMIS, aggressive 1": ("coarsen=8", "aggressive=1"),
}
SYMMETRIC_SOR = ("-mg_levels_ksp_type richardson -mg_levels_pc_type sor -mg_levels_ksp_max_it 1",)
PETSC = {
    "PETSc: GAMG": ("-pc_type gamg",),
    "PETSc: Jacobi": ("-pc_type jacobi",),
}
PETSC_MORE = {
    "PETSc: GAMG, SOR": ("-pc_type gamg", *SYMMETRIC_SOR),
    "PETSc: GAMG, 0.02": ("-pc_type gamg -pc_gamg_threshold 0.02",),
    "PETSc: GAMG, no squares": ("-pc_type gamg -pc_gamg_square_graph 0",),
}


def numbers_of(line: str) -> dict[str, float]:
    """Return name=value words of a program's line."""
    return {name: float(value) for name, value in re.findall(r"(\w+)=([\d.eE+-]+)", line)}


def program(name: str) -> Path:
    """Return the path of a benchmark program."""
    return require_file(PROGRAMS / name, "Run scripts/bench_peers.sh, which installs and builds.")


def run_halocline(dimensions: int, side: int) -> Mapping[str, float]:
    """Solve once for the plans and three times more; set-up is all before the first solve."""
    shape = "box" if dimensions == 3 else "square"
    words = ("--renumber=0", "--repetitions=4", f"--shape={shape}", f"--n={side}")
    found = numbers_of(run_program([program("benchmark_poisson"), *words]))
    plans = found["first_cpu"] - found["cpu"]
    return {
        "its": found["its"],
        "true_residual": found["true_residual"],
        "hierarchy_cpu": found["hierarchy_cpu"],
        "setup_cpu": found["setup_cpu"] + plans,
        "solve_cpu": found["cpu"],
    }


def peer(name: str, binary: str, dimensions: int, side: int, options: tuple[str, ...]) -> Peer:
    """Return a run of hypre or PETSc."""
    words = [word for option in options for word in option.split()]
    command = [program(binary), str(dimensions), str(side), *words]
    return Peer(name, lambda: numbers_of(run_program(command, accepted=(0, NOT_SOLVED))))


def peers_of(arguments: argparse.Namespace) -> list[Peer]:
    """Return who takes part: halocline first."""
    grid = arguments.dimensions, arguments.side
    hypre = HYPRE | (HYPRE_MORE if arguments.tune else {})
    petsc = PETSC | (PETSC_MORE if arguments.tune else {})
    return [
        Peer("halocline", lambda: run_halocline(*grid)),
        *(peer(name, "benchmark_hypre_poisson", *grid, words) for name, words in hypre.items()),
        *(peer(name, "benchmark_petsc_poisson", *grid, words) for name, words in petsc.items()),
    ]


def row_of(samples: Samples, ours: Samples) -> list[str]:
    """Return the cells of one program."""
    ratios = [median(samples.ratios(number, ours)) for number in ("setup_cpu", "solve_cpu")]
    return [
        samples.name,
        f"{samples.median('its'):.0f}",
        f"{samples.median('true_residual'):.1e}",
        samples.spread("setup_cpu", 2),
        samples.spread("solve_cpu", 2),
        *(f"{ratio:.2f}" for ratio in ratios),
    ]


def require_same_problem(samples: list[Samples]) -> None:
    """Refuse times of what was not solved."""
    for kept in samples:
        worst = max(kept.numbers["true_residual"])
        if worst > SLACK * TOLERANCE:
            raise RunFailedError(
                f"{kept.name} leaves {worst:.1e} of the right-hand side ({TOLERANCE:.0e} was asked "
                "for): its time counts for nothing. Choose other options."
            )


def main() -> int:
    """Measure, check, print, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--side", type=int, default=150)
    parser.add_argument("--dimensions", type=int, default=3, choices=(2, 3))
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--json", type=Path, default=TOP / "bench-output" / "poisson_peers.json")
    arguments = parser.parse_args()
    samples = take_turns(peers_of(arguments), arguments.repetitions)
    title = f"Poisson, {arguments.side}^{arguments.dimensions} points, to 1e-8, CPU s of one core"
    show(title, COLUMNS, [row_of(kept, samples[0]) for kept in samples])
    print(f"halocline's hierarchy alone: {samples[0].spread('hierarchy_cpu', 2)} s")
    write(arguments.json, title, samples)
    if not arguments.tune:
        require_same_problem(samples)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except HaloclineError as error:
        sys.exit(f"poisson_peers: {error}")
