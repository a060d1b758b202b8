# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads and joins results of the halo experiment; docs/formats/halo-result.md describes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from halocline.documents.store import parse, read_tool_result
from halocline.errors import InvalidInputError
from halocline.halo.model import HaloResult, Scheme
from halocline.halo.shares import require_alike

FORMAT = "halocline-halo-result"
VERSION = 1
SCHEMES: tuple[str, ...] = get_args(Scheme)


@dataclass(frozen=True)
class Case:
    """One mesh at one number of domains: its run, its sizes, its rows."""

    run: dict[str, Any]
    mesh: dict[str, Any]

    @property
    def domains(self) -> int:
        """Number of domains."""
        return int(self.run["domains"])

    def row(self, scheme: str, fields: int) -> dict[str, Any] | None:
        """The row of a scheme; None where it was not measured."""
        rows: list[dict[str, Any]] = self.mesh["rows"]
        found = (row for row in rows if (row["scheme"], row["fields"]) == (scheme, fields))
        return next(found, None)

    def gain(self, scheme: str, fields: int) -> float | None:
        """How many times less than `whole` an exchange takes."""
        row, whole = self.row(scheme, fields), self.row("whole", fields)
        return whole["median_s"] / row["median_s"] if row and whole else None


@dataclass(frozen=True)
class Result:
    """All runs; `data` is the JSON object, which keeps to `HaloResult`."""

    data: dict[str, Any]

    def meshes(self) -> list[int]:
        """Vertices of the meshes, ascending."""
        return sorted({mesh["vertices"] for run in self.data["runs"] for mesh in run["meshes"]})

    def cases(self, vertices: int) -> list[Case]:
        """What was measured on a mesh, by domains."""
        found = [
            Case(run, mesh)
            for run in self.data["runs"]
            for mesh in run["meshes"]
            if mesh["vertices"] == vertices
        ]
        return sorted(found, key=lambda case: case.domains)

    def fields(self) -> list[int]:
        """Numbers of fields, ascending."""
        rows = (row for run in self.data["runs"] for mesh in run["meshes"] for row in mesh["rows"])
        return sorted({row["fields"] for row in rows})

    def schemes(self) -> list[str]:
        """Schemes that were measured anywhere, in the order of `SCHEMES`."""
        rows = (row for run in self.data["runs"] for mesh in run["meshes"] for row in mesh["rows"])
        measured = {row["scheme"] for row in rows}
        return [scheme for scheme in SCHEMES if scheme in measured]


def read_result(path: Path) -> Result:
    """Read a file that `halocline-halo --json` or `halocline halo` wrote."""
    data = read_tool_result(path, "halocline halo", FORMAT, VERSION)
    parse(HaloResult, data, str(path))
    return Result(data)


def join(files: Sequence[Path], shares: Sequence[dict[str, Any]]) -> Result:
    """Return the runs of all files, by domains, with what records of solvers say beside them."""
    results = [read_result(file).data for file in files]
    runs = [run for data in results for run in data["runs"]]
    _require_once(runs)
    records = [share for data in results for share in data["records"]]
    require_alike([*records, *shares])
    joined = {
        "runs": sorted(runs, key=lambda run: int(run["domains"])),
        "records": [*records, *shares],
    }
    return Result({**results[0], **joined})


def _require_once(runs: Sequence[dict[str, Any]]) -> None:
    seen: set[tuple[int, int]] = set()
    for run in runs:
        for mesh in run["meshes"]:
            case = (run["domains"], mesh["vertices"])
            if case in seen:
                raise InvalidInputError(
                    f"{case[1]} vertices on {case[0]} domains were measured twice (a page shows "
                    "one measurement of each). Name files of different runs."
                )
            seen.add(case)
