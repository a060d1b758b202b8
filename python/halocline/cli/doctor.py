# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline doctor`: what this machine has, what it lacks, and how to get it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halocline.cli.output import JsonFlag, console, print_json, table
from halocline.cli.problems import examples
from halocline.errors import ExitCode, UsageError
from halocline.terminal import harmless, say

if TYPE_CHECKING:
    from halocline.doctor.binding import Check
    from halocline.doctor.fact import Fact

EXAMPLES = examples(
    "halocline doctor",
    "halocline doctor --json > machine.json",
    "halocline doctor --affinity --ranks 4",
    "halocline doctor --affinity --machine node.xml",
    "halocline doctor --check-binding -- mpirun -n 4 ./app case.in",
)
MARKS = {"ok": ("✓", "green"), "absent": ("–", "dim"), "missing": ("✗", "red")}


def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- COMMAND…]", help="With --check-binding: what to run."),
    ] = None,
    affinity: Annotated[
        bool,
        typer.Option("--affinity", help="Cores, NUMA nodes, GPUs, cards; where ranks should lie."),
    ] = False,
    check_binding: Annotated[
        bool,
        typer.Option("--check-binding", help="Run COMMAND and see where its ranks really lie."),
    ] = False,
    ranks: Annotated[
        int | None, typer.Option("--ranks", min=1, help="With --affinity: ranks of a host.")
    ] = None,
    machine: Annotated[
        Path | None,
        typer.Option("--machine", help="With --affinity: a topology file of lstopo."),
    ] = None,
    synthetic: Annotated[
        str | None,
        typer.Option("--synthetic", help="With --affinity: e.g. 'numa:4 core:16 pu:2'."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show what this machine has, what it lacks, and how to get it.

    Exit code 4 when something is missing without which runs fail; with --check-binding that of
    COMMAND.
    """
    if check_binding:
        _check_binding(words or [], as_json)
        return
    if words:
        raise UsageError("halocline doctor takes a command only after --check-binding --.")
    if affinity or machine is not None or synthetic is not None or ranks is not None:
        from halocline.doctor.affinity import affinity_words, ask_affinity

        text = ask_affinity(affinity_words(machine, synthetic, ranks), as_json)
        say(text, end="")
        return
    _examine(as_json)


def _examine(as_json: bool) -> None:
    from halocline.doctor.examine import examine
    from halocline.doctor.fact import State

    subjects = examine()
    facts = [fact for found in subjects.values() for fact in found]
    missing = [fact for fact in facts if fact.state is State.MISSING]
    if as_json:
        print_json(
            {
                "ready": not missing,
                "missing": [fact.name for fact in missing],
                **{
                    subject: {fact.name: fact.as_json() for fact in found}
                    for subject, found in subjects.items()
                },
            }
        )
    else:
        _print_table(subjects)
        _print_remedies(missing)
    raise typer.Exit(ExitCode.ENVIRONMENT if missing else ExitCode.OK)


def _print_table(subjects: dict[str, list[Fact]]) -> None:
    from rich.text import Text

    from halocline.screen import styled

    rows = table("This machine", "", "", "", "found", "how it was found out")
    for column in rows.columns[:3]:
        column.no_wrap = True
    for subject, facts in subjects.items():
        for place, fact in enumerate(facts):
            found = Text(harmless(fact.text))
            if fact.remedy:
                found.append(harmless(f"\n→ {fact.remedy}"), style="dim")
            heading = styled(subject if place == 0 else "", "bold")
            source = styled(fact.found_by, "dim")
            rows.add_row(heading, styled(*MARKS[fact.state]), fact.name, found, source)
        rows.add_section()
    console().print(rows)


def _print_remedies(missing: list[Fact]) -> None:
    if not missing:
        say("Everything that runs need is here.")
        return
    say("Runs need what is missing:")
    for fact in missing:
        say(f"  {fact.name}: {fact.remedy}")


def _check_binding(words: list[str], as_json: bool) -> None:
    from halocline.doctor.binding import check_binding
    from halocline.launch.process import table_exit_code

    if not words:
        raise UsageError(
            "--check-binding needs a command. E.g. halocline doctor --check-binding -- "
            "mpirun -n 2 ./app"
        )
    check = check_binding(words, output_to_stderr=as_json)
    if as_json:
        print_json(
            {
                "exit_code": check.exit_code,
                "ranks": [rank.as_json() for rank in check.ranks],
                "findings": check.findings,
                "launch_lines": check.launch_lines,
                "machine": check.machine,
            }
        )
    else:
        _print_binding(check)
    raise typer.Exit(table_exit_code(check.exit_code))


def _print_binding(check: Check) -> None:
    rows = table("Where the ranks ran", "rank", "host", "program", "cpus", "threads", "GPUs")
    for rank in check.ranks:
        data = rank.as_json()
        masks = sorted(set(rank.threads) - {rank.cpus})
        threads = str(len(rank.threads)) + (f" on {' | '.join(masks)}" if masks else "")
        gpus = ", ".join(data["gpus"]) or (
            f"sees {rank.visible_gpus}" if rank.visible_gpus else "–"
        )
        cells = (str(rank.rank), rank.host, rank.program, rank.cpus, threads, gpus)
        rows.add_row(*cells)
    console().print(rows)
    if not check.findings:
        say("No fault: no core is shared, no rank straddles NUMA nodes, no GPU is idle.")
        return
    for finding in check.findings:
        say(f"! {finding['sentence']}")
    say("\nStart it so:")
    for line in check.launch_lines:
        say(f"  {line['launcher']:<9} {line['words']} PROGRAM")
        if line["rankfile"]:
            say(f"  halocline.rankfile:\n{line['rankfile']}", end="")
