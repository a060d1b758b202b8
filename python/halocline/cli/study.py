# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline study`: one program at many settings; parsing and printing only."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halocline.cli.output import DryRunFlag, JsonFlag, print_json, table
from halocline.cli.problems import examples
from halocline.terminal import note, say

if TYPE_CHECKING:
    from halocline.study.load import Study
    from halocline.study.result import StudyResult

EXAMPLES = examples(
    "halocline study study.toml --dry-run",
    "halocline study study.toml",
    "halocline study study.toml -o other-machine --json > study.json",
    "halocline study --schema > study.schema.json",
)


def command(
    file: Annotated[
        Path | None, typer.Argument(metavar="STUDY.toml", help="What to vary, run and measure.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder of the results; by default the file's name."),
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of study files and exit.")
    ] = False,
    dry_run: DryRunFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Run a program at many settings, in random order, until differences are significant.

    What varies, what is measured and when to stop stands in STUDY.toml
    (docs/study.md). The same command goes on where an earlier one was stopped
    or killed.
    """
    from halocline.errors import UsageError

    if schema:
        from halocline.study.model import StudyFile

        print_json(StudyFile.model_json_schema())
        return
    if file is None:
        raise UsageError("halocline study: no study file is given. Name one: study.toml.")
    from halocline.study.load import load_study

    study = load_study(file, output)
    if dry_run:
        _show_plan(study, as_json)
        return
    from halocline.study.run import run_study

    result = run_study(study)
    if as_json:
        print_json(result.plain())
    else:
        _show(result)
    note(f"page: {study.folder / 'study.html'}, results: {study.folder / 'study.json'}")


def _show_plan(study: Study, as_json: bool) -> None:
    from halocline.study.plan import costs_of

    costs = costs_of(study)
    if as_json:
        points = [
            {
                "name": point.name,
                "label": point.label,
                "scale": point.scale,
                "values": point.values,
                "launch_line": study.launch(point).command.line,
            }
            for point in study.points
        ]
        print_json({"points": points, "folder": str(study.folder), **costs.__dict__})
        return
    from halocline.cli.output import console

    rows = table(f"{len(study.points)} points", "point", "scale", "change", "launch line")
    for point in study.points:
        rows.add_row(point.name, point.scale, point.label, study.launch(point).command.line)
    console().print(rows)
    say(
        f"{costs.least_runs} to {costs.most_runs} runs: {costs.trials} trials, {costs.noise_runs} "
        f"of the base against itself, {study.least} to {study.most} rounds; at most "
        f"{costs.core_hours_bound:.3g} core hours by the time limits"
    )


def _show(result: StudyResult) -> None:
    from halocline.cli.output import console
    from halocline.study.view import estimate_words, gain_of, speed_up_words, value_of, verdict_of

    columns = ("point", "scale", "change", result.by, "gain", "verdict", "speed-up", "memory")
    right = (result.by, "gain", "speed-up", "memory")
    rows = table(result.title, *columns, right=right)
    for point in result.points:
        rows.add_row(
            point.name,
            point.scale,
            point.label,
            estimate_words(point.median, result.unit),
            gain_of(point),
            verdict_of(point),
            speed_up_words(point.speed_up),
            value_of(point.memory_bytes),
        )
    console().print(rows)
    for winner in result.winners:
        say(winner.sentence)
    for sentence in result.cautions:
        say(f"! {sentence}")
    say(f"{result.runs} runs, {result.core_hours:.3g} core hours; ended: {result.ending}")
