# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline p2p`: transfers between ranks by every path, as table, JSON and page."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from halocline.cli.output import DryRunFlag, JsonFlag, print_json
from halocline.cli.problems import examples
from halocline.errors import RunFailedError
from halocline.terminal import note, say

EXAMPLES = examples(
    "halocline p2p",
    "halocline p2p --path host,pipelined --pattern latency --sizes 1:4M:4 -o transfers",
    "halocline p2p --sweep --write-blocks",
    "halocline p2p --pattern sparse --pattern-file rotor37-8.json --ranks 8",
    "halocline p2p --from transfers/p2p.json",
)


def command(
    path: Annotated[
        str | None, typer.Option("--path", help="host,staged,pipelined,direct,peer or all.")
    ] = None,
    pattern: Annotated[
        str | None,
        typer.Option("--pattern", help="latency,bandwidth,bidirectional,pairs,sparse or all."),
    ] = None,
    sizes: Annotated[
        str | None, typer.Option("--sizes", help="1,8,64K or 1:64M or 1:64M:4 (the default).")
    ] = None,
    ranks: Annotated[int, typer.Option("--ranks", "-n", min=1, help="MPI ranks.")] = 2,
    device: Annotated[
        str | None, typer.Option("--device", help="auto, cuda, emulated or none.")
    ] = None,
    emulate: Annotated[
        str | None,
        typer.Option("--emulate", help="Emulated device: bandwidth=B/s,latency=s,mpi-access."),
    ] = None,
    block: Annotated[
        str | None, typer.Option("--block", help="Block of the pipelined path; 0: whole.")
    ] = None,
    window: Annotated[
        int | None, typer.Option("--window", min=1, help="Messages in flight.")
    ] = None,
    buffers: Annotated[
        str | None,
        typer.Option("--buffers", help="reused: one a side, as OSU does; distinct: one a message."),
    ] = None,
    time_s: Annotated[
        float | None, typer.Option("--time", min=0.001, help="Seconds of measurement a row.")
    ] = None,
    sweep: Annotated[
        bool, typer.Option("--sweep", help="Measure block sizes of the pipelined path instead.")
    ] = False,
    write_blocks: Annotated[
        bool,
        typer.Option(
            "--write-blocks", help="With --sweep: store the best blocks for all programs."
        ),
    ] = False,
    pattern_file: Annotated[
        Path | None,
        typer.Option(
            "--pattern-file", help="Messages of the sparse pattern, from mesh partition --pattern."
        ),
    ] = None,
    assume_gpu_aware: Annotated[
        bool,
        typer.Option(
            "--assume-gpu-aware", help="Give MPI device pointers though it does not report support."
        ),
    ] = False,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder for p2p.json and p2p.html.")
    ] = Path("p2p"),
    from_file: Annotated[
        Path | None, typer.Option("--from", help="Show a result again; measure nothing.")
    ] = None,
    dry_run: DryRunFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Measure transfers between ranks: every path, data checked, against its limit.

    Runs on GPUs where there are some and on an emulated device elsewhere.
    """
    from halocline.launch.programs import path_word
    from halocline.p2p.launch import Request, launch_line, option_words

    if from_file is not None:
        _show(from_file, from_file.with_suffix(".html"), as_json)
        return
    words = option_words(
        [
            ("--path", path),
            ("--pattern", pattern),
            ("--sizes", sizes),
            ("--device", device),
            ("--emulate", emulate),
            ("--block", block),
            ("--window", window),
            ("--buffers", buffers),
            ("--time", time_s),
            ("--sweep", sweep),
            ("--write-blocks", write_blocks),
            ("--pattern-file", pattern_file and path_word(pattern_file)),
            ("--assume-gpu-aware", assume_gpu_aware),
            ("--quiet", as_json),
        ]
    )
    result = output / "p2p.json"
    line = launch_line(Request(ranks, words), result)
    if dry_run:
        if as_json:
            print_json({"command": line, "result": str(result)})
        else:
            say(shlex.join(line))
        return
    from halocline.files.lock import Place, locked

    with locked(Place(output, "p2p", what=f"results to {output}")):
        _measure(line, output, as_json)
        _show(result, output / "p2p.html", as_json)


def _measure(line: list[str], folder: Path, as_json: bool) -> None:
    from halocline.launch.process import run_foreground, table_exit_code

    (folder / "p2p.json").unlink(missing_ok=True)
    raw = run_foreground(line, {}, output_to_stderr=as_json)
    if raw != 0:
        raise RunFailedError("", table_exit_code(raw))  # the program has said why


def _show(result_file: Path, page_file: Path, as_json: bool) -> None:
    from halocline.files.output_file import write_text
    from halocline.p2p.page import page
    from halocline.p2p.result import read_result

    result = read_result(result_file)
    write_text(page_file, page(result))
    if as_json:
        print_json(result.data)
    note(f"page: {page_file}, results: {result_file}")
