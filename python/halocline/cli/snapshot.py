# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline snapshot -- COMMAND`, and its verbs show, diff and scale."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from halocline.cli.output import DryRunFlag, JsonFlag, print_json
from halocline.cli.problems import examples
from halocline.terminal import note, say

if TYPE_CHECKING:
    from rich.console import RenderableType

    from halocline.snapshot.model import Snapshot
    from halocline.snapshot.recording import Plan

RUN = "run"
VERBS = (RUN, "show", "diff", "scale")


class _RunByDefault(TyperGroup):
    """`halocline snapshot [options] -- COMMAND` means `halocline snapshot run …`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*VERBS, "-h", "--help") and _means_run(args):
            args = [RUN, *args]
        return list(super().parse_args(ctx, args))


def _means_run(args: list[str]) -> bool:
    """Options or a program come first, or `--` somewhere: then it is not a misspelt verb."""
    return args[0].startswith("-") or "--" in args or shutil.which(args[0]) is not None


app = typer.Typer(
    cls=_RunByDefault,
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
RUN_EXAMPLES = (
    "halocline snapshot -- mpirun -n 4 ./app case.in",
    "halocline snapshot -o before -- mpirun -n 4 ./app case.in",
    "halocline snapshot --depth 3 --json -- srun -n 64 ./app > report.json",
    "halocline snapshot --dry-run -- mpirun.mpich -n 4 ./app",
)
OTHER_EXAMPLES = (
    "halocline snapshot show before",
    "halocline snapshot diff before after",
    "halocline snapshot scale ranks-1 ranks-2 ranks-4 -o scaling.html",
)


@app.callback(
    epilog=examples(*RUN_EXAMPLES, *OTHER_EXAMPLES),
    options_metavar="",
    subcommand_metavar="[run] [OPTIONS] -- COMMAND… | show | diff | scale",
)
def _root() -> None:
    """Record any MPI program, without recompiling it, and show where its time goes on one page.

    `halocline snapshot [OPTIONS] -- COMMAND`, with the options of `halocline snapshot run --help`;
    the page is also written as HTML and JSON. The exit code is that of COMMAND.
    """


@app.command(
    RUN,
    epilog=examples(*RUN_EXAMPLES),
    context_settings={"ignore_unknown_options": False, "allow_interspersed_args": False},
)
def run_command(
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND…", help="Launch line, e.g. mpirun -n 4 ./app")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="Folder of the report; default: snapshot, snapshot-2 …"
        ),
    ] = None,
    mpi: Annotated[
        str | None, typer.Option("--mpi", help="openmpi or mpich, where it cannot be detected.")
    ] = None,
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=8, help="Callers shown for each call site.")
    ] = 1,
    no_sites: Annotated[bool, typer.Option("--no-sites", help="No call sites.")] = False,
    no_io: Annotated[bool, typer.Option("--no-io", help="Do not time file calls.")] = False,
    no_openmp: Annotated[
        bool, typer.Option("--no-openmp", help="Do not time parallel regions.")
    ] = False,
    dry_run: DryRunFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Run COMMAND with the recorder and show the page (the default verb)."""
    from halocline.snapshot.folder import claim_folder, free_folder
    from halocline.snapshot.recording import Settings, plan_recording, record

    settings = Settings(depth, not no_sites, not no_io, not no_openmp)
    while True:
        folder = output or free_folder(Path())
        plan = plan_recording(command, folder, mpi, settings)
        if dry_run:
            _show_plan(plan, as_json)
            return
        if output or claim_folder(folder):
            break
    outcome = record(plan, output_to_stderr=as_json)
    _show(outcome.snapshot, as_json, folder)
    raise typer.Exit(outcome.exit_code)


def _show_plan(plan: Plan, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "command": plan.command,
                "mpi": plan.family,
                "recorder": str(plan.library),
                "folder": str(plan.folder),
            }
        )
        return
    say(f"# {plan.family.label}, report: {plan.folder}")
    say(plan.shell_line)


@app.command(
    "show", epilog=examples("halocline snapshot show before", "halocline snapshot show --json .")
)
def show_command(
    folder: Annotated[Path, typer.Argument(help="Folder of a snapshot, or its snapshot.json.")],
    as_json: JsonFlag = False,
) -> None:
    """Show the page of a snapshot again.

    Merges rank files that `mpirun -n 4 halocline-snapshot ./app` left, and writes page and report.
    """
    from halocline.snapshot.store import read_snapshot

    _show(read_snapshot(folder), as_json, folder if folder.is_dir() else None)


def _show(snapshot: Snapshot, as_json: bool, folder: Path | None) -> None:
    if as_json:
        print_json(snapshot.plain())
        return
    from halocline.snapshot.terminal import terminal_page

    _print_page(terminal_page(snapshot))
    if folder is not None:
        from halocline.snapshot.folder import PAGE_NAME

        note(f"the page for a browser is {folder / PAGE_NAME}")


def _print_page(page: RenderableType) -> None:
    import sys

    from halocline.screen import Screen
    from halocline.snapshot.terminal import WIDTH

    screen = Screen(width=None if sys.stdout.isatty() else WIDTH)
    screen.width = min(screen.width, WIDTH)
    screen.print(page)


@app.command(
    "diff",
    epilog=examples(
        "halocline snapshot diff before after",
        "halocline snapshot diff before after -o diff.html",
    ),
)
def diff_command(
    before: Annotated[Path, typer.Argument(help="Folder of a snapshot.")],
    after: Annotated[Path, typer.Argument(help="Folder of the snapshot to compare with it.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="HTML page to write as well.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show what changed from one snapshot to another."""
    from halocline.snapshot.diff import difference
    from halocline.snapshot.store import read_snapshot, write_difference

    pair = (read_snapshot(before), read_snapshot(after))
    found = difference(*pair)
    if output is not None:
        write_difference(output, found, pair, (before, after))
    if as_json:
        print_json(found.plain())
        return
    from halocline.snapshot.diff_page import diff_terminal

    _print_page(diff_terminal(found, before, after))
    if output is not None:
        note(f"the page for a browser is {output}")


@app.command("scale", epilog=examples("halocline snapshot scale np1 np2 np4 -o scaling.html"))
def scale_command(
    folders: Annotated[list[Path], typer.Argument(help="Snapshots at different numbers of ranks.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="HTML page to write.")] = Path(
        "scaling.html"
    ),
    as_json: JsonFlag = False,
) -> None:
    """Show speed-up, efficiency, MPI time by function and message sizes over scales.

    Writes the page for a browser, and the figures as JSON beside it.
    """
    from halocline.snapshot.scale import scaling
    from halocline.snapshot.store import read_snapshot, write_scaling

    snapshots = [(str(folder), read_snapshot(folder)) for folder in folders]
    study = scaling(snapshots)
    write_scaling(output, study, snapshots[-1][1])
    if as_json:
        print_json(study.plain())
        return
    from halocline.snapshot.scale_page import scale_terminal

    _print_page(scale_terminal(study))
    note(f"the page for a browser is {output}, the figures are {output.with_suffix('.json')}")
