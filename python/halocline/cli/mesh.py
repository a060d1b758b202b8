# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The `halocline mesh` verbs: make, import, info, check, partition; parsing and printing only."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from halocline.case.names import listed
from halocline.cli.mesh_tables import print_info, print_levels, print_report
from halocline.cli.output import DryRunFlag, JsonFlag, console, print_json
from halocline.cli.problems import examples
from halocline.errors import ExitCode, UsageError
from halocline.terminal import note, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from halocline.mesh.make import Output
    from halocline.mesh.publication import LevelSummary
    from halocline.mesh.request import Request

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
Result = TypeVar("Result")
SUFFIXES = {"k": 1e3, "m": 1e6, "g": 1e9}


@app.callback()
def _root() -> None:
    """Make, import, inspect, check and divide meshes."""


@app.command(
    "make",
    epilog=examples(
        "halocline mesh make rotor37 --nodes 250k --levels 4 -o rotor",
        "halocline mesh make sector --nodes 1M --levels 4 --shuffle --seed 7 -o shuffled",
        "halocline mesh make box --nodes 50k --aspect 4,2,1 --legacy -o box",
        "halocline mesh make cavity --nodes 729 --levels 1 --elements tet --perturb 0.2 -o cube",
        "halocline mesh make cavity --elements quad --cells 512,512 --stretch 4 -o cavity",
        "halocline mesh make cylinder --nodes 100k --elements mixed -o cylinder",
        "halocline mesh make channel --dimension 3 --nodes 1M --periodic xz --stretch 8 -o channel",
        "halocline mesh make rotor37 --nodes 250k --laplacian -o rotor",
    ),
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


@app.command(
    "import",
    epilog=examples(
        "halocline mesh import wing.msh -o wing --levels 4",
        "halocline mesh import wing.su2 -o wing --boundary body=wall --boundary box=far-field",
        "halocline mesh import duct.cgns -o duct --scale mm --default-boundary wall",
        "halocline mesh import motorBike -o bike --levels 3",
    ),
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
    """Make a mesh folder from somebody's mesh: median dual, boundary groups, coarse levels.

    Leaves with 3 when the file is no sound mesh or a boundary has no group, and writes nothing.
    """
    from halocline.cli.mesh_tables import print_imported
    from halocline.mesh.imports.blocks import means_of
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
    means = means_of(memory, processes, output)
    imported = _with_phases(
        lambda phase: import_mesh(file, output, request, phase, means), quiet=as_json
    )
    for text in imported.notes:
        note(text)
    if as_json:
        print_json({"folder": str(output)} | asdict(imported))
        return
    print_imported(f"{file.name} in {output}", imported)


@app.command(
    "info", epilog=examples("halocline mesh info rotor", "halocline mesh info rotor --json")
)
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


@app.command(
    "check",
    epilog=examples("halocline mesh check rotor", "halocline mesh check old/input.dat --json"),
)
def check_command(
    folder: Annotated[Path, typer.Argument(help="Mesh folder, or an input file of MG-CFD.")],
    tolerance: Annotated[
        float, typer.Option(help="Largest residual of a dual cell, relative to its surface.")
    ] = 1e-10,
    as_json: JsonFlag = False,
) -> None:
    """Prove a mesh sound: closed dual cells, positive volumes, valid maps, nested levels.

    Leaves with 3 when a rule is violated, and lists where.
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


@app.command(
    "partition",
    epilog=examples(
        "halocline mesh partition rotor -n 64",
        "halocline mesh partition rotor -n 64 --compare --link 1.5,12",
        "halocline mesh partition rotor -n 16 -m sfc -r geomkway -o rotor.part.16",
        "halocline mesh partition rotor -n 64 -m ptscotch --pattern rotor64.json",
    ),
)
def partition_command(
    folder: Annotated[Path, typer.Argument(help="Mesh folder, or an input file of MG-CFD.")],
    parts: Annotated[int, typer.Option("-n", "--parts", help="Parts to make.", min=1)],
    partitioner: Annotated[
        str,
        typer.Option(
            "-m",
            "--partitioner",
            help=f"{listed('parallel.partitioner')}.",
        ),
    ] = "ptscotch",
    method: Annotated[
        str,
        typer.Option("-r", "--method", help=f"{listed('parallel.partitioner_method')}."),
    ] = "auto",
    compare: Annotated[
        bool, typer.Option("--compare", help="Try all partitioners and methods; print a table.")
    ] = False,
    weights: Annotated[
        str, typer.Option(help="Target weights of the parts, as 1,1,2.5. Default: equal.")
    ] = "",
    partition_file: Annotated[
        Path | None, typer.Option(help="For -m file: one part number a line, or HDF5.")
    ] = None,
    link: Annotated[
        str,
        typer.Option(help="Latency [µs],bandwidth [GB/s] for predictions. Default: measured."),
    ] = "",
    ranks: Annotated[
        int | None, typer.Option(help="MPI ranks that do the work. Default: one a core.", min=1)
    ] = None,
    legacy: Annotated[bool, typer.Option("--legacy", help="Dataset names of legacy mode.")] = False,
    pattern: Annotated[
        Path | None, typer.Option(help="Write who sends how much to whom, for halocline p2p.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the partition, for -m file.")
    ] = None,
    as_json: JsonFlag = False,
    dry_run: DryRunFlag = False,
) -> None:
    """Divide a mesh into parts and report what a run on so many ranks will exchange."""
    from halocline.cli.partition_tables import print_comparison, print_partition
    from halocline.mesh.partition import PartitionJob, partition_command, partition_mesh

    job = PartitionJob(
        mesh=folder,
        parts=parts,
        partitioner=partitioner,
        method=method,
        compare=compare,
        ranks=ranks,
        weights=weights,
        partition_file=partition_file,
        link=link,
        legacy=legacy,
        pattern=pattern,
        output=output,
    )
    if dry_run:
        say(shlex.join(partition_command(job, Path("report.json"))))
        return
    report = partition_mesh(job)
    if as_json:
        print_json(report)
    elif compare:
        print_comparison(report)
    else:
        print_partition(report)


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
