# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline with --tool 'TOOL:RANKS' -- COMMAND`: parsing and printing only."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halocline.cli.output import DryRunFlag, JsonFlag, console, print_json, table
from halocline.cli.problems import examples
from halocline.terminal import note, say

if TYPE_CHECKING:
    from halocline.rank_tools.launching import Plan
    from halocline.rank_tools.report import ToolReport

EXAMPLES = examples(
    "halocline with --tool 'valgrind --tool=memcheck:0-3' -- mpirun -n 64 ./app",
    "halocline with --tool gdb:0 -- mpirun -n 4 ./app",
    "halocline with --tool 'gdb --batch:all' -- srun -n 64 ./app",
    "halocline with --tool 'perf record -g:exclusive' -o perf -- srun -N 8 -n 512 ./app",
    "halocline with --tool 'strace -c -f:0,7' -- mpirun.mpich -n 8 ./app",
    "halocline with --tool './wrapper.sh {rank} {file}.txt:local:0' -- mpirun -n 8 ./app",
    "halocline with --tool 'gdb --batch:0-3' --attach 4711",
)
ToolOption = Annotated[
    list[str] | None,
    typer.Option(
        "--tool",
        metavar="TOOL:RANKS",
        help="Program for chosen ranks: 0, 0-3,7, all, local:0, exclusive (one a host).",
    ),
]


def command(
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="-- COMMAND…", help="Launch line, e.g. mpirun -n 4 ./app"),
    ] = None,
    tools: ToolOption = None,
    attach: Annotated[
        str | None,
        typer.Option(
            "--attach",
            metavar="PID|job:ID",
            help="Attach to ranks that run: process of a launcher or rank, or a Slurm job.",
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder for a file of each tool and rank.")
    ] = Path("tools"),
    dry_run: DryRunFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Run COMMAND with a tool on chosen ranks: gdb, valgrind, strace, perf, any other.

    The launch line stays as it is; works for mpirun and mpiexec of Open MPI and
    MPICH, and srun. What a tool prints goes to a file a rank, and a line of
    each is shown at the end. gdb without --batch takes the terminal, for one
    rank. {rank}, {local}, {size}, {host} and {file} (of the rank, without
    ending) are replaced in a tool's words. The exit code is that of COMMAND.
    """
    from halocline.errors import UsageError

    if attach is not None and command:
        raise UsageError(
            "halocline with: --attach goes to ranks that run already, and a launch line is given. "
            "Leave one out."
        )
    if attach is not None:
        _attach(attach, tools or [], output, dry_run=dry_run, as_json=as_json)
        return
    from halocline.rank_tools.launching import plan_run, run

    plan = plan_run(command or [], tools or [], output)
    if dry_run:
        _show_plan(plan, as_json)
        return
    report = run(plan, output_to_stderr=as_json)
    show_report(report, as_json)
    raise typer.Exit(report.exit_code or 0)


def _attach(target: str, tools: list[str], output: Path, *, dry_run: bool, as_json: bool) -> None:
    from halocline.rank_tools.attach import attach, plan_attachment

    plan = plan_attachment(target, tools, output)
    if dry_run:
        if as_json:
            print_json({"commands": [words for _, words in plan.commands()]})
        else:
            for line in plan.shell_lines():
                say(line)
        return
    report = attach(plan)
    show_report(report, as_json)
    raise typer.Exit(report.exit_code or 0)


def _show_plan(plan: Plan, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "command": plan.command,
                "ranks": plan.ranks,
                "script_file": str(plan.script_file),
                "script": plan.script,
            }
        )
    else:
        say(f"# {plan.script_file}:\n{plan.script}\n{plan.shell_line}")


def show_report(report: ToolReport, as_json: bool = False) -> None:
    """Print a line for each tool and rank; ranks of which the tool said the same share one."""
    if as_json:
        print_json(report.plain())
        return
    from halocline.rank_tools.grouping import grouped

    screen = console()
    made = table("Tools on ranks", "tool", "ranks", "host", "said")
    for row in grouped(report):
        made.add_row(row.tool, row.ranks, row.hosts, row.said)
    screen.print(made)
    for tool in report.tools:
        if not tool.rows:
            note(f"'{tool.name}' started on no rank (is rank {tool.ranks} in the job?)")
    say(f"  files  {report.folder}")
