# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the command line asks for, checked before anything runs; then all of it in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halocline.case.load import load_case
from halocline.case.model import Case
from halocline.case.names import names
from halocline.cores.result import read_result
from halocline.errors import InvalidInputError, UsageError, suggestion
from halocline.files.lock import Place, locked
from halocline.files.output_file import write_text
from halocline.forecast.busy_host import BusyHost, busy_host_of
from halocline.forecast.dividing import Divider
from halocline.forecast.forecast import Question, forecast, require_one_mesh
from halocline.forecast.machine import Machine
from halocline.forecast.measured import Run, measured, merged
from halocline.forecast.measuring import Measurement, measure, measure_host
from halocline.forecast.network import EXAMPLE, Link, link_of_record, read_link
from halocline.forecast.report import FORECAST, Forecast
from halocline.forecast.solvers import solver_of
from halocline.launch.case_run import make_mesh
from halocline.launch.cores import usable_cores
from halocline.launch.mesh_recipe import mesh_job
from halocline.record.store import find_record, read_record
from halocline.wording import counted

MOST_RANKS = 100_000
PAGE_NAME, FILE_NAME = "forecast.html", "forecast.json"


@dataclass(frozen=True)
class Options:
    """The command line."""

    case: Path | None
    ranks: str
    network: str | None
    inside: str | None
    partitioners: tuple[str, ...]
    records: tuple[Path, ...]
    measure: str | None
    cycles: int
    repeats: int
    ranks_per_host: int | None
    cores_per_host: int | None
    device_link: str | None
    settings: tuple[str, ...]
    output: Path
    #: Result of halocline cores.
    cores: Path | None = None


@dataclass(frozen=True)
class Plan:
    """All that will be done."""

    options: Options
    case: Case
    case_file: Path
    ranks: tuple[int, ...]
    partitioners: tuple[tuple[str, str], ...]
    network: Link
    inside: Link | None
    device: Link | None
    #: Numbers of ranks to run; empty: records are given.
    measure: tuple[int, ...]
    runs: tuple[Run, ...]
    #: What busy cores do to each other; None: it is measured with the runs, if there are any.
    host: BusyHost | None = None

    def plain(self) -> dict[str, Any]:
        """Return the plan as JSON data."""
        return {
            "case": str(self.case_file),
            "ranks": list(self.ranks),
            "partitioners": [list(way) for way in self.partitioners],
            "measure": list(self.measure),
            "records": [run.source for run in self.runs],
            "network": self.network.__dict__,
            "cores": self.host.origin if self.host else None,
        }

    def sentences(self) -> list[str]:
        """Return the plan for people."""
        options = self.options
        ranks = ", ".join(str(count) for count in self.measure)
        each = f"{counted(options.cycles, 'cycle')} each, {counted(options.repeats, 'time')}"
        lines = [f"measure {options.case} on {ranks} ranks, {each}"]
        if self.measure and self.host is None:
            lines.append("measure what busy cores do to each other (halocline cores)")
        if not self.measure:
            lines = [f"take costs from {', '.join(run.source for run in self.runs)}"]
        for partitioner, method in self.partitioners:
            asked = ", ".join(f"{count:,}" for count in self.ranks)
            lines.append(f"divide the mesh by {partitioner} {method} into {asked} parts")
        if self.host is not None:
            lines.append(f"take what busy cores do to each other from {self.host.origin}")
        return [*lines, f"write {options.output / FILE_NAME} and {options.output / PAGE_NAME}"]


def plan_forecast(options: Options) -> Plan:
    """Check all that is asked for; read files, run nothing."""
    if options.case is None:
        raise UsageError("no case file is given. Name one: halocline forecast case.toml.")
    if options.network is None:
        raise UsageError(
            f"--network is missing (times between hosts cannot be guessed). Give {EXAMPLE}, or a "
            "result of halocline p2p between two hosts."
        )
    case = load_case(options.case, options.settings)
    solver_of(case.solver.name, str(options.case))
    read = [_read_run(path) for path in options.records]
    require_one_mesh(read)
    runs = tuple(merged(read))
    if runs and options.measure:
        raise UsageError("--record and --measure: costs come from one of them. Leave one out.")
    return Plan(
        options=options,
        case=case,
        case_file=options.case,
        ranks=read_counts(options.ranks, "--ranks"),
        partitioners=_partitioners(options, case),
        network=read_link(options.network),
        inside=read_link(options.inside, "--inside") if options.inside else None,
        device=read_link(options.device_link, "--device-link") if options.device_link else None,
        measure=() if runs else _measure(options),
        runs=runs,
        host=_host(options.cores),
    )


def _host(file: Path | None) -> BusyHost | None:
    if file is None:
        return None
    host = busy_host_of(read_result(file), str(file))
    if host is None:
        raise InvalidInputError(
            f"{file}: has no row of multiply_add with rows of triad on as many cores (a loop "
            "computes and moves). Measure again: halocline cores."
        )
    return host


