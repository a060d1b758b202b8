# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Divides the mesh of a case into as many parts as there will be ranks, on the cores here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from halocline.forecast.linear_levels import LevelSize
from halocline.forecast.parts import Division, read_division, whole_mesh
from halocline.mesh.partition import PartitionJob, partition_mesh
from halocline.terminal import note

#: A link is given so that none is measured: what it would foretell is not used.
NO_LINK = "1,1"
Divide = Callable[[int, str, str], Division]


@dataclass
class Divider:
    """Divides one mesh; each division is made once."""

    mesh: Path
    legacy: bool
    levels: tuple[LevelSize, ...]
    #: Whether levels but the finest are those of a pressure solver.
    makes_levels: bool = False
    #: The first of them that every rank has whole.
    first_whole: int | None = None

    def __post_init__(self) -> None:
        self._made: dict[tuple[int, str, str], Division] = {}

    def __call__(self, parts: int, partitioner: str, method: str) -> Division:
        """Return the mesh in `parts` parts."""
        if parts == 1:
            return whole_mesh(self.levels, 1 if self.makes_levels else None)
        key = (parts, partitioner, method)
        if key not in self._made:
            note(f"dividing the mesh into {parts} parts by {partitioner} {method}")
            job = PartitionJob(
                mesh=self.mesh,
                parts=parts,
                partitioner=partitioner,
                method=method,
                link=NO_LINK,
                legacy=self.legacy,
                per_part=True,
                pressure_levels=self.makes_levels,
            )
            self._made[key] = read_division(partition_mesh(job), self.first_whole)
        return self._made[key]
