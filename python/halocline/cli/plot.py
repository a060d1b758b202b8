# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline plot`: a picture of mesh and field, or of the loop shares in a run record."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from halocline.cli.output import JsonFlag, print_json
from halocline.cli.problems import examples
from halocline.errors import UsageError, suggestion
from halocline.terminal import say

EXAMPLES = examples(
    "halocline plot output -o rotor37.png",
    "halocline plot output --quantity mach --passages 36 -o rotor.png",
    "halocline plot mesh -o mesh.png",
    "halocline plot variables.L0.cycles=25.h5 --mesh mesh -o field.png",
    "halocline plot --record output -o loops.png",
)
LARGEST_PICTURE = 100_000_000
QUANTITY_NAMES = ("pressure", "density", "mach", "speed", "energy")


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
            help=f"One of: {', '.join(QUANTITY_NAMES)}. Default: pressure, or the scalar there is.",
        ),
    ] = "",
    mesh: Annotated[
        Path | None, typer.Option("--mesh", help="Mesh folder or file, when not found by itself.")
    ] = None,
    passages: Annotated[
        int | None, typer.Option("--passages", min=1, help="Blade passages to show.")
    ] = None,
    size: Annotated[str, typer.Option("--size", help="Width x height in pixels.")] = "1800x1200",
    no_lines: Annotated[bool, typer.Option("--no-lines", help="Leave out the mesh lines.")] = False,
    title: Annotated[str, typer.Option("--title", help="Title instead of the made one.")] = "",
    record: Annotated[
        Path | None, typer.Option("--record", help="Draw loop shares of this run record instead.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw a mesh with a field, or the loop shares of a run, as PNG.

    Drawn in software: needs neither a display nor OpenGL.
    """
    if quantity and quantity not in QUANTITY_NAMES:
        raise UsageError(
            f"halocline plot: no quantity '{quantity}'. {suggestion(quantity, QUANTITY_NAMES)}"
        )
    if record is not None:
        facts = _draw_record(record, output)
    elif paths:
        from halocline.plot.mesh_picture import draw_mesh
        from halocline.plot.scene import View

        view = View(_parse_size(size), passages, not no_lines)
        facts = draw_mesh(paths, output, quantity, mesh, view, title)
    else:
        raise UsageError("halocline plot: nothing to draw. Name a results folder or --record FILE.")
    if as_json:
        print_json(facts)
    else:
        say(f"picture: {output}")


def _draw_record(record: Path, output: Path) -> dict[str, object]:
    from halocline.plot.loop_shares import draw_loop_shares
    from halocline.record.store import read_record

    return draw_loop_shares(read_record(record), output)


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
