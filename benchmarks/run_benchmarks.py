# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures mgcfd and its edge flux on this machine: `make bench`.

What each number means: benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import NoReturn

import readme_figures
from halocline.errors import HaloclineError, MissingEnvironmentError, UsageError
from halocline.launch.cores import usable_cores
from halocline.launch.programs import require_program
from halocline.record.model import Record
from suite import figures, halos, programs, report
from suite.measure import (
    Sample,
    YardstickRun,
    background_load,
    bus_scaling,
    run_micro,
    run_variant,
    run_yardstick,
)
from suite.variants import NATURAL, SHUFFLED, Sizes, Variant, variants

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
RESULTS = ROOT / "benchmarks" / "results"
MICRO = ROOT / "build" / "benchmarks" / "benchmark_edge_flux"
YARDSTICK = ROOT / "build" / "benchmarks" / "benchmark_plain_mgcfd"
FULL_SIZE = 1_000_000
QUIET_CORES = 0.1  # other load up to which a machine counts as quiet
QUIET_BUS = 1.5  # triad of two threads over that of one, from which the memory bus counts as quiet
TINY = 2_000


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, as every command of the project does."""

    def error(self, message: str) -> NoReturn:
        """Leave with the exit code for usage."""
        raise UsageError(f"{self.prog}: {message.rstrip('.')}. See scripts/bench.sh --help.")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="bench.sh", description=__doc__)
    parser.add_argument("--nodes", type=int, default=FULL_SIZE, help="nodes of the meshes")
    parser.add_argument("--repetitions", type=int, default=5, help="at least 5 to publish")
    parser.add_argument("--cycles", type=int, default=25, help="cycles of the fast runs")
    parser.add_argument("--serial-cycles", type=int, default=5, help="of the serial back end")
    parser.add_argument("--shuffled-cycles", type=int, default=2, help="of it on the shuffled mesh")
    parser.add_argument(
        "--wait-for-bus",
        type=float,
        default=0.0,
        metavar="MINUTES",
        help=f"before each repetition wait until two threads' triad is {QUIET_BUS} times one's, "
        "but no longer than this in all: other guests of a host use its memory bus",
    )
    parser.add_argument("--quick", action="store_true", help="small and short: tries the script")
    parser.add_argument(
        "--publish", action="store_true", help="into README, docs/ and benchmarks/results/"
    )
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "bench-output")
    chosen = parser.parse_args(arguments)
    if chosen.quick:
        chosen.nodes, chosen.repetitions, chosen.cycles = 30_000, 2, 4
        chosen.serial_cycles, chosen.shuffled_cycles = 2, 2
    numbers = (chosen.repetitions, chosen.cycles, chosen.serial_cycles, chosen.shuffled_cycles)
    if min(numbers) < 1 or chosen.nodes < 1000:
        parser.error("counts start at 1, --nodes at 1000")
    if chosen.publish and (chosen.nodes < FULL_SIZE or chosen.repetitions < 5):
        parser.error(f"--publish needs {FULL_SIZE:,} nodes and 5 repetitions or more")
    return chosen


def say(text: str) -> None:
    """Progress, at once even into a pipe."""
    print(text, flush=True)


def make_mesh(nodes: int, target: Path, more: Sequence[str] = ()) -> Path:
    """Make one mesh of four levels."""
    words = ["mesh", "make", "sector", "--nodes", str(nodes), "--levels", "4", *more]
    command = [sys.executable, "-m", "halocline", *words, "-o", str(target)]
    say(f"mesh: halocline {shlex.join(words)}")
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise SystemExit(done.returncode)
    return target


def make_meshes(nodes: int, folder: Path) -> dict[str, Path]:
    """Make the natural and the shuffled mesh."""
    orders = {NATURAL: (), SHUFFLED: ("--shuffle", "--seed", "1")}
    return {
        order: make_mesh(nodes, folder / f"sector-{nodes}-{order}", more)
        for order, more in orders.items()
    }


class BusWatch:
    """Holds repetitions back while other guests of the host use its memory bus."""

    def __init__(self, minutes: float, scratch: Path) -> None:
        self.left_s = 60.0 * minutes
        self.scratch = scratch
        self.mesh = make_mesh(TINY, scratch / "bus-mesh") if minutes > 0 else None

    def wait(self, program: Path) -> None:
        """Return when the bus is quiet, or when the time for waiting is used up."""
        while self.mesh is not None and self.left_s > 0:
            start = time.monotonic()
            scaling = bus_scaling(program, self.mesh, self.scratch)
            if scaling >= QUIET_BUS:
                return
            say(f"  memory bus in use by others (two threads {scaling:.2f} times one), waiting")
            time.sleep(min(15.0, self.left_s))
            self.left_s -= time.monotonic() - start


def measure(
    plan: Sequence[Variant], meshes: dict[str, Path], sizes: Sizes, scratch: Path, bus: BusWatch
) -> tuple[dict[str, list[Sample]], list[YardstickRun], list[float]]:
    """Run every variant and the yardstick once a repetition, one after the other."""
    program = require_program("mgcfd")
    samples: dict[str, list[Sample]] = {variant.name: [] for variant in plan}
    load: list[float] = []
    yardstick: list[YardstickRun] = []
    for repetition in range(sizes.repetitions):
        bus.wait(program)
        load.append(background_load())
        mesh = meshes[NATURAL]
        yardstick.append(run_yardstick(YARDSTICK, mesh, sizes.serial_cycles, scratch))
        say(
            f"  {repetition + 1}/{sizes.repetitions}  {'plain loops':<16}"
            f"{1e3 * yardstick[-1].cycle_s:9.1f} ms a cycle"
        )
        for variant in plan:
            sample = run_variant(variant, program, meshes[variant.mesh], scratch)
            samples[variant.name].append(sample)
            say(
                f"  {repetition + 1}/{sizes.repetitions}  {variant.name:<16}"
                f"{1e3 * sample.cycle_s:9.1f} ms a cycle"
            )
    figures.require_same_residuals(samples, {variant.name: variant.mesh for variant in plan})
    figures.require_yardstick_agrees(samples, yardstick)
    return samples, yardstick, load


def describe(
    record: Record, chosen: argparse.Namespace, load: list[float], cores: int
) -> report.Session:
    """Collect what identifies this session."""
    host, code = record.hosts[0], record.code
    command = shlex.join(["scripts/bench.sh", *sys.argv[1:]])
    counts = ("nodes", "repetitions", "cycles", "serial_cycles", "shuffled_cycles")
    return report.Session(
        started=datetime.now(UTC).strftime("%Y-%m-%d"),
        command=command,
        cpu=host.cpu or "unknown CPU",
        cores=cores,
        memory_gb=(host.memory_bytes or 0) / 1e9,
        code=f"{code.version} {code.git or ''}".strip(),
        arch=code.arch,
        compiler=code.compiler,
        mpi=record.mpi.library,
        sizes={name: int(getattr(chosen, name)) for name in counts},
        background_cores=load,
    )


def publish(session: report.Session, fragment: str, results: Path) -> None:
    """Put the results where readers look; a busy machine's numbers do not go there."""
    if median(session.background_cores) > QUIET_CORES:
        raise MissingEnvironmentError(
            f"not published: others kept {median(session.background_cores):.2f} cores busy (the "
            f"numbers would be theirs too). They are in {results}; run again on a quiet machine."
        )
    kept = RESULTS / f"{session.host_class}.json"
    kept.parent.mkdir(exist_ok=True)
    kept.write_bytes(results.read_bytes())
    report.put_between_marks(PAGE, fragment)
    written = [kept, PAGE]
    if kept == readme_figures.SESSION:
        readme_figures.write()
        written.append(readme_figures.README)
    say("published: " + ", ".join(str(path.relative_to(ROOT)) for path in written))


