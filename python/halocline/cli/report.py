# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline report A B …`: tables of runs side by side; parsing and printing only."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from halocline.cli.output import JsonFlag, console, print_json, table
from halocline.cli.problems import examples
from halocline.terminal import note

EXAMPLES = examples(
    "halocline report before/record.json after/record.json",
    "halocline report X86=runs/x86 Kunpeng=runs/kunpeng -o report.html -o report.png",
    "halocline report study -o table.md",
    "halocline report before=snapshot after=snapshot-2 --json",
)


def command(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="[NAME=]PATH…",
            help="Records, snapshots, studies, or folders of them; a column each.",
        ),
    ],
    output: Annotated[
        list[Path] | None,
        typer.Option("-o", "--output", help="File to write, .md, .html, .png or .txt; repeatable."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Make before/after tables of run times, MPI, output and memory from what runs have left.

    Records of the same setting in one column become a median with its interval.
    """
    from halocline.report.source import read_sources
    from halocline.report.tables import tables_of
    from halocline.report.write import check_names, write_report

    files = output or []
    check_names(files)
    tables = tables_of(read_sources(inputs))
    for file in files:
        write_report(tables, file)
    if as_json:
        print_json({"tables": [made.plain() for made in tables]})
    else:
        for made in tables:
            head = made.head()
            rows = table(made.title, *head, right=tuple(head[1:]))
            for line in made.lines():
                rows.add_row(*line)
            console().print(rows)
    for file in files:
        note(f"written: {file}")
