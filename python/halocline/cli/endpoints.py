# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline endpoints -- COMMAND`: collectives of any MPI program on several endpoints a rank."""

from __future__ import annotations

import tempfile
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halocline.cli.output import DryRunFlag, JsonFlag, print_json
from halocline.cli.problems import examples
from halocline.terminal import note, say

if TYPE_CHECKING:
    from halocline.endpoints.launching import Plan


class ThreadLevel(StrEnum):
    """Where the thread level of MPI comes from."""

    AUTO = "auto"
    OWN = "own"
    MULTIPLE = "multiple"


EXAMPLES = examples(
    "halocline endpoints -- mpirun -n 4 --map-by slot:PE=2 ./app case.in",
    "halocline endpoints --thread-level multiple -- mpirun -n 4 --map-by slot:PE=2 ./app",
    "halocline endpoints --threads 2 --report endpoints.json -- mpirun -n 4 ./app",
    "halocline endpoints --config endpoints.toml --dry-run -- srun -n 64 -c 4 ./app",
    "halocline endpoints --always --threads 2 -- mpirun.mpich -n 2 ./benchmark",
)


def command(
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND…", help="Launch line, e.g. mpirun -n 4 ./app")
    ],
    threads: Annotated[
        int | None,
        typer.Option("--threads", min=1, max=64, help="Endpoints of a rank, itself included."),
    ] = None,
    allreduce_threshold: Annotated[
        int | None,
        typer.Option("--allreduce-threshold", min=0, help="Shortest reduction split (elements)."),
    ] = None,
    bcast_threshold: Annotated[
        int | None,
        typer.Option("--bcast-threshold", min=0, help="Shortest other message (8-byte elements)."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", help="File with settings (TOML).")
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write measurements and decisions as JSON.")
    ] = None,
    thread_level: Annotated[
        ThreadLevel | None,
        typer.Option("--thread-level", help="multiple: try endpoints in this run already."),
    ] = None,
    case: Annotated[
        str | None, typer.Option("--case", help="Name of runs that share what was learned.")
    ] = None,
    always: Annotated[
        bool, typer.Option("--always", help="Split without measuring, whatever it costs.")
    ] = False,
    verify: Annotated[
        bool,
        typer.Option("--verify", help="With --always: compare each result with the plain call."),
    ] = False,
    mpi: Annotated[
        str | None, typer.Option("--mpi", help="openmpi or mpich, where it cannot be detected.")
    ] = None,
    dry_run: DryRunFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Run COMMAND with large collectives cut over several endpoints where that is faster.

    Nothing is recompiled. The first run of a case only watches, at its own thread level. If long
    collectives take their share of it, the next run times each kind of call both ways and keeps the
    faster one; what paid is remembered. A table at the end shows the times. Options override
    --config, which overrides MEP_* variables. The exit code is that of COMMAND.
    """
    from halocline.endpoints.settings import given_settings, load_settings

    chosen = load_settings(config).variables() if config else {}
    chosen |= given_settings(
        {
            "num_threads": threads,
            "allreduce_threshold": allreduce_threshold,
            "bcast_threshold": bcast_threshold,
            "calibrate": False if always else None,
            "verify": True if verify else None,
            "report": str(report) if report else None,
            "thread_level": thread_level.value if thread_level else None,
            "case": case,
        }
    ).variables()
    with tempfile.TemporaryDirectory() as folder:
        if as_json and "MEP_REPORT" not in chosen:
            chosen["MEP_REPORT"] = str(Path(folder) / "endpoints.json")
        raise typer.Exit(_launch(command, chosen, mpi, dry_run=dry_run, as_json=as_json))


def _launch(
    words: list[str], chosen: dict[str, str], mpi: str | None, *, dry_run: bool, as_json: bool
) -> int:
    from halocline.endpoints.launching import binding_advice, plan_run, read_report, run

    plan = plan_run(words, chosen, mpi)
    if dry_run:
        _show_plan(plan, as_json)
        return 0
    advice = binding_advice(plan)
    if advice:
        note(advice)
    code = run(plan, output_to_stderr=as_json)
    if as_json:
        print_json(read_report(plan, code).plain())
    return code


def _show_plan(plan: Plan, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "command": plan.command,
                "family": plan.family,
                "library": str(plan.library),
                "settings": plan.settings,
            }
        )
    else:
        say(plan.shell_line)
