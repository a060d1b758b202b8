# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline halo`: halo exchanges by every scheme over domain counts, as table, JSON and page."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from halocline.cli.output import DryRunFlag, JsonFlag, print_json
from halocline.cli.problems import examples
from halocline.errors import RunFailedError
from halocline.terminal import note, say

EXAMPLES = examples(
    "halocline halo",
    "halocline halo --domains 2,4 --vertices 100K --fields 1,9 -o small",
    "halocline halo --device none --schemes host",
    "halocline halo --record before.json --record after.json",
    "halocline halo --from gpu/halo-2.json --from gpu/halo-4.json -o gpu",
)


def command(
    domains: Annotated[
        str, typer.Option("--domains", "-n", help="Numbers of domains, a rank each.")
    ] = "2,4,8,12",
    vertices: Annotated[
        str | None, typer.Option("--vertices", help="Sizes of the meshes. Default: 0.5M,2M.")
    ] = None,
    fields: Annotated[
        str | None, typer.Option("--fields", help="Fields exchanged at once. Default: 1,3,9.")
    ] = None,
    schemes: Annotated[
        str | None,
        typer.Option("--schemes", help="whole,neighbour,packed,direct,peer,host or all."),
    ] = None,
    device: Annotated[
        str | None, typer.Option("--device", help="auto, cuda, emulated or none.")
    ] = None,
    link: Annotated[
        str | None,
        typer.Option(
            "--link", help="Link of the emulated device: MICROSECONDS,GB_PER_S. Default: 5,6."
        ),
    ] = None,
    partitioner: Annotated[
        str | None,
        typer.Option("--partitioner", help="Partitioner of the meshes. Default: inertial."),
    ] = None,
    repetitions: Annotated[
        int | None,
        typer.Option("--repetitions", min=1, help="Timed exchanges of each row. Default: 31."),
    ] = None,
    assume_gpu_aware: Annotated[
        bool,
        typer.Option(
            "--assume-gpu-aware", help="Give MPI device pointers though it does not report support."
        ),
    ] = False,
    record: Annotated[
        list[Path] | None,
        typer.Option("--record", help="Record of a solver's run: the share of its halos."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Folder for halo.json and halo.html.")
    ] = None,
    from_files: Annotated[
        list[Path] | None, typer.Option("--from", help="Show results together; measure nothing.")
    ] = None,
    dry_run: DryRunFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Measure halo exchanges of 1, 3 and 9 fields: every scheme, values and counts checked.

    Runs on GPUs where there are some and on an emulated device elsewhere.
    """
    from halocline.files.lock import Place, locked
    from halocline.halo.launch import PROGRAM, domain_counts
    from halocline.p2p.launch import Request, launch_line, option_words

    records = record or []
    if from_files:
        folder = output or from_files[0].parent
        with locked(Place(folder, "halo", what=f"results to {folder}")):
            _write(from_files, _shares(records), folder, as_json)
        return
    counts = domain_counts(domains)
    words = option_words(
        [
            ("--vertices", vertices),
            ("--fields", fields),
            ("--schemes", schemes),
            ("--device", device),
            ("--link", link),
            ("--partitioner", partitioner),
            ("--repetitions", repetitions),
            ("--assume-gpu-aware", assume_gpu_aware),
            ("--quiet", as_json),
        ]
    )
    folder = output or Path("halo")
    files = [folder / f"halo-{count}.json" for count in counts]
    lines = {
        count: launch_line(Request(count, words, program=PROGRAM), file)
        for count, file in zip(counts, files, strict=True)
    }
    if dry_run:
        _tell(list(lines.values()), folder, as_json)
        return
    with locked(Place(folder, "halo", what=f"results to {folder}")):
        shares = _shares(records)  # a wrong file is refused before minutes of measurement
        for file in files:
            file.unlink(missing_ok=True)
        _measure(lines, as_json)
        _write(files, shares, folder, as_json)
        for file in files:
            file.unlink()


def _tell(lines: list[list[str]], folder: Path, as_json: bool) -> None:
    if as_json:
        print_json({"commands": lines, "result": str(folder / "halo.json")})
    else:
        say("\n".join(shlex.join(line) for line in lines))


def _measure(lines: dict[int, list[str]], as_json: bool) -> None:
    import time

    from halocline.halo.launch import seconds_left
    from halocline.launch.process import run_foreground, table_exit_code

    start_s = time.monotonic()
    counts = list(lines)
    for place, count in enumerate(counts, start=1):
        raw = run_foreground(lines[count], {}, output_to_stderr=as_json)
        if raw != 0:
            raise RunFailedError("", table_exit_code(raw))  # the program has said why
        if place < len(counts):
            left_s = seconds_left(time.monotonic() - start_s, counts[:place], counts[place:])
            note(f"{place} of {len(counts)} domain counts done, about {left_s:.0f} s left")


def _shares(records: list[Path]) -> list[dict[str, Any]]:
    if not records:
        return []
    from halocline.halo.shares import require_alike, share_of

    shares = [share_of(path) for path in records]
    require_alike(shares)
    return shares


def _write(files: list[Path], shares: list[dict[str, Any]], folder: Path, as_json: bool) -> None:
    from halocline.cli.output import json_text
    from halocline.files.output_file import write_text
    from halocline.halo.page import page
    from halocline.halo.result import join

    result = join(files, shares)
    write_text(folder / "halo.json", json_text(result.data) + "\n")
    write_text(folder / "halo.html", page(result))
    if as_json:
        print_json(result.data)
    note(f"page: {folder / 'halo.html'}, results: {folder / 'halo.json'}")
