# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures what the snapshot recorder costs real programs: runs with and without it, in turn.

Both runs of a pair use the same launch line; which one comes first alternates. Quoted are the
median of the ratios of the pairs, its 95 % confidence interval and the quartiles, by the clock of
the launch line (launcher, start and end of the recorder included), by the processor time of all its
processes, and by the program's own clock (its main part). Processor time is what others on the
machine disturb least; on several ranks it holds the polling of those that wait, so `--ranks 1`
gives the sharpest figure.
Results must not change, or the time of the run does not count.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from halocline.cli.output import console, table
from halocline.errors import HaloclineError
from snapshot_cases import choose, programs
from snapshot_pairs import CLOCKS, Pair, measure
from suite.measure import background_load
from suite.spread import median_interval

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Row:
    """All pairs of one program on one number of ranks."""

    program: str
    ranks: int
    pairs: list[Pair]
    traffic: dict[str, float]


def write(rows: list[Row], load: float, folder: Path) -> None:
    """Write all values of all pairs so far: a session may be cut short."""
    folder.mkdir(parents=True, exist_ok=True)
    data = {"background_cores": load, "programs": [asdict(row) for row in rows]}
    (folder / "snapshot_programs.json").write_text(json.dumps(data, indent=2) + "\n")


def show(rows: list[Row], load: float) -> None:
    """Print the table."""
    title = "Overhead of the recorder in percent: median of pairs (95 %), quartiles"
    columns = [
        "ranks",
        "pairs",
        "run",
        "wall",
        "CPU",
        "own clock",
        "calls/s·rank",
        "regions",
        "MPI",
    ]
    made = table(title, "program", *columns, right=tuple(columns))
    for row in rows:
        cells = []
        for clock in CLOCKS:
            overhead = [pair.overhead_percent(clock) for pair in row.pairs]
            if any(math.isnan(each) for each in overhead):
                cells.append("")
                continue
            low, middle, high = statistics.quantiles(overhead, n=4)
            least, most = median_interval(overhead)
            cells.append(f"{middle:+.2f} ({least:+.2f} … {most:+.2f})\n{low:+.2f} … {high:+.2f}")
        made.add_row(
            row.program,
            str(row.ranks),
            str(len(row.pairs)),
            f"{statistics.median(pair.plain.cpu for pair in row.pairs) / row.ranks:.2f} s",
            *cells,
            f"{row.traffic['calls_per_s']:,.0f}",
            f"{row.traffic['regions_per_s']:,.0f}",
            f"{row.traffic['mpi_percent']:.1f} %",
        )
    console().print(made)
    print(f"other processes kept {load:.2f} cores busy")


def main() -> int:
    """Run; turn an error into one sentence and its exit code."""
    parser = argparse.ArgumentParser(prog="bench_snapshot.sh", description=__doc__)
    parser.add_argument("--pairs", type=int, default=15, help="pairs of runs a program")
    parser.add_argument(
        "--limit-s",
        type=float,
        default=math.inf,
        help="end the pairs of a program and number of ranks after so long",
    )
    parser.add_argument(
        "--sliced",
        action="store_true",
        help="run both jobs of a pair on the same cores, a twentieth of a second each in turn",
    )
    parser.add_argument("--ranks", type=int, nargs="+", default=[2], help="one run each")
    parser.add_argument("--steps", type=int, default=400, help="time steps of LAMMPS")
    parser.add_argument("--points", type=int, default=8, help="k points a direction of QE")
    parser.add_argument("--threads", type=int, default=1, help="OpenMP threads a rank of GROMACS")
    parser.add_argument("--programs", nargs="*", default=[], help="names; default: all installed")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "bench-output")
    chosen = parser.parse_args()
    try:
        load = background_load()
        rows: list[Row] = []
        for program in choose(
            programs(chosen.steps, chosen.points, chosen.threads), chosen.programs
        ):
            for ranks in chosen.ranks:
                made, traffic = measure(program, chosen.pairs, ranks, chosen.limit_s, chosen.sliced)
                rows.append(Row(program.name, ranks, made, traffic))
                write(rows, load, chosen.output)
        show(rows, load)
    except HaloclineError as error:
        print(f"halocline: {error}", file=sys.stderr)
        return int(error.exit_code)
    return 0


if __name__ == "__main__":
    sys.exit(main())
