# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline plot`: a picture of mesh and field, of a run's loop shares, or of its series."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halocline.cli.output import JsonFlag, print_json
from halocline.cli.problems import examples
from halocline.errors import UsageError
from halocline.terminal import say

if TYPE_CHECKING:
    from halocline.plot.view import View

EXAMPLES = examples(
    "halocline plot output -o rotor37.png",
    "halocline plot output --quantity mach --passages 36 -o rotor.png",
    "halocline plot output --slice x=0.5 --slice z -o planes.png",
    "halocline plot output --iso density=1.1 --streamlines velocity -o flow.png",
    "halocline plot mesh --cells --slice z -o cells.png",
    "halocline plot output --movie pulse.gif --slice z",
    "halocline plot variables.L0.cycles=25.h5 --mesh mesh -o field.png",
    "halocline plot --case case.toml",
    "halocline plot --record output -o loops.png",
    "halocline plot --series output -q total,max -o series.png",
)
LARGEST_PICTURE = 100_000_000


def command(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Results folder, mesh folder, or a field file.", show_default=False),
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="Picture to write (PNG).")] = Path(
        "halocline.png"
    ),
    quantity: Annotated[
        str,
        typer.Option(
            "-q",
            "--quantity",
            help="A field, or of MG-CFD: pressure, density, mach, speed, energy.",
        ),
    ] = "",
    mesh: Annotated[
        Path | None,
        typer.Option("--mesh", help="Mesh folder or file. Default: the one that the results name."),
    ] = None,
    level: Annotated[
        int | None, typer.Option("--level", min=0, help="Level to draw instead of the finest.")
    ] = None,
    step: Annotated[
        int | None, typer.Option("--step", help="Step to draw instead of the last one.")
    ] = None,
    time: Annotated[float | None, typer.Option("--time", help="The same by its time.")] = None,
    slices: Annotated[
        list[str] | None,
        typer.Option("--slice", help="Draw a plane: x=0.5, or x for the middle. Repeatable."),
    ] = None,
    isos: Annotated[
        list[str] | None,
        typer.Option("--iso", help="Draw the surface of a value: density=1.1. Repeatable."),
    ] = None,
    streamlines: Annotated[
        str, typer.Option("--streamlines", help="Draw lines along a vector: velocity.")
    ] = "",
    cells: Annotated[
        bool, typer.Option("--cells", help="Show the cells; --slice says where to cut them open.")
    ] = False,
    towards: Annotated[
        str, typer.Option("--from", help="Where to look from: x, -z, or 1,1,0.5.")
    ] = "",
    span: Annotated[str, typer.Option("--range", help="Range of colours: LOW,HIGH.")] = "",
    passages: Annotated[
        int | None, typer.Option("--passages", min=1, help="Blade passages to show.")
    ] = None,
    size: Annotated[
        str,
        typer.Option("--size", help="Width x height. [default: 1800x1200; of movies 960x640]"),
    ] = "",
    no_lines: Annotated[bool, typer.Option("--no-lines", help="Leave out the mesh lines.")] = False,
    title: Annotated[
        str, typer.Option("--title", help="Title of the picture. Default: the field and the step.")
    ] = "",
    movie: Annotated[
        Path | None, typer.Option("--movie", help="Draw all steps as a movie: FILE.gif or .mp4.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", help="Draw loop shares of this run record instead.")
    ] = None,
    series: Annotated[
        Path | None,
        typer.Option(
            "--series",
            help="Draw what this run measured over its steps; -q names columns, as total,max.",
        ),
    ] = None,
    case: Annotated[
        Path | None,
        typer.Option("--case", help="Draw the missing pictures of output.pictures of a case."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw a mesh with a field, loop shares or the series of a run, as PNG; or a movie.

    VTK draws; no display is needed.
    """
    if case is not None:
        _draw_case(case, as_json)
        return
    if record is not None:
        facts = _draw_record(record, output)
    elif series is not None:
        facts = _draw_series(series, quantity, output)
    elif paths:
        from halocline.plot import view as spelt

        view = spelt.View(
            size=_parse_size(size or ("1800x1200" if movie is None else "960x640")),
            passages=passages,
            lines=not no_lines,
            slices=spelt.parse_slices(slices or []),
            isos=spelt.parse_isos(isos or []),
            streamlines=streamlines,
            cells=cells,
            towards=spelt.parse_direction(towards),
            span=spelt.parse_pair("--range", span),
            level=level,
            step=step,
            time=time,
            title=title,
        )
        facts = _draw(paths, output, quantity, mesh, view, movie)
    else:
        raise UsageError(
            "halocline plot: nothing to draw. Name a results folder, --record or --series."
        )
    if as_json:
        print_json(facts)
    else:
        say(f"movie: {movie}" if movie else f"picture: {output}")


def _draw(
    paths: list[Path],
    output: Path,
    quantity: str,
    mesh: Path | None,
    view: View,
    movie: Path | None,
) -> dict[str, object]:
    if movie is not None:
        from halocline.plot.movie import draw_movie

        return draw_movie(paths, movie, quantity, mesh, view)
    from halocline.plot.mesh_picture import draw_mesh

    return draw_mesh(paths, output, quantity, mesh, view)


def _draw_case(case: Path, as_json: bool) -> None:
    from halocline.case.load import load_case
    from halocline.plot.beside import draw_case

    facts = draw_case(load_case(case), case)
    if as_json:
        print_json(facts)
    else:
        say(f"pictures: {facts['drawn']} drawn in {facts['folder']}")


def _draw_record(record: Path, output: Path) -> dict[str, object]:
    from halocline.plot.loop_shares import draw_loop_shares
    from halocline.record.store import read_record

    return draw_loop_shares(read_record(record), output)


def _draw_series(place: Path, quantity: str, output: Path) -> dict[str, object]:
    from halocline.plot.series_lines import draw_series
    from halocline.results.opening import open_run

    series = open_run(place).series
    if series is None:
        raise UsageError(f"{place} has no series.csv. Run with output.series_interval=10.")
    return draw_series(series, output, quantity.split(",") if quantity else ())


def _parse_size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{2,5})x(\d{2,5})", text)
    if match is None:
        raise UsageError(f"halocline plot: --size {text} is not WIDTHxHEIGHT, e.g. 1800x1200.")
    width, height = int(match[1]), int(match[2])
    if width * height > LARGEST_PICTURE:
        raise UsageError(
            f"halocline plot: --size {text} is more than {LARGEST_PICTURE:,} pixels. Ask for less."
        )
    return width, height
