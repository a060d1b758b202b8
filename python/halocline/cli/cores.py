# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline cores`: what busy cores of a host do to each other; parsing and printing only."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halocline.cli.output import DryRunFlag, JsonFlag, console, print_json, table
from halocline.cli.problems import examples
from halocline.terminal import note, say

if TYPE_CHECKING:
    from halocline.cores.result import CoresResult

FILE_NAME = "cores.json"
EXAMPLES = examples(
    "halocline cores",
    "halocline cores --cores 1,8,16,32 --repeats 5 -o quiet-night",
    "halocline cores --from cores/cores.json",
    "halocline forecast case.toml --record out1 --record out4 --cores cores/cores.json "
    "--network p2p.json",
)


def command(
    cores: Annotated[
        str | None, typer.Option("--cores", help="Numbers of busy cores; powers of 2 and all.")
    ] = None,
    time_s: Annotated[
        float | None, typer.Option("--time", min=0.001, max=10.0, help="Seconds of a row.")
    ] = None,
    repeats: Annotated[
        int | None,
        typer.Option("--repeats", min=1, max=1000, help="Of all rows, in turn; the best counts."),
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder for cores.json.")] = Path(
        "cores"
    ),
    from_file: Annotated[
        Path | None, typer.Option("--from", help="Show a result again; measure nothing.")
    ] = None,
    dry_run: DryRunFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Measure what busy cores of this host do to each other.

    How fast a core computes and moves memory while 1, 2, 4, ... all of them do
    the same: seconds, without any case. A forecast takes it to say what full
    hosts do. docs/cores.md has the figures.
    """
    from halocline.cores.launch import command_line, measure_cores
    from halocline.cores.result import read_result
    from halocline.files.lock import Place, locked
    from halocline.p2p.launch import option_words

    if from_file is not None:
        _show(read_result(from_file), as_json)
        return
    words = [
        *option_words([("--cores", cores), ("--time", time_s), ("--repeats", repeats)]),
        "--quiet",
    ]
    result = output / FILE_NAME
    if dry_run:
        line = command_line(words, result)
        if as_json:
            print_json({"command": line, "result": str(result)})
        else:
            say(shlex.join(line))
        return
    with locked(Place(output, "cores", what=f"results to {output}")):
        _show(measure_cores(words, result, output_to_stderr=as_json), as_json)
    note(f"results: {result}")


def _show(result: CoresResult, as_json: bool) -> None:
    if as_json:
        print_json(result.plain())
        return
    from halocline.wording import bytes_words

    numbers = ("cores", "1e9 a second", "slowest core", "all cores")
    made = table(f"Busy cores of {result.host}", "work", "of each core", *numbers, right=numbers)
    for row in sorted(result.rows, key=lambda row: (row.work, row.set_bytes, row.cores)):
        made.add_row(*_words(row, bytes_words))
    console().print(made)


def _words(row: Any, bytes_words: Any) -> tuple[str, ...]:
    return (
        row.work.replace("_", " "),
        bytes_words(row.set_bytes) if row.set_bytes else "registers",
        str(row.cores),
        f"{1e-9 * row.rate:.3f}",
        f"{1e-9 * row.slowest_rate:.3f}",
        f"{1e-9 * row.rate * row.cores:.3f}",
    )
