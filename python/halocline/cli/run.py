# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline run CASE.toml`: validate, launch, and show what the run record says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halocline.cli.output import DryRunFlag, JsonFlag, console, print_json, table
from halocline.cli.problems import examples
from halocline.cli.with_tools import ToolOption
from halocline.terminal import say

if TYPE_CHECKING:
    from halocline.launch.case_run import RunPlan
    from halocline.record.model import Record

EXAMPLES = examples(
    "halocline run case.toml",
    "halocline run case.toml --dry-run",
    "halocline run case.toml --set solver.cycles=100 --set parallel.ranks=4",
    "halocline run case.toml --restart auto",
    "halocline run case.toml --tool 'valgrind:0'",
    "halocline run --schema > case.schema.json",
)
ROWS_SHOWN = 6


def command(
    case: Annotated[
        Path | None, typer.Argument(help="Case file (TOML).", show_default=False)
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a key of the case; repeatable."),
    ] = None,
    restart: Annotated[
        str | None,
        typer.Option(
            "--restart",
            metavar="FILE|auto",
            help="Go on from a checkpoint; auto: from the newest of this run, if there is one.",
        ),
    ] = None,
    tools: ToolOption = None,
    dry_run: DryRunFlag = False,
    as_json: JsonFlag = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of case files.")
    ] = False,
) -> None:
    """Run a case file on the cores of this machine.

    Makes the mesh first when it is missing and the case has a recipe for it, uses all cores
    unless the case says otherwise, and ends with a table from the run record.
    """
    from halocline.case.load import load_case
    from halocline.case.resolve import case_schema_text
    from halocline.errors import UsageError
    from halocline.launch.case_run import execute, plan_run

    if schema:
        say(case_schema_text(), end="")
        return
    if case is None:
        raise UsageError("halocline run: no case file given. Name one: halocline run case.toml.")
    changes = [*(settings or []), *_restart_setting(restart)]
    plan = plan_run(load_case(case, changes), case, changes)
    if tools:
        _run_with_tools(plan, tools, dry_run=dry_run, as_json=as_json)
    elif dry_run:
        _show_plan(plan, as_json)
    else:
        _show_result(plan, execute(plan, output_to_stderr=as_json), as_json)


def _run_with_tools(plan: RunPlan, tools: list[str], *, dry_run: bool, as_json: bool) -> None:
    """What tools said is shown even where the run failed: that is when one wants it."""
    from halocline.cli.with_tools import show_report
    from halocline.launch.case_run import execute
    from halocline.rank_tools.of_case import report_of, with_tools

    planned = with_tools(plan, tools)
    if dry_run:
        _show_plan(planned, as_json)
        return
    try:
        _show_result(planned, execute(planned, output_to_stderr=as_json), as_json)
    finally:
        report = report_of(planned)
        if report is not None and not as_json:
            show_report(report)


def _restart_setting(restart: str | None) -> list[str]:
    """Return the key that says so; a file is named from here, the key from the case file."""
    if restart is None:
        return []
    place = restart if restart == "auto" else str(Path(restart).resolve())
    return [f"checkpoint.restart={json.dumps(place)}"]


def _show_plan(plan: RunPlan, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "ranks": plan.layout.ranks,
                "threads": plan.layout.threads,
                "oversubscribed": plan.layout.oversubscribed,
                "mesh_command": plan.mesh.command if plan.mesh else None,
                "command": plan.command,
                "environment": plan.environment,
                "record_file": str(plan.record_file),
                "case": plan.case.model_dump(mode="json", by_alias=True),
            }
        )
        return
    crowded = ", more than the cores here" if plan.layout.oversubscribed else ""
    say(f"# {plan.layout}{crowded}; record: {plan.record_file}")
    for line in plan.shell_lines():
        say(line)


def _show_result(plan: RunPlan, record: Record, as_json: bool) -> None:
    from halocline.launch.pictures import PICTURES

    if as_json:
        data = record.plain()
        print_json({"record_file": str(plan.record_file), "record": data})
        return
    print_summary(record, plan.case.title or str(plan.case_file))
    say(f"  results  {plan.output_folder}")
    say(f"  record   {plan.record_file}")
    drawn = plan.output_folder / PICTURES
    if plan.case.output.pictures and drawn.is_dir():
        say(f"  pictures {drawn}")
    else:
        say(f"  picture  halocline plot {plan.output_folder} -o picture.png")


def print_summary(record: Record, title: str) -> None:
    """Print what ran, how long, and the slowest loops with their distance from the triad."""
    from halocline.record.summary import headline, loop_totals

    screen = console()
    facts = table(title, "", "")
    facts.show_header = False
    for what, value in headline(record):
        facts.add_row(what, value)
    screen.print(facts)
    numbers = ("calls", "s", "share", "ns/element", "GB/s", "% of triad")
    loops = table("Loops, all levels", "loop", "set", *numbers, right=numbers)
    for total in loop_totals(record)[:ROWS_SHOWN]:
        loops.add_row(
            total.name,
            total.set,
            str(total.calls),
            f"{total.seconds:.3f}",
            f"{100 * total.share:.0f} %",
            *(_number(value) for value in (total.ns_per_element, total.gb_per_s)),
            _number(total.percent_of_triad, 0),
        )
    screen.print(loops)


def _number(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
