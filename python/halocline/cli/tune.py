# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline tune -- COMMAND`: settings of the MPI library that make a program faster, proved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halocline.cli.output import DryRunFlag, JsonFlag, console, print_json, table
from halocline.cli.problems import examples
from halocline.errors import UsageError
from halocline.terminal import note, say

if TYPE_CHECKING:
    from halocline.tune.model import TuneReport

POINT_ROWS = 10
TRIAL_ROWS = 8
EXAMPLES = examples(
    "halocline tune -- mpirun -n 4 ./app case.in",
    "halocline tune --result '! *total energy.*' --tolerance 1e-9 -- mpirun -n 4 pw.x -in si.in",
    "halocline tune --time 'Loop time of (\\S+)' --budget 20m -- mpirun -n 2 lmp -in in.melt",
    "halocline tune --no-collectives --try btl_vader_eager_limit=4096,65536 -- mpirun -n 2 ./app",
    "halocline tune --apply tune -- mpirun -n 4 ./app case.in",
    "halocline tune --show tune",
)


def command(
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="-- COMMAND…", help="Launch line, e.g. mpirun -n 4 ./app"),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder of the results; default: tune, tune-2 …"),
    ] = None,
    apply: Annotated[
        Path | None, typer.Option("--apply", help="Run COMMAND with the rules of this folder.")
    ] = None,
    show: Annotated[
        Path | None, typer.Option("--show", help="Show the results in this folder again.")
    ] = None,
    time: Annotated[
        str | None,
        typer.Option("--time", help="Pattern of the printed time to compare; default: wall time."),
    ] = None,
    result: Annotated[
        list[str] | None,
        typer.Option("--result", help="Pattern of output that must be equal in every run."),
    ] = None,
    tolerance: Annotated[
        float,
        typer.Option("--tolerance", min=0.0, help="Relative tolerance of numbers in --result."),
    ] = 0.0,
    budget: Annotated[
        str | None,
        typer.Option("--budget", help="Time for search and proof, e.g. 20m; default: as needed."),
    ] = None,
    runs: Annotated[
        int | None, typer.Option("--runs", min=0, help="Runs that the search may take.")
    ] = None,
    pairs: Annotated[int, typer.Option("--pairs", min=2, help="Pairs of runs of the proof.")] = 12,
    error_rate: Annotated[
        float, typer.Option("--error-rate", help="Accepted probability of a false gain.")
    ] = 0.01,
    limit: Annotated[
        str | None, typer.Option("--limit", help="Longest run; default: ten times the first.")
    ] = None,
    no_collectives: Annotated[
        bool, typer.Option("--no-collectives", help="Try no algorithms of collectives.")
    ] = False,
    no_parameters: Annotated[
        bool, typer.Option("--no-parameters", help="Try no settings but algorithms and --try.")
    ] = False,
    tries: Annotated[
        list[str] | None, typer.Option("--try", help="NAME=V1,V2: a further setting to try.")
    ] = None,
    catalogue: Annotated[
        Path | None, typer.Option("--catalogue", help="Settings to try, instead of the built-in.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the order of runs.")] = 1,
    mpi: Annotated[
        str | None, typer.Option("--mpi", help="openmpi or mpich, where it cannot be detected.")
    ] = None,
    dry_run: DryRunFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Find settings of the MPI library that make COMMAND faster, and prove it by running it.

    Records the collectives of the program, measures the library's algorithms at
    exactly those points, searches further settings, and compares the best with
    the launch line as it is, pair by pair. Writes rules where there is a gain
    beyond the noise, else says "no decision". Goes on where an earlier call in
    the same folder was ended.
    """
    if show is not None:
        _show(_read_report(show), show, as_json)
        return
    if not command:
        raise UsageError(
            "halocline tune: no launch line given (nothing to tune). Write it after two hyphens: "
            "halocline tune -- mpirun -n 4 ./app."
        )
    if apply is not None:
        raise typer.Exit(_apply(apply, command, dry_run=dry_run, as_json=as_json))
    from halocline.tune.parameters import CATALOGUE
    from halocline.tune.runs import Reading, pattern
    from halocline.tune.search import Budget
    from halocline.tune.tuning import Options

    reading = Reading(
        pattern(time, "--time") if time else None,
        tuple(pattern(each, "--result") for each in result or ()),
        tolerance,
    )
    options = Options(
        pairs=pairs,
        error_rate=error_rate,
        budget=Budget(_seconds(budget, "--budget"), runs),
        collectives=not no_collectives,
        parameters=not no_parameters,
        asked=tuple(tries or ()),
        catalogue=catalogue or CATALOGUE,
        seed=seed,
        limit_s=_seconds(limit, "--limit"),
    )
    from halocline.tune.folder import take_folder
    from halocline.tune.report import write_results
    from halocline.tune.tuning import tune

    folder = take_folder(output)
    if dry_run:
        _show_plan(command, folder, mpi, as_json)
        return
    found = tune(command, folder, reading, options, mpi)
    _show(write_results(folder, found), folder, as_json)


def _seconds(text: str | None, option: str) -> float | None:
    from halocline.units import duration_s

    if text is None:
        return None
    try:
        return float(duration_s(text))
    except ValueError as error:
        raise UsageError(f"{option} {text!r} {error}.") from None


def _show_plan(command: list[str], folder: Path, mpi: str | None, as_json: bool) -> None:
    from halocline.preload import family_of
    from halocline.tune.bench import bench_program, in_place_of_program
    from halocline.tune.library import library_version, program_library

    family = family_of(command, mpi)
    library = program_library(command)
    version = library_version(library) if library else "unknown"
    bench = in_place_of_program(command, [str(bench_program(family)), "measure", "JOB", "OUT"])
    if as_json:
        print_json({"folder": str(folder), "library": version, "benchmark": bench})
        return
    say(f"# {version}; results: {folder}")
    say(" ".join(bench))


def _apply(place: Path, command: list[str], *, dry_run: bool, as_json: bool) -> int:
    from halocline.launch.process import run_foreground, shell_exit_code
    from halocline.tune.rules import read_rules, require_library

    rules, folder = read_rules(place)
    family = require_library(rules, command, place)
    setting = rules.setting(folder)
    if dry_run:
        if as_json:
            print_json(
                {
                    "command": setting.command(command, family),
                    "environment": setting.environment,
                }
            )
        else:
            say(setting.shell_line(command, family))
        return 0
    return shell_exit_code(run_foreground(setting.command(command, family), setting.environment))


def _read_report(folder: Path) -> TuneReport:
    from halocline.tune.folder import REPORT_NAME
    from halocline.tune.report import REPORT

    return REPORT.read(folder / REPORT_NAME if folder.is_dir() else folder)


def _show(report: TuneReport, folder: Path, as_json: bool) -> None:
    if as_json:
        print_json(report.plain())
        return
    from halocline.tune.folder import PAGE_NAME
    from halocline.tune.page import verdict_words

    _print_points(report)
    _print_trials(report)
    say(verdict_words(report))
    if report.apply_line:
        say(f"With it:  {report.apply_line}")
    note(f"the page for a browser is {folder / PAGE_NAME if folder.is_dir() else folder}")


def _print_points(report: TuneReport) -> None:
    from halocline.tune.page import best_words
    from halocline.wording import bytes_words, count_words, seconds_words

    if not report.points:
        return
    right = ("ranks", "size", "calls", "time", "of the run", "a call")
    shown = table(
        f"Collectives, {report.library}",
        *("function", "ranks", "size", "calls", "time", "of the run", "a call", "best"),
        right=right,
    )
    for point in report.points[:POINT_ROWS]:
        shown.add_row(
            point.function,
            str(point.members),
            bytes_words(point.bytes),
            count_words(point.calls),
            seconds_words(point.seconds),
            f"{point.percent:.1f} %",
            seconds_words(point.default_s) if point.default_s else "–",
            best_words(point),
        )
    console().print(shown)


def _print_trials(report: TuneReport) -> None:
    from halocline.tune.page import change_percent
    from halocline.wording import bytes_words

    if not report.trials:
        return
    shown = table(
        "Settings on the whole program",
        *("change", "time", "pairs", "memory", "against", "remark"),
        right=("time", "pairs", "memory", "against"),
    )
    for trial in report.trials[:TRIAL_ROWS]:
        shown.add_row(
            trial.change,
            change_percent(trial.ratio, 1.0),
            str(trial.runs),
            bytes_words(trial.peak_bytes) if trial.peak_bytes else "–",
            change_percent(trial.peak_bytes, trial.base_peak_bytes),
            trial.problem or "",
        )
    console().print(shown)
