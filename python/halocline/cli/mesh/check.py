# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The `halocline mesh check` verb."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from halocline.cli.mesh.tables import print_report
from halocline.cli.output import JsonFlag, console, print_json
from halocline.cli.problems import examples
from halocline.errors import ExitCode

EXAMPLES = examples("halocline mesh check rotor", "halocline mesh check old/input.dat --json")


def check_command(
    folder: Annotated[Path, typer.Argument(help="Mesh folder, or an input file of MG-CFD.")],
    tolerance: Annotated[
        float, typer.Option(help="Largest residual of a dual cell, relative to its surface.")
    ] = 1e-10,
    as_json: JsonFlag = False,
) -> None:
    """Check a mesh: closed dual cells, positive volumes, valid maps, nested levels.

    Exit code 3 when a rule is violated; the table says where.
    """
    from rich.text import Text

    from halocline.mesh.check import check_mesh

    with console(to_stderr=True).status("Checking") as status:
        report = check_mesh(
            folder,
            tolerance,
            lambda what, done, total: status.update(Text(f"{what} ({done + 1}/{total})")),
        )
    if as_json:
        print_json(asdict(report) | {"ok": report.ok})
    else:
        print_report(report)
    if not report.ok:
        raise typer.Exit(ExitCode.INVALID_INPUT)
