# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The `halocline mesh info` verb."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from halocline.cli.mesh.tables import print_info
from halocline.cli.output import JsonFlag, print_json
from halocline.cli.problems import examples

EXAMPLES = examples("halocline mesh info rotor", "halocline mesh info rotor --json")


def info_command(
    folder: Annotated[Path, typer.Argument(help="Mesh folder, or an input file of MG-CFD.")],
    as_json: JsonFlag = False,
) -> None:
    """Show what a mesh contains: levels, boundary groups, extent, how it was made."""
    from halocline.mesh.info import mesh_info

    info = mesh_info(folder)
    if as_json:
        print_json(asdict(info))
        return
    print_info(info)
