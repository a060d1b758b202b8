# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The `halocline mesh partition` verb."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from halocline.case.names import listed
from halocline.cli.output import DryRunFlag, JsonFlag, print_json
from halocline.cli.problems import examples
from halocline.terminal import say

EXAMPLES = examples(
    "halocline mesh partition rotor -n 64",
    "halocline mesh partition rotor -n 64 --compare --link 1.5,12",
    "halocline mesh partition rotor -n 16 -m sfc -r geomkway -o rotor.part.16",
    "halocline mesh partition rotor -n 64 -m ptscotch --pattern rotor64.json",
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
    legacy: Annotated[
        bool, typer.Option("--legacy", help="Use the dataset names of legacy mode.")
    ] = False,
    pattern: Annotated[
        Path | None,
        typer.Option(help="Write the message pattern, for halocline p2p --pattern-file."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the partition, for -m file.")
    ] = None,
    as_json: JsonFlag = False,
    dry_run: DryRunFlag = False,
) -> None:
    """Divide a mesh into parts and report what a run on so many ranks will exchange."""
    from halocline.cli.mesh.partition_tables import print_comparison, print_partition
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
