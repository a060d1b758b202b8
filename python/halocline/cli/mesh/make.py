# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The `halocline mesh make` verb."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halocline.cli.mesh.tables import print_levels
from halocline.cli.output import JsonFlag, console, print_json
from halocline.cli.problems import examples
from halocline.errors import UsageError

if TYPE_CHECKING:
    from halocline.mesh.make import Output
    from halocline.mesh.publication import LevelSummary
    from halocline.mesh.request import Request

SUFFIXES = {"k": 1e3, "m": 1e6, "g": 1e9}

EXAMPLES = examples(
    "halocline mesh make rotor37 --nodes 250k --levels 4 -o rotor",
    "halocline mesh make sector --nodes 1M --levels 4 --shuffle --seed 7 -o shuffled",
    "halocline mesh make box --nodes 50k --aspect 4,2,1 --legacy -o box",
    "halocline mesh make cavity --nodes 729 --levels 1 --elements tet --perturb 0.2 -o cube",
    "halocline mesh make cavity --elements quad --cells 512,512 --stretch 4 -o cavity",
    "halocline mesh make cylinder --nodes 100k --elements mixed -o cylinder",
    "halocline mesh make channel --dimension 3 --nodes 1M --periodic xz --stretch 8 -o channel",
    "halocline mesh make rotor37 --nodes 250k --laplacian -o rotor",
)


def make_command(
    shape: Annotated[
        str,
        typer.Argument(
            help="box, sector, rotor37, bump or cavity; for incompressible flow channel, step, "
            "cylinder or periodic-box."
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder to write; made if absent.")
    ],
    nodes: Annotated[
        str, typer.Option(help="About how many nodes; 250k and 25M are understood.")
    ] = ("250k"),
    levels: Annotated[
        int, typer.Option(help="Multigrid levels, each about 8 times (2-D: 4 times) coarser.")
    ] = 4,
    shuffle: Annotated[
        bool, typer.Option("--shuffle", help="Renumber nodes, edges and boundary at random.")
    ] = False,
    seed: Annotated[
        int, typer.Option(help="Seed of --shuffle and --perturb; same seed, same files.", min=0)
    ] = 1,
    scaling: Annotated[
        str, typer.Option(help="Factor on area vectors: natural 1, boosted 1e18, legacy 1e7.")
    ] = "natural",
    legacy: Annotated[bool, typer.Option("--legacy", help="Short for --scaling legacy.")] = False,
    aspect: Annotated[
        str, typer.Option(help="Proportions of the cell counts, as 4,2,1. Default: by shape.")
    ] = "",
    cells: Annotated[
        str, typer.Option(help="Cells of each direction, as 512,512, in place of --nodes.")
    ] = "",
    stretch: Annotated[
        float, typer.Option(help="How many times finer than average the cells at walls are.")
    ] = 1.0,
    elements: Annotated[
        str,
        typer.Option(help="quad, tri or mixed in the plane, hex, tet or mixed in space."),
    ] = "",
    dimension: Annotated[
        int, typer.Option(help="2 or 3. Default: as --elements or the shape say.")
    ] = 0,
    periodic: Annotated[
        str, typer.Option(help="Directions that are periodic, as xz: nodes of both sides are one.")
    ] = "",
    laplacian: Annotated[
        bool,
        typer.Option(
            "--laplacian",
            help="Add edge_stiffness and wall_distance. 2-D meshes and channel, step, cylinder, "
            "periodic-box always have them.",
        ),
    ] = False,
    perturb: Annotated[
        float,
        typer.Option(help="Move inner nodes by at most this part of the spacing, up to 0.25."),
    ] = 0.0,
    as_json: JsonFlag = False,
) -> None:
    """Make a mesh folder: input.dat and one HDF5 file per level in MG-CFD's format.

    Shapes are box, sector, rotor37, bump and cavity; for incompressible flow channel, step,
    cylinder and periodic-box.
    """
    from halocline.mesh.make import Output
    from halocline.mesh.request import Request

    if legacy and scaling not in ("natural", "legacy"):
        raise UsageError(f"--legacy and --scaling {scaling} exclude each other. Give one of them.")
    request = Request(
        nodes=_node_count(nodes),
        levels=levels,
        aspect=_proportions(aspect),
        stretch=stretch,
        elements=elements,
        perturb=perturb,
        dimension=dimension,
        laplacian=laplacian,
        cells=_cells(cells),
        periodic=periodic,
    )
    wanted = Output(output, "legacy" if legacy else scaling, shuffle, seed)
    summaries = _make_with_progress(shape, request, wanted, quiet=as_json)
    if as_json:
        print_json({"folder": str(output), "levels": [asdict(level) for level in summaries]})
        return
    print_levels(f"{shape} in {output}", [asdict(level) for level in summaries])


def _make_with_progress(
    shape: str, request: Request, output: Output, *, quiet: bool
) -> list[LevelSummary]:
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from halocline.mesh.make import make_mesh

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} nodes"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console(to_stderr=True), disable=quiet, transient=True) as bar:
        task = bar.add_task(f"Making {shape}", total=request.nodes)

        def show(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total)

        return make_mesh(shape, request, output, show)


def _node_count(text: str) -> int:
    """Read 250000, 250k, 2.5e5 or 1M."""
    factor = SUFFIXES.get(text[-1:].lower(), 1.0)
    digits = text[:-1] if text[-1:].lower() in SUFFIXES else text
    try:
        return round(float(digits) * factor)
    except (ValueError, OverflowError):
        raise UsageError(
            f"--nodes '{text}' is not a number of nodes. Give e.g. 250000, 250k or 25M."
        ) from None


def _proportions(text: str) -> tuple[float, ...] | None:
    if not text:
        return None
    try:
        parts = tuple(float(part) for part in text.split(","))
    except ValueError:
        parts = ()
    if len(parts) not in (2, 3):
        raise UsageError(f"--aspect '{text}' is not three numbers (in 2-D two). Give e.g. 4,2,1.")
    return parts


def _cells(text: str) -> tuple[int, ...] | None:
    if not text:
        return None
    parts = text.split(",")
    if len(parts) not in (2, 3) or not all(part.strip().isdecimal() for part in parts):
        raise UsageError(f"--cells '{text}' is not two or three whole numbers. Give e.g. 512,512.")
    return tuple(int(part) for part in parts)
