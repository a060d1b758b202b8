# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The `halocline mesh import` verb."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from halocline.cli.output import JsonFlag, console, print_json
from halocline.cli.problems import examples
from halocline.terminal import note

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")

EXAMPLES = examples(
    "halocline mesh import wing.msh -o wing --levels 4",
    "halocline mesh import wing.su2 -o wing --boundary body=wall --boundary box=far-field",
    "halocline mesh import duct.cgns -o duct --scale mm --default-boundary wall",
    "halocline mesh import motorBike -o bike --levels 3",
)


def import_command(
    file: Annotated[
        Path, typer.Argument(help="A .msh, .su2, .cgns, .vtu or .vtk file, or an OpenFOAM folder.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder to write; made if absent.")
    ],
    levels: Annotated[
        int, typer.Option(help="Multigrid levels, each about 8 times coarser (2-D: 4 times).")
    ] = 4,
    boundary: Annotated[
        list[str] | None,
        typer.Option(
            help="NAME=GROUP: the group of a boundary, e.g. wing=wall. Groups: wall, far-field, "
            "inlet, outlet, symmetry, 0 to 7. Repeatable; what is not named is guessed."
        ),
    ] = None,
    default_boundary: Annotated[
        str, typer.Option(help="Group of boundaries whose name says nothing, and of nameless ones.")
    ] = "",
    scale: Annotated[
        str,
        typer.Option(help="Factor on coordinates, or the unit of the file: mm, cm, in, ft."),
    ] = "1",
    scaling: Annotated[
        str, typer.Option(help="Factor on area vectors: natural 1, boosted 1e18, legacy 1e7.")
    ] = "natural",
    merge: Annotated[
        float | None,
        typer.Option(
            "--merge-nodes", help="Join nodes closer than this part of the extent, e.g. 1e-9."
        ),
    ] = None,
    memory: Annotated[
        str, typer.Option(help="Memory to stay within, e.g. 4GB. Default: half of what is free.")
    ] = "",
    processes: Annotated[
        int, typer.Option(help="Processes that work; the result is the same. 0: one a core.", min=0)
    ] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Make a mesh folder from a mesh of Gmsh, SU2, CGNS, VTK or OpenFOAM.

    Exit code 3 when the mesh is not sound or a boundary has no group; nothing is written then.
    """
    from halocline.cli.mesh.tables import print_imported
    from halocline.mesh.imports.blocks import resources_of
    from halocline.mesh.imports.boundaries import (
        group_number,
        parse_boundaries,
        symmetry_names,
    )
    from halocline.mesh.imports.request import ImportRequest
    from halocline.mesh.imports.run import import_mesh

    default = group_number(default_boundary, "--default-boundary") if default_boundary else None
    wanted = parse_boundaries(boundary or [])
    named = symmetry_names(boundary or [])
    request = ImportRequest(levels, wanted, default, scale, scaling, merge, named)
    resources = resources_of(memory, processes, output)
    imported = _with_phases(
        lambda phase: import_mesh(file, output, request, phase, resources), quiet=as_json
    )
    for text in imported.notes:
        note(text)
    if as_json:
        print_json({"folder": str(output)} | asdict(imported))
        return
    print_imported(f"{file.name} in {output}", imported)


def _with_phases(work: Callable[[Callable[[str], None]], Result], *, quiet: bool) -> Result:
    """Show what is being done, and for how long, while work is done."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console(to_stderr=True), disable=quiet, transient=True) as bar:
        task = bar.add_task("Starting", total=None)
        return work(lambda text: bar.update(task, description=text))
