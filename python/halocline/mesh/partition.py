# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Divides a mesh by the native tool and reads its report; docs/partitioning.md has the figures."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halocline.documents.store import parse, read_json
from halocline.errors import InvalidInputError, RunFailedError
from halocline.launch.cores import usable_cores
from halocline.launch.layout import Layout
from halocline.launch.mpi import launch_words
from halocline.launch.mpi_library import mpi_family
from halocline.launch.process import run_foreground, table_exit_code
from halocline.launch.programs import path_word, require_program
from halocline.mesh.partition_report import PartitionReport

PROGRAM = "halocline-meshtool"
SCHEMA = "halocline.partition-report"
SCHEMA_VERSION = 1
ENVIRONMENT = {"OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class PartitionJob:
    """What to divide, how, and what to write."""

    mesh: Path
    parts: int
    partitioner: str = "ptscotch"
    method: str = "auto"
    compare: bool = False
    ranks: int | None = None
    weights: str = ""
    partition_file: Path | None = None
    link: str = ""
    legacy: bool = False
    pattern: Path | None = None
    output: Path | None = None
    per_part: bool = False
    #: Divide the coarse levels of the mesh's Laplacian, too, which a pressure solver makes.
    pressure_levels: bool = False


def partition_command(job: PartitionJob, report: Path) -> list[str]:
    """Return the command that writes the report of `job` to `report`."""
    program = require_program(PROGRAM)
    cores = usable_cores().cores
    ranks = job.ranks or min(cores, job.parts)
    layout = Layout(ranks, threads=1, oversubscribed=ranks > cores)
    launcher = launch_words("auto", layout, mpi_family(program), [])
    return [*launcher, str(program), "partition", *_flags(job), "--json", str(report)]


def _flags(job: PartitionJob) -> list[str]:
    folder, file = (job.mesh.parent, job.mesh.name) if job.mesh.is_file() else (job.mesh, None)
    words = ["-d", path_word(folder), "-n", str(job.parts)]
    values = {
        "-i": file,
        "--weights": job.weights,
        "--partition-file": job.partition_file and path_word(job.partition_file),
        "--link": job.link,
        "--pattern": job.pattern and path_word(job.pattern),
        "--output": job.output and path_word(job.output),
    }
    words += [word for flag, value in values.items() if value for word in (flag, value)]
    if job.legacy:
        words.append("--legacy-mode")
    if job.per_part:
        words.append("--per-part")
    if job.pressure_levels:
        words.append("--pressure-levels")
    if job.compare:
        return [*words, "--compare"]
    return [*words, "-m", job.partitioner, "-r", job.method]


def partition_mesh(job: PartitionJob) -> dict[str, Any]:
    """Divide a mesh and return the report; raises with the tool's exit code when it fails."""
    if not job.mesh.exists():
        raise InvalidInputError(f"{job.mesh}: no such mesh folder or input file. Check the path.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        code = run_foreground(partition_command(job, path), ENVIRONMENT, output_to_stderr=True)
        if code != 0:
            sentence = f"{PROGRAM} could not divide {job.mesh}; see above."
            raise RunFailedError(sentence, table_exit_code(code))
        return read_report(path)


def read_report(path: Path) -> dict[str, Any]:
    """Read a report that the native tool wrote."""
    report = read_json(path, "partition report")
    names = ("schema", "schema_version")
    kind = tuple(report.get(name) for name in names) if isinstance(report, dict) else ()
    if kind != (SCHEMA, SCHEMA_VERSION):
        raise RunFailedError(f"{PROGRAM} is of another version than this command. Run make build.")
    parse(PartitionReport, report, str(path))
    return dict(report)


def best_ways(ways: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Order ways by what an exchange costs: halo nodes of the finest level, then all halos."""
    return sorted(
        ways,
        key=lambda way: (
            "error" in way,
            way["levels"][0]["halo_nodes"] if "levels" in way else 0,
            way.get("halo_elements", 0),
        ),
    )