def read_counts(text: str, option: str) -> tuple[int, ...]:
    """Return numbers of ranks as `64,256`, ascending."""
    counts = set()
    for part in text.split(","):
        if not part.strip().isdecimal() or not 1 <= int(part) <= MOST_RANKS:
            raise UsageError(
                f"{option} {text}: '{part.strip()}' is not a number of ranks (1 to "
                f"{MOST_RANKS:,}). "
                f"Write e.g. {option} 64,256,1024."
            )
        counts.add(int(part))
    return tuple(sorted(counts))


def _measure(options: Options) -> tuple[int, ...]:
    """One rank, and powers of two up to a rank a core; two at least, to see halos."""
    if options.measure is not None:
        return read_counts(options.measure, "--measure")
    most = max(2, usable_cores().cores)
    powers = [1 << place for place in range(most.bit_length()) if 1 << place <= most]
    return tuple(sorted({*powers, most}))


def _partitioners(options: Options, case: Case) -> tuple[tuple[str, str], ...]:
    parallel = case.parallel
    own = (str(parallel.partitioner), str(parallel.partitioner_method))
    ways = [_way(text) for text in options.partitioners] or [own]
    return tuple(dict.fromkeys(ways))


def _way(text: str) -> tuple[str, str]:
    name, _, method = text.partition(":")
    method = method or "auto"
    for word, key in ((name, "parallel.partitioner"), (method, "parallel.partitioner_method")):
        if word not in names(key):
            raise UsageError(f"-m {text}: no '{word}'. {suggestion(word, names(key))}")
    return name, method


def _read_run(path: Path) -> Run:
    file = find_record(path)
    return measured(read_record(file), file)


def run_plan(plan: Plan, command: str) -> Forecast:
    """Measure, divide, predict, write; return the forecast."""
    from halocline.forecast.page import page

    folder = plan.options.output
    base = plan.case_file.resolve().parent
    job = mesh_job(plan.case, base, str(plan.case_file))
    with locked(Place(folder, "forecast", what=f"a forecast to {folder}")):
        if job is not None:
            make_mesh(job, output_to_stderr=True)
        runs = list(plan.runs) or measure(_measurement(plan), plan.measure)
        host = plan.host or (measure_host(folder) if plan.measure else None)
        question, machine = _question(plan, base, runs), _machine(plan, runs)
        made = forecast(question, runs, machine, _divider(plan, base, runs), host)
        FORECAST.write(made, folder / FILE_NAME)
        write_text(folder / PAGE_NAME, page(made, command))
    return made


def _measurement(plan: Plan) -> Measurement:
    options = plan.options
    few = solver_of(plan.case.solver.name, str(plan.case_file)).few(options.cycles)
    return Measurement(
        plan.case_file, options.settings, options.output, options.cycles, options.repeats, few
    )


def _question(plan: Plan, base: Path, runs: Sequence[Run]) -> Question:
    solver = solver_of(plan.case.solver.name, str(plan.case_file))
    return Question(
        case=" ".join(plan.case.title.split()) or plan.case_file.stem,
        mesh=base / plan.case.mesh.directory / plan.case.mesh.input,
        ranks=plan.ranks,
        partitioners=plan.partitioners,
        together=solver.together(_on_several_ranks(runs)),
        whole_from=_on_several_ranks(runs).first_whole,
    )


def _divider(plan: Plan, base: Path, runs: Sequence[Run]) -> Divider:
    mesh = base / plan.case.mesh.directory / plan.case.mesh.input
    legacy = bool(getattr(plan.case.solver, "legacy_mode", False))
    makes_levels = bool(runs[0].record.linear_solvers) and len(runs[0].levels) > 1
    whole = _on_several_ranks(runs).first_whole
    return Divider(mesh, legacy, runs[0].levels, makes_levels, whole)


def _on_several_ranks(runs: Sequence[Run]) -> Run:
    """A run on fewest ranks, but not on one, whose levels are all of the rank."""
    return min(runs, key=lambda run: (run.ranks == 1, run.ranks))


def _machine(plan: Plan, runs: Sequence[Run]) -> Machine:
    """Hosts as asked for, else as the one that was measured."""
    options = plan.options
    largest = max(runs, key=lambda run: run.ranks)
    threads = 1 if largest.on_devices else largest.record.layout.threads_per_rank
    own = largest.record.layout.gpus if largest.on_devices else largest.cores // threads
    ranks = options.ranks_per_host or max(1, own)
    cores = options.cores_per_host or ranks * threads
    if ranks > MOST_RANKS:
        raise UsageError(
            f"--ranks-per-host {ranks:,} is more than any host has cores for (at most "
            f"{MOST_RANKS:,} ranks). Correct it."
        )
    return Machine(
        network=plan.network,
        inside=plan.inside or _measured_inside(runs) or plan.network,
        ranks_per_host=ranks,
        cores_per_host=cores,
        threads=threads,
        device=plan.device,
    )


def _measured_inside(runs: Sequence[Run]) -> Link | None:
    """The fastest link that a run on one host measured: others were slowed by other work."""
    links = [
        link
        for run in runs
        if len(run.record.hosts) == 1 and run.record.halo.network_model is None
        if (link := link_of_record(run.record)) is not None
    ]
    return min(links, key=lambda link: link.latency_s, default=None)
