# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program under the recorder and reads its rank files; collects what differs."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RankFile = dict[str, Any]

OPEN_MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_btl_base_warn_component_unused": "0",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    # its compare-and-swap crashes in 4.1.4, with or without the recorder
    "OMPI_MCA_osc": "^rdma",
}


@dataclass
class Bench:
    """Where programs, launcher and libraries are, and what went wrong so far."""

    family: str
    mpirun: str
    launcher: str
    programs: Path
    failures: list[str] = field(default_factory=list)

    @property
    def library(self) -> Path:
        """The recorder of this family, beside the launcher."""
        name = f"libhalocline-snapshot-{self.family}.so"
        return Path(self.launcher).parent.parent / "lib" / "halocline" / name

    def start(self, preload: str) -> list[str]:
        """What stands before the program: the launcher, or a library given by hand."""
        return ["env", f"LD_PRELOAD={preload}"] if preload else [self.launcher]

    def expect(self, condition: bool, complaint: str) -> bool:
        """Note a failure and go on; return whether there is none."""
        if not condition:
            self.failures.append(complaint)
        return condition

    def equal(self, found: object, wanted: object, what: str) -> bool:
        """Note a difference and go on; return whether there is none."""
        return self.expect(found == wanted, f"{what}: found {found}, expected {wanted}")

    def run(
        self,
        program: str,
        ranks: int,
        *arguments: str,
        variables: dict[str, str] | None = None,
        preload: str = "",
        timeout: float = 250,
    ) -> Run:
        """Run one program; its rank files are read when it has ended."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            environment = {**os.environ, **OPEN_MPI, **(variables or {})}
            environment["HALOCLINE_SNAPSHOT_DIR"] = str(folder / "ranks")
            environment["TEST_FOLDER"] = name
            path = self.programs / f"{program}.{self.family}"
            words = [self.mpirun, "-n", str(ranks), *self.start(preload), str(path), *arguments]
            done = subprocess.run(
                words,
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=timeout,
                cwd=name,
                check=False,
            )
            return Run(done.returncode, done.stdout, done.stderr, read_files(folder / "ranks"))


@dataclass
class Run:
    """How a program ended and what its ranks left."""

    code: int
    output: str
    errors: str
    ranks: dict[int, RankFile]


def read_files(folder: Path) -> dict[int, RankFile]:
    """All whole rank files of a folder; a broken one is an error."""
    found = {}
    for path in folder.glob("rank-*.json"):
        data = json.loads(path.read_text(encoding="utf-8"))
        found[int(data["rank"])] = data
    return found


def by_name(rank_file: RankFile) -> dict[str, dict[str, Any]]:
    """Functions of a rank by name."""
    return {function["name"]: function for function in rank_file["functions"]}


def rows_by_peer(rank_file: RankFile) -> dict[int, dict[str, int]]:
    """The matrix row as columns by peer."""
    columns = rank_file["peers"]["columns"]
    rows = (dict(zip(columns, row, strict=True)) for row in rank_file["peers"]["rows"])
    return {row.pop("rank"): row for row in rows}


def main(check: Callable[[Bench], None]) -> None:
    """Parse the common command line, run a check, tell what failed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--family", required=True)
    parser.add_argument("--mpirun", required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--programs", type=Path, required=True)
    options = parser.parse_args()
    bench = Bench(options.family, options.mpirun, options.launcher, options.programs)
    check(bench)
    for failure in bench.failures:
        print(failure)
    print(f"{len(bench.failures)} failures")
    sys.exit(1 if bench.failures else 0)
