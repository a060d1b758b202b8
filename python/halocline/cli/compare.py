# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline compare A B`: differences of two result files or folders, number by number."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halocline.cli.output import JsonFlag, console, json_text, print_json, table
from halocline.cli.problems import examples
from halocline.errors import ExitCode, UsageError
from halocline.terminal import say

if TYPE_CHECKING:
    from rich.text import Text

    from halocline.compare.difference import Difference
    from halocline.compare.runs import Comparison, Meshes

EXAMPLES = examples(
    "halocline compare output-1rank output-4ranks --bitwise",
    "halocline compare output reference.h5 --tolerance 1e-13 --common",
    "halocline compare old new --relative 1e-10 --html difference.html",
    "halocline compare variables.L0.cycles=25.h5 solution.variables.L0.cycles=25.h5 --mgcfd",
    "halocline compare a b --mesh-a mesh --mesh-b shuffled-mesh --tolerance 1e-12",
)


def command(
    a: Annotated[Path, typer.Argument(help="Results: a file, a folder or a prefix.")],
    b: Annotated[Path, typer.Argument(help="What to compare it with.")],
    tolerance: Annotated[
        float, typer.Option("--tolerance", min=0.0, help="Largest absolute difference accepted.")
    ] = 0.0,
    relative: Annotated[
        float, typer.Option("--relative", min=0.0, help="Or the largest relative one.")
    ] = 0.0,
    bitwise: Annotated[
        bool, typer.Option("--bitwise", help="Accept the same bits only (-0 is not 0).")
    ] = False,
    mgcfd: Annotated[
        bool,
        typer.Option("--mgcfd", help="Accept what `mgcfd -v` accepts, with B as the reference."),
    ] = False,
    common: Annotated[
        bool, typer.Option("--common", help="Accept data sets that only one side has.")
    ] = False,
    mesh: Annotated[
        Path | None, typer.Option("--mesh", help="Mesh of both, to locate differences.")
    ] = None,
    mesh_a: Annotated[
        Path | None, typer.Option("--mesh-a", help="Mesh of A, where B numbers nodes differently.")
    ] = None,
    mesh_b: Annotated[
        Path | None, typer.Option("--mesh-b", help="Mesh of B: nodes are matched by their places.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page with histograms and maps, too.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json-file", help="Write the object of --json to a file, too.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Compare result files or folders, data set by data set.

    Exit code 0: equal within the tolerance; 6: not equal.
    """
    from halocline.compare import MGCFD_RULE, Limits, compare

    limits = Limits(tolerance, relative, bitwise)
    if mgcfd and limits != Limits():
        raise UsageError(
            "halocline compare: --mgcfd has limits of its own. Leave out --tolerance, --relative "
            "and --bitwise, or --mgcfd."
        )
    limits = MGCFD_RULE if mgcfd else limits
    meshes = _meshes(mesh, mesh_a, mesh_b)
    comparison = compare(a, b, limits, common_only=common, meshes=meshes)
    if html is not None:
        from halocline.compare.page import page
        from halocline.files.output_file import write_text

        write_text(html, page(comparison, f"{a} | {b}"))
    if json_file is not None:
        from halocline.files.output_file import write_text

        write_text(json_file, json_text(comparison.as_json()) + "\n")
    if as_json:
        print_json(comparison.as_json())
    else:
        _print_table(comparison.differences, f"{a} | {b}")
        _print_missing(comparison)
        say(f"{'equal' if comparison.equal else 'different'} ({limits.words()})")
    raise typer.Exit(ExitCode.OK if comparison.equal else ExitCode.DIFFERS)


def _meshes(mesh: Path | None, mesh_a: Path | None, mesh_b: Path | None) -> Meshes | None:
    """Return the meshes that were named; None: what the results themselves know."""
    if (mesh_a is None) != (mesh_b is None) or (mesh is not None and mesh_a is not None):
        raise UsageError(
            "halocline compare: name --mesh (both number nodes alike), or --mesh-a and --mesh-b."
        )
    if mesh is None and mesh_a is None:
        return None
    from halocline.compare import Meshes
    from halocline.results.mesh import open_mesh

    of_a, of_b = (
        None if place is None else dict(enumerate(open_mesh(place)))
        for place in (mesh or mesh_a, mesh_b)
    )
    return Meshes(of_a or {}, of_b)


def _print_table(differences: list[Difference], title: str) -> None:
    numbers = ("beyond", "max abs", "max rel", "L2", "L2 rel", "row", "column")
    rows = table(title, "data set", "verdict", *numbers, right=numbers)
    rows.columns[0].no_wrap = rows.columns[2].no_wrap = True
    for found in differences:
        sizes = (found.max_abs, found.max_rel, found.l2, found.l2_relative)
        rows.add_row(
            found.key,
            _verdict(found),
            f"{found.over:,}",
            *(f"{value:.3g}" for value in sizes),
            *("" if place is None else str(place) for place in (found.row, found.column)),
        )
    console().print(rows)
    _print_place(max(differences, key=lambda found: found.max_rel))


def _print_place(worst: Difference) -> None:
    from halocline.compare.page import place_text

    if worst.coordinates is not None:
        say(f"largest of {worst.key}: {place_text(worst)}: {worst.a_at!r} | {worst.b_at!r}")


def _verdict(found: Difference) -> Text:
    from halocline.compare.page import verdict
    from halocline.screen import styled

    good = found.same_shape and (found.bitwise_equal or found.accepted)
    return styled(verdict(found), "green" if good else "red")


def _print_missing(comparison: Comparison) -> None:
    for side, keys in (("first", comparison.only_a), ("second", comparison.only_b)):
        if keys:
            shown = ", ".join(keys[:3]) + (f" and {len(keys) - 3} more" if len(keys) > 3 else "")
            hint = "" if comparison.common_only else " (--common accepts this)"
            say(f"only in the {side}: {shown}{hint}")
