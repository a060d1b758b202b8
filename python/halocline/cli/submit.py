# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline submit`: a case or a command as a batch job; parsing and printing only."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halocline.cli.output import DryRunFlag, JsonFlag, print_json
from halocline.cli.problems import examples
from halocline.cli.with_tools import ToolOption

if TYPE_CHECKING:
    from halocline.submit.plan import Plan

EXAMPLES = examples(
    "halocline submit case.toml --scheduler slurm --nodes 4 --time 2h --wait",
    "halocline submit case.toml --site donau-kunpeng --nodes 2 --gpus-per-node 1 --dry-run",
    "halocline submit --nodes 2 --ranks-per-node 64 --time 30m -- ./my_solver -i input.dat",
    "halocline submit case.toml --time 4h --notice 10m --requeue 3",
    "halocline submit --nodes 2 --tool 'perf stat:exclusive' -- ./my_solver -i input.dat",
    "halocline submit --follow output/case.job.json",
)
SHAPE, TIME, PLACE, SCRIPT = "What it needs", "Time", "Where it runs", "What the script does"
ACTIONS = "Jobs already submitted"


def _option(help_text: str, panel: str, *names: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, help=help_text, rich_help_panel=panel, metavar=metavar)


def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="CASE.toml | -- CMD...", help="Case file, or a command after --."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a key of the case; repeatable."),
    ] = None,
    scheduler: Annotated[
        str | None, _option("slurm, donau, pbs, lsf or local.", PLACE, metavar="NAME")
    ] = None,
    site: Annotated[str | None, _option("Name of a site, or a site file.", PLACE)] = None,
    queue: Annotated[str | None, _option("Queue or partition.", PLACE, "-q", "--queue")] = None,
    account: Annotated[
        str | None, _option("Account that is charged.", PLACE, "-A", "--account")
    ] = None,
    name: Annotated[str | None, _option("Name in the queue.", PLACE)] = None,
    nodes: Annotated[int | None, _option("Hosts.", SHAPE, "-N", "--nodes")] = None,
    ranks_per_node: Annotated[int | None, _option("MPI ranks on each host.", SHAPE)] = None,
    threads: Annotated[int | None, _option("Threads of each rank.", SHAPE)] = None,
    gpus_per_node: Annotated[int | None, _option("GPUs of each host.", SHAPE)] = None,
    memory: Annotated[str | None, _option("Memory of each host, e.g. 64G.", SHAPE)] = None,
    exclusive: Annotated[
        bool | None,
        _option("Use hosts alone, or share them with other jobs.", SHAPE, "--exclusive/--shared"),
    ] = None,
    time: Annotated[
        str | None, _option("Time limit: 90m, 1h30m, HH:MM:SS.", TIME, "-t", "--time")
    ] = None,
    notice: Annotated[
        str | None, _option("How long before the limit the run gets the signal.", TIME)
    ] = None,
    signal: Annotated[str | None, _option("USR1, USR2, TERM or none.", TIME)] = None,
    requeue: Annotated[
        int | None, _option("Times to requeue a run that stopped early (75).", TIME)
    ] = None,
    launcher: Annotated[str | None, _option("auto, mpirun, srun or none.", SCRIPT)] = None,
    launcher_args: Annotated[
        list[str] | None, _option("One more argument of the launcher.", SCRIPT, "--launcher-arg")
    ] = None,
    modules: Annotated[list[str] | None, _option("Module to load.", SCRIPT, "--module")] = None,
    environment: Annotated[
        list[str] | None, _option("Variable of the run.", SCRIPT, "--env", metavar="NAME=VALUE")
    ] = None,
    before: Annotated[list[str] | None, _option("Shell line before the run.", SCRIPT)] = None,
    after: Annotated[list[str] | None, _option("Shell line after the run.", SCRIPT)] = None,
    directives: Annotated[
        list[str] | None, _option("More options of the scheduler.", SCRIPT, "--directive")
    ] = None,
    output: Annotated[
        Path | None, _option("Folder of script, log and job file.", SCRIPT, "-o", "--output")
    ] = None,
    tools: ToolOption = None,
    wait: Annotated[
        bool, typer.Option("--wait", help="Show queue and progress until the job is over.")
    ] = False,
    interval: Annotated[
        float, typer.Option(min=0.1, help="Seconds between two updates of --wait.")
    ] = 5.0,
    dry_run: DryRunFlag = False,
    as_json: JsonFlag = False,
    status: Annotated[str | None, _option("Show a job.", ACTIONS, metavar="JOB")] = None,
    follow: Annotated[
        str | None, _option("Show a job until it is over.", ACTIONS, metavar="JOB")
    ] = None,
    cancel: Annotated[str | None, _option("Cancel a job.", ACTIONS, metavar="JOB")] = None,
    again: Annotated[
        str | None, _option("Submit the script of a job again.", ACTIONS, metavar="JOB")
    ] = None,
) -> None:
    r"""Submit a case or a command to Slurm, Donau, PBS, LSF, or run it here as a job.

    What is not said comes from the table \[submit] of the case, then from the site file.
    JOB is a job file (….job.json), its folder, or the number of a job of this folder.
    With --wait and --follow the exit code is that of the run: 75 means stopped early.
    """
    from halocline.cli import submit_actions as actions

    asked = {"status": status, "follow": follow, "cancel": cancel, "again": again}
    if any(asked.values()):
        actions.act(asked, words or [], interval, as_json)
        return
    given = {
        "scheduler": scheduler,
        "site": site,
        "queue": queue,
        "account": account,
        "name": name,
        "nodes": nodes,
        "ranks_per_node": ranks_per_node,
        "threads": threads,
        "gpus_per_node": gpus_per_node,
        "memory": memory,
        "exclusive": exclusive,
        "time": time,
        "notice": notice,
        "signal": signal,
        "requeue": requeue,
        "launcher": launcher,
        "launcher_args": launcher_args,
        "modules": modules,
        "environment": actions.variables(environment or []),
        "before": before,
        "after": after,
        "directives": directives,
    }
    plan = actions.plan(words or [], settings or [], given, output, tools or [])
    if dry_run:
        _show_plan(plan, as_json)
    else:
        actions.submit_and_show(plan, wait=wait, interval=interval, as_json=as_json)


def _show_plan(plan: Plan, as_json: bool) -> None:
    if not as_json:
        typer.echo(plan.script.encode(errors="surrogateescape"), nl=False)
        return
    job = plan.job
    print_json(
        {
            "scheduler": plan.scheduler.name,
            "site_file": str(plan.site.path),
            "name": job.name,
            "nodes": job.shape.nodes,
            "ranks": job.shape.ranks,
            "ranks_per_node": job.shape.ranks_per_node,
            "threads": job.shape.threads,
            "gpus_per_node": job.shape.gpus_per_node,
            "time_s": job.timing.limit_s,
            "notice_s": job.timing.notice_s,
            "requeue": job.timing.requeue,
            "command": list(job.program.words),
            "script_file": str(job.files.script),
            "script": plan.script,
        }
    )
