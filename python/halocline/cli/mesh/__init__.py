# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The `halocline mesh` verbs, a file each; parsing and printing only."""

from __future__ import annotations

import typer

from halocline.cli.mesh import check, import_mesh, info, make, partition
from halocline.cli.problems import examples

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


EXAMPLES = examples(
    "halocline mesh make rotor37 --nodes 250k --levels 4 -o rotor",
    "halocline mesh import wing.msh -o wing",
    "halocline mesh check rotor",
    "halocline mesh partition rotor -n 64 --compare",
)


@app.callback(epilog=EXAMPLES)
def _root() -> None:
    """Make, import, inspect, check and divide meshes."""


app.command("make", epilog=make.EXAMPLES)(make.make_command)
app.command("import", epilog=import_mesh.EXAMPLES)(import_mesh.import_command)
app.command("info", epilog=info.EXAMPLES)(info.info_command)
app.command("check", epilog=check.EXAMPLES)(check.check_command)
app.command("partition", epilog=partition.EXAMPLES)(partition.partition_command)
