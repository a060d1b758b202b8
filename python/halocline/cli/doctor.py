# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline doctor`: what this machine has, what it lacks, and how to get it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from halocline.cli.output import JsonFlag, console, print_json, table
from halocline.cli.problems import examples
from halocline.errors import ExitCode

if TYPE_CHECKING:
    from halocline.doctor.fact import Fact

EXAMPLES = examples("halocline doctor", "halocline doctor --json > machine.json")
MARKS = {"ok": "[green]✓[/green]", "absent": "[dim]–[/dim]", "missing": "[red]✗[/red]"}


def command(as_json: JsonFlag = False) -> None:
    """Show what this machine has, what it lacks, and how to get it.

    Exit code 4 when something is missing without which runs fail.
    """
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
    from rich.markup import escape

    rows = table("This machine", "", "", "", "found", "how it was found out")
    for column in rows.columns[:3]:
        column.no_wrap = True
    for subject, facts in subjects.items():
        for place, fact in enumerate(facts):
            found = escape(fact.text)
            if fact.remedy:
                found += f"\n[dim]→ {escape(fact.remedy)}[/dim]"
            heading = f"[bold]{subject}[/bold]" if place == 0 else ""
            source = f"[dim]{escape(fact.found_by)}[/dim]"
            rows.add_row(heading, MARKS[fact.state], fact.name, found, source)
        rows.add_section()
    console().print(rows)


def _print_remedies(missing: list[Fact]) -> None:
    if not missing:
        typer.echo("Everything that runs need is here.")
        return
    typer.echo("Runs need what is missing:")
    for fact in missing:
        typer.echo(f"  {fact.name}: {fact.remedy}")
