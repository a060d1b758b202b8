# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the table that ends `make demo`: what ran, how fast, where the files are."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from halocline.cli.output import console, table
from halocline.errors import HaloclineError
from halocline.record.model import Record
from halocline.record.outcome import Loop
from halocline.record.store import read_record
from halocline.wording import layout_words

PICTURE_NOTE = (
    "pressure against MG-CFD's free stream (axial, Mach 1.2) after {cycles} cycles from a uniform\n"
    "start: a transient around standing blades, not the converged flow of the turning rotor"
)
FLUX_NOTE = "a flux stage is edge flux, boundary flux and Runge-Kutta update in one pass"


@dataclass(frozen=True)
class Rates:
    """Some loops of a run taken together."""

    seconds: float
    elements: int
    gb_per_s: float

    @classmethod
    def of(cls, loops: list[Loop]) -> Rates:
        """Add up `loops`; their rate is all bytes over all seconds."""
        seconds = sum(loop.seconds for loop in loops)
        moved = sum(loop.bytes for loop in loops)
        elements = sum(loop.elements for loop in loops)
        return cls(seconds, elements, moved / seconds / 1e9 if seconds else 0.0)

    def words(self, triad: float | None) -> str:
        """Return e.g. `12.1 GB/s = 31 % of the triad`."""
        share = f" = {100 * self.gb_per_s / triad:.0f} % of the measured triad" if triad else ""
        return f"{self.gb_per_s:.1f} GB/s{share}"


def rows(record: Record, alone: Record) -> list[tuple[str, str]]:
    """What ran and how fast."""
    fine, layout, results = record.mesh.levels[0], record.layout, record.results
    host, triad = record.hosts[0], record.triad_gb_per_s
    edges = Rates.of([loop for loop in record.loops if loop.set == "edges"])
    nanoseconds = 1e9 * edges.seconds / edges.elements if edges.elements else 0.0
    spread = layout_words(layout.ranks, layout.threads_per_rank)
    one_core = f"one core: {alone.results.compute_s:.2f} s, the same bits"
    made = [
        ("program", f"{record.program} {record.code.version}, back end {record.backend}"),
        ("mesh", f"{fine.nodes:,} nodes, {fine.edges:,} edges, {len(record.mesh.levels)} levels"),
        ("where", f"{spread} on {host.name} ({host.cpu or 'CPU'}), {record.mpi.library}"),
        ("time", f"{results.compute_s:.2f} s for {results.cycles} cycles ({one_core})"),
        ("set-up", f"{record.setup.total_s:.2f} s (read, partition, renumber, halos, plans)"),
        ("flux stages", f"{nanoseconds:.2f} ns per edge, {edges.words(triad)}"),
        ("", FLUX_NOTE),
        ("all loops", Rates.of(record.loops).words(triad)),
    ]
    if triad:
        made.append(("triad", f"{triad:.1f} GB/s, measured by the same ranks and threads"))
    return made


def files(demo: Path, cycles: int) -> list[tuple[str, str]]:
    """Where everything is."""
    return [
        ("mesh", f"{demo}/mesh/"),
        ("results", f"{demo}/output/variables.L0.cycles={cycles}.h5, one file per level"),
        ("record", f"{demo}/output/record.json"),
        ("loops", f"{demo}/loops.png"),
        ("picture", f"{demo}/rotor37.png"),
        ("", PICTURE_NOTE.format(cycles=cycles)),
    ]


def main() -> int:
    """Read both records of the demo's folder and print the table."""
    demo = Path(sys.argv[1])
    try:
        record, alone = read_record(demo / "output"), read_record(demo / "one-core")
    except HaloclineError as error:
        print(f"halocline: {error}", file=sys.stderr)
        return int(error.exit_code)
    shown = table("Rotor 37, done", "", "")
    shown.show_header = False
    for what, value in [*rows(record, alone), *files(demo, record.results.cycles)]:
        shown.add_row(what, value)
    console().print(shown)
    return 0


if __name__ == "__main__":
    sys.exit(main())
