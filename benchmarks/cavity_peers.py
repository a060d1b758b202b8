# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The lid-driven cavity, Re 1000, by halocline, icoFoam and code_saturne in turns.

Usage: cavity_peers.py [--side 512] [--steps 5] [--steady 64] [--repetitions 3] [--json FILE]

Two tables: what a step from rest costs, and how long each takes to the time at which halocline's
flow is steady on a smaller mesh, with the extrema found there beside published ones. All have the
same mesh, viscosity and time step (Courant number 0.5 at the lid). icoFoam has its tutorial's
settings (PISO, two pressure solves a step to 1e-6), and GAMG in place of DICPCG; code_saturne has
its defaults but for slope tests (SIMPLEC, everything to 1e-8), and icoFoam's tolerances;
halocline solves one pressure a step to 1e-6 of the divergence that the step would leave.
scripts/bench_peers.sh installs the peers and builds the programs; code_saturne is left out where
it is not installed. --steady 0 leaves the second table out.
"""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from statistics import median

from halocline.cli.output import console
from halocline.errors import HaloclineError
from halocline.launch.programs import PROGRAM_FOLDER_VARIABLE
from halocline.record.model import Record
from halocline.record.store import read_record
from incompressible.cavity import middle_lines
from incompressible.proof import extremum
from suite import icofoam, saturne
from suite.cavity import Cavity, Line
from suite.peers import Peer, Samples, require_file, run_program, show, take_turns, write
from suite.saturne import Precision

import halocline

TOP = Path(__file__).parents[1]
VISCOSITY = 0.001
COURANT = 0.5
CASE = """\
[mesh]
directory = "mesh"
[mesh.make]
shape = "cavity"
nodes = {nodes}
cells = "{side},{side}"
levels = 1
elements = "quad"
[solver]
name = "incompressible"
viscosity = {viscosity}
courant = 0.8  # the limit of a step that is given
time_step = {time_step!r}
end_time = 1000.0
steady_tolerance = 1e-6
[solver.boundaries.lid]
kind = "wall"
velocity = ["1", "0"]
[solver.boundaries.wall]
kind = "wall"
[output]
directory = "output"
variables = true
"""


def cavity(side: int, steps: int) -> Cavity:
    """Return a cavity whose steps are half a cell of the lid's way."""
    return Cavity(side, VISCOSITY, COURANT / side, steps)


def run_halocline(folder: Path, square: Cavity, *changes: str) -> Record:
    """Run the case in its folder with other keys; return the record."""
    folder.mkdir(parents=True, exist_ok=True)
    case = folder / "case.toml"
    nodes = (square.side + 1) ** 2
    case.write_text(
        CASE.format(side=square.side, nodes=nodes, viscosity=VISCOSITY, time_step=square.time_step)
    )
    keys = [word for change in changes for word in ("--set", change)]
    run_program([sys.executable, "-m", "halocline", "run", case, *keys])
    return read_record(folder / "output" / "record.json")


def steps_of_halocline(
    folder: Path, square: Cavity, ranks: int, threads: int
) -> Mapping[str, float]:
    """Return what a step after the first takes each core, and what it solves."""
    layout = (f"parallel.ranks={ranks}", f"parallel.threads={threads}")
    first = run_halocline(folder, square, *layout, "solver.steps=1")
    all_steps = run_halocline(folder, square, *layout, f"solver.steps={square.steps}")
    steps = square.steps - 1
    seconds = cpu_seconds(all_steps) - cpu_seconds(first)
    before, after = first.linear_solvers[0], all_steps.linear_solvers[0]
    return {
        "us": 1e6 * seconds / (ranks * threads) / steps / square.side**2,
        "iterations": (after.iterations - before.iterations) / steps,
        "solves": (after.solves - before.solves) / steps,
    }


def cpu_seconds(record: Record) -> float:
    """Return the CPU seconds of a run's steps."""
    return record.results.compute_cpu_s or 0.0


def steps_of_icofoam(
    folder: Path, square: Cavity, pressure: str, ranks: int
) -> Mapping[str, float]:
    """Run icoFoam for the same steps."""
    icofoam.write_case(folder, square, pressure, ranks)
    return icofoam.run_case(folder, square, ranks)


def steps_of_saturne(folder: Path, square: Cavity, precision: Precision) -> Mapping[str, float]:
    """Run code_saturne for the same steps."""
    saturne.write_case(folder, square)
    return saturne.time_steps(folder, square, precision)


def saturne_precisions() -> tuple[Precision, ...]:
    """Return how far code_saturne solves, in turns; nothing where it is not installed."""
    return () if saturne.missing_programs() else (saturne.DEFAULT, saturne.LIKE_ICOFOAM)


def say_what_is_skipped() -> None:
    """Print a sentence where code_saturne, which not every distribution has, is missing."""
    for program in saturne.missing_programs()[:1]:
        console().print(
            f"code_saturne is skipped: {program} is missing. On Debian 12, 'apt-get install "
            "code-saturne-bin' brings it.",
            highlight=False,
        )