def run(chosen: argparse.Namespace) -> None:
    """The whole benchmark."""
    if not MICRO.is_file():
        raise MissingEnvironmentError(f"{MICRO} is missing (libbenchmark-dev). Run make build.")
    scratch: Path = chosen.output.resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    cores = usable_cores().cores
    meshes = make_meshes(chosen.nodes, scratch)
    sizes = Sizes(
        chosen.nodes,
        chosen.repetitions,
        chosen.cycles,
        chosen.serial_cycles,
        chosen.shuffled_cycles,
    )
    say("edge flux alone (google-benchmark)")
    micro = run_micro(MICRO, chosen.nodes, chosen.repetitions, scratch)
    say("mgcfd")
    bus = BusWatch(chosen.wait_for_bus if cores >= 2 else 0.0, scratch)
    samples, yardstick, load = measure(variants(sizes, cores), meshes, sizes, scratch, bus)
    say("programs of users against plain loops")
    users = programs.sections(MICRO.parent, chosen.repetitions, scratch, quick=chosen.quick)
    sections = [*figures.all_sections(samples, micro, yardstick), *halos.section(samples), *users]
    loops = figures.loop_rows(samples, 1e9 * median(micro["edge_flux/arithmetic"]))
    session = describe(samples["fast"][0].record, chosen, load, cores)
    report.show(session, sections, loops)
    results, fragment = scratch / "results.json", report.markdown(session, sections, loops)
    report.write_json(results, session, sections, loops)
    (scratch / "results.md").write_text(fragment, encoding="utf-8")
    say(f"written: {results}, {scratch / 'results.md'}")
    if chosen.publish:
        publish(session, fragment, results)


def main() -> int:
    """Run; turn an error into one sentence and its exit code."""
    try:
        run(parse(sys.argv[1:]))
    except HaloclineError as error:
        print(f"halocline: {error}", file=sys.stderr)
        return int(error.exit_code)
    return 0


if __name__ == "__main__":
    sys.exit(main())
