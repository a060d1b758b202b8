# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline compare A B`: differences of two result files or folders, number by number."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halocline.cli.output import JsonFlag, console, print_json, table
from halocline.cli.problems import examples
from halocline.errors import ExitCode
from halocline.terminal import say

if TYPE_CHECKING:
    from rich.text import Text

    from halocline.compare.difference import Difference
    from halocline.compare.runs import Pairing

EXAMPLES = examples(
    "halocline compare output-1rank output-4ranks --bitwise",
    "halocline compare output reference.h5 --tolerance 1e-13 --common",
    "halocline compare a/variables.L0.cycles=25.h5 b/variables.L0.cycles=25.h5",
)


def command(
    a: Annotated[Path, typer.Argument(help="HDF5 file or folder of results.")],
    b: Annotated[Path, typer.Argument(help="What to compare it with.")],
    tolerance: Annotated[
        float, typer.Option("--tolerance", min=0.0, help="Largest absolute difference accepted.")
    ] = 0.0,
    bitwise: Annotated[
        bool, typer.Option("--bitwise", help="Accept the same bits only (-0 is not 0).")
    ] = False,
    common: Annotated[
        bool, typer.Option("--common", help="Accept data sets that only one side has.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Compare result files or folders, data set by data set.

    Exit code 0: equal within the tolerance; 6: not equal.
    """
    from halocline.compare.runs import pair

    pairing = pair(a, b)
    differences = list(pairing.differences())
    complete = common or not (pairing.only_a or pairing.only_b)
    good = {found.key: found.within(tolerance, bitwise) for found in differences}
    equal = complete and all(good.values())
    if as_json:
        _print_data(pairing, differences, good, equal)
    else:
        _print_table(differences, good, f"{a} | {b}")
        _print_missing(pairing, common)
        limit = "bitwise" if bitwise else f"tolerance {tolerance:g}"
        say(f"{'equal' if equal else 'different'} ({limit})")
    raise typer.Exit(ExitCode.OK if equal else ExitCode.DIFFERS)


def _print_data(
    pairing: Pairing, differences: list[Difference], good: dict[str, bool], equal: bool
) -> None:
    rows = [{**found.as_json(), "accepted": good[found.key]} for found in differences]
    print_json(
        {"equal": equal, "only_a": pairing.only_a, "only_b": pairing.only_b, "data_sets": rows}
    )


def _print_table(differences: list[Difference], good: dict[str, bool], title: str) -> None:
    numbers = ("differing", "max abs", "max rel", "L2", "row", "column")
    rows = table(title, "data set", "verdict", *numbers, right=numbers)
    rows.columns[0].no_wrap = True
    for found in differences:
        rows.add_row(
            found.key,
            _verdict(found, good[found.key]),
            f"{found.differing}/{found.values}",
            *(f"{value:.3g}" for value in (found.max_abs, found.max_rel, found.l2)),
            *("" if place is None else str(place) for place in (found.row, found.column)),
        )
    console().print(rows)


def _verdict(found: Difference, good: bool) -> Text:
    from halocline.screen import styled

    if not found.same_shape:
        return styled(f"shape {found.shape} | {found.other_shape}", "red")
    if found.bitwise_equal:
        return styled("same bits", "green")
    return styled("within", "green") if good else styled("differs", "red")


def _print_missing(pairing: Pairing, accepted: bool) -> None:
    for side, keys in (("first", pairing.only_a), ("second", pairing.only_b)):
        if keys:
            shown = ", ".join(keys[:3]) + (f" and {len(keys) - 3} more" if len(keys) > 3 else "")
            hint = "" if accepted else " (--common accepts this)"
            say(f"only in the {side}: {shown}{hint}")
