# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a run left behind, as one object: record, fields, steps, meshes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from halocline.errors import MissingEnvironmentError, UsageError, suggestion
from halocline.results.field import Field, in_brackets, steps_text
from halocline.results.mesh import Mesh
from halocline.results.time_series import TimeSeries

if TYPE_CHECKING:
    from halocline.record.model import Record


class Run:
    """Results of one run; `halocline.open` returns it.

    Attributes:
        path: what was opened.
        record: the run record; None where there is none (yet).
        series: what was measured over the steps; None where nothing was.
        solver: name of the solver; "" where no file says it.
        time_unit: unit of `times`; "1" where they have none, "" where they count steps.
    """

    def __init__(  # noqa: PLR0913 - most are named where it is called
        self,
        path: Path,
        fields: Sequence[Field],
        meshes: Mapping[int, Mesh],
        *,
        record: Record | None = None,
        series: TimeSeries | None = None,
        solver: str = "",
        time_unit: str = "",
    ) -> None:
        self.path = path
        self.record = record
        self.series = series
        self.solver = solver
        self.time_unit = time_unit
        self._fields = {(field.level, field.name): field for field in fields}
        self._meshes = dict(meshes)

    @property
    def fields(self) -> dict[str, Field]:
        """Name → field, of the finest level that has any."""
        finest = min((level for level, _ in self._fields), default=0)
        return {name: field for (level, name), field in self._fields.items() if level == finest}

    @property
    def all_fields(self) -> list[Field]:
        """Fields of all levels, the finest first."""
        return list(self._fields.values())

    @property
    def levels(self) -> list[int]:
        """Levels that have a field or a mesh."""
        return sorted({level for level, _ in self._fields} | set(self._meshes))

    @property
    def levels_with_mesh(self) -> list[int]:
        """Levels whose mesh is known."""
        return sorted(self._meshes)

    @property
    def steps(self) -> npt.NDArray[np.int64]:
        """Numbers of all steps that some field has."""
        return np.unique([step for field in self.all_fields for step in field.steps]).astype(
            np.int64
        )

    @property
    def times(self) -> npt.NDArray[np.float64]:
        """Times of these steps; the steps themselves where the run does not count time."""
        pairs = {
            int(step): float(time)
            for field in self.all_fields
            for step, time in zip(field.steps, field.times, strict=True)
        }
        return np.array([pairs[int(step)] for step in self.steps])

    def field(self, name: str, level: int | None = None) -> Field:
        """Return a field of a level; of the finest when none is named.

        Raises:
            UsageError: there is none of that name; it names those there are.
        """
        known = (
            self.fields
            if level is None
            else {have: field for (on, have), field in self._fields.items() if on == level}
        )
        if name not in known:
            where = "" if level is None else f" on level {level}"
            raise UsageError(f"{self.path} has no field '{name}'{where}. {suggestion(name, known)}")
        return known[name]

    def mesh(self, level: int = 0) -> Mesh:
        """Return the mesh of a level: from the results file, else from the mesh that was read.

        Raises:
            UsageError: no file has it.
        """
        if level not in self._meshes:
            raise UsageError(
                f"{self.path}: the mesh of level {level} is not known (no results file and no run "
                "record leads to it). Name it: halocline.open(..., mesh='FOLDER')."
            )
        return self._meshes[level]

    def at_level(self, level: int, mesh: Mesh | None = None) -> Run:
        """Return the run as if a level were its only one, and its mesh the finest.

        Args:
            level: of the fields.
            mesh: of that level, where it is open already.

        Raises:
            UsageError: the run has fields, but none on that level.
        """
        fields = [field for field in self.all_fields if field.level == level]
        if self._fields and not fields:
            levels = ", ".join(str(have) for have in sorted({have for have, _ in self._fields}))
            raise UsageError(f"{self.path} has no field on level {level}. Known: {levels}.")
        known = mesh or self._meshes.get(level)
        return Run(
            self.path,
            fields,
            {} if known is None else {0: known, level: known},
            record=self.record,
            series=self.series,
            solver=self.solver,
            time_unit=self.time_unit,
        )

    def __getitem__(self, name: str) -> Field:
        return self.field(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __contains__(self, name: object) -> bool:
        return name in self.fields

    def __len__(self) -> int:
        return len(self.fields)

    def to_xarray(self, names: Sequence[str] | None = None, level: int | None = None) -> Any:
        """Return fields as an `xarray.Dataset` with the dimensions step, node and component.

        Reads all steps that the fields share into memory.

        Args:
            names: fields; all of the level when None.
            level: the finest when None.
        """
        from halocline.results.tables import to_xarray

        return to_xarray(self, names, level)

    def to_pyvista(self, step: int | None = None, level: int = 0) -> Any:
        """Return mesh and fields of one step as a `pyvista.UnstructuredGrid`."""
        try:
            from halocline.results.grids import to_pyvista
        except ImportError:
            raise MissingEnvironmentError(
                "pyvista is not installed. Run: pip install 'halocline[plot]'."
            ) from None
        return to_pyvista(self, step, level)

    def __repr__(self) -> str:
        solver = f", {self.solver}" if self.solver else ""
        lines = [f"<run {self.path}{solver}, {steps_text(self.steps)}{self._time_text()}>"]
        levels = {level for level, _ in self._fields}
        for field in self.all_fields:
            unit = in_brackets(field.unit).strip()
            where = f"level {field.level}  " if len(levels) > 1 else ""
            lines.append(f"  {where}{field.name:<16}{unit:<12}{steps_text(field.steps)}".rstrip())
        if self.series is not None:
            lines.append(f"  series: {', '.join(self.series)}")
        return "\n".join(lines)

    def _time_text(self) -> str:
        times = self.times
        if not self.time_unit or len(times) == 0:
            return ""
        unit = "" if self.time_unit == "1" else f" {self.time_unit}"
        return f", time {times[0]:g} … {times[-1]:g}{unit}"