def compare_steps(scratch: Path, square: Cavity, repetitions: int) -> list[Samples]:
    """Time steps on one core and on two, print the table."""
    ours = scratch / f"halocline_{square.side}"
    peers = [
        Peer("halocline", lambda: steps_of_halocline(ours, square, 1, 1)),
        Peer("icoFoam, DICPCG", lambda: steps_of_icofoam(scratch / "foam", square, "DICPCG", 1)),
        Peer("icoFoam, GAMG", lambda: steps_of_icofoam(scratch / "foam", square, "GAMG", 1)),
        *(
            Peer(
                f"code_saturne, {precision.name}",
                partial(steps_of_saturne, scratch / "saturne", square, precision),
            )
            for precision in saturne_precisions()
        ),
        Peer("halocline, 2 threads", lambda: steps_of_halocline(ours, square, 1, 2)),
        Peer("halocline, 2 ranks", lambda: steps_of_halocline(ours, square, 2, 1)),
        Peer(
            "icoFoam, GAMG, 2 ranks", lambda: steps_of_icofoam(scratch / "foam", square, "GAMG", 2)
        ),
    ]
    samples = take_turns(peers, repetitions)
    rows = [
        [
            kept.name,
            kept.spread("us", 2),
            f"{kept.median('us') / kept.median('solves'):.2f}",
            f"{kept.median('solves'):.3g}",
            f"{kept.median('iterations'):.1f}",
            f"{median(kept.ratios('us', samples[0])):.1f}",
        ]
        for kept in samples
    ]
    columns = ("", "µs a cell-step", "a pressure solve", "solves", "iterations a step", "× ours")
    show(f"Cavity {square.side}², steps 2 to {square.steps}, CPU time of each core", columns, rows)
    return samples


def errors_of(
    lines: tuple[Line, Line], reference: Mapping[str, Mapping[str, float]]
) -> dict[str, float]:
    """Return the distances of the extrema from published ones in per cent."""
    return {
        name: 100.0 * (extremum(*lines[line], sign)[1] / reference[name]["value"] - 1.0)
        for name, line, sign in (("u_min", 0, -1), ("v_max", 1, 1), ("v_min", 1, -1))
    }


def once(name: str, found: Mapping[str, float]) -> Samples:
    """Return the numbers of a peer that ran once."""
    return Samples(name, {number: [value] for number, value in found.items()})


def compare_steady(scratch: Path, side: int) -> list[Samples]:
    """Run to the time of halocline's steady state, once, and print times and errors."""
    references = tomllib.loads((TOP / "data" / "incompressible" / "reference.toml").read_text())
    reference = references["cavity_re1000"]
    folder = scratch / f"halocline_{side}"
    record = run_halocline(
        folder, cavity(side, 0), "solver.steady=true", "parallel.ranks=1", "parallel.threads=1"
    )
    square = cavity(side, record.results.cycles)
    lines = middle_lines(halocline.open(folder / "output"))
    found = {"run_s": cpu_seconds(record), **errors_of(lines, reference)}
    samples = [once("halocline", found)]
    for pressure in icofoam.SOLVERS:
        there = scratch / "steady-foam"
        times = steps_of_icofoam(there, square, pressure, 1)
        errors = errors_of(icofoam.middle_lines(there, square), reference)
        samples.append(once(f"icoFoam, {pressure}", {"run_s": times["run_s"], **errors}))
    for precision in saturne_precisions()[-1:]:  # the quicker one
        there = scratch / "steady-saturne"
        saturne.write_case(there, square)
        run_s = saturne.run_to_end(there, square, precision)
        errors = errors_of(saturne.middle_lines(there, square), reference)
        samples.append(once(f"code_saturne, {precision.name}", {"run_s": run_s, **errors}))
    rows = [
        [
            kept.name,
            f"{kept.median('run_s'):.1f}",
            *(f"{kept.median(name):+.2f} %" for name in ("u_min", "v_max", "v_min")),
        ]
        for kept in samples
    ]
    end_time = square.steps * square.time_step
    show(
        f"Cavity {side}², {square.steps} steps from rest to t = {end_time:.1f}",
        ("", "CPU s", "u_min", "v_max", "v_min"),
        rows,
    )
    return samples


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--side", type=int, default=512)
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--steady", type=int, default=64, metavar="SIDE")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--json", type=Path, default=TOP / "bench-output" / "cavity_peers.json")
    arguments = parser.parse_args()
    require_file(Path("/usr/bin/icoFoam"), "Run scripts/bench_peers.sh, which installs and builds.")
    os.environ.setdefault("WM_PROJECT_DIR", "/usr/share/openfoam")
    os.environ.setdefault(PROGRAM_FOLDER_VARIABLE, str(TOP / "build" / "bin"))
    say_what_is_skipped()
    scratch = arguments.json.parent / "cavity_peers"
    samples = compare_steps(scratch, cavity(arguments.side, arguments.steps), arguments.repetitions)
    write(arguments.json, f"cavity {arguments.side}^2, steps", samples)
    if arguments.steady:
        steady = compare_steady(scratch, arguments.steady)
        path = arguments.json.with_name("cavity_steady_peers.json")
        write(path, f"cavity {arguments.steady}^2, steady", steady)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except HaloclineError as error:
        sys.exit(f"cavity_peers: {error}")
