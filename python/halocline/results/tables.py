# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Hands results to xarray."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from halocline.errors import MissingEnvironmentError, UsageError

if TYPE_CHECKING:
    from halocline.results.field import Field
    from halocline.results.run import Run


def to_xarray(run: Run, names: Sequence[str] | None, level: int | None) -> Any:
    """Return fields of one level as an `xarray.Dataset`; see `Run.to_xarray`."""
    try:
        import xarray
    except ImportError:
        raise MissingEnvironmentError(
            "xarray is not installed. Run: pip install 'halocline[xarray]'."
        ) from None
    chosen = [run.field(name, level) for name in (names or _names(run, level))]
    if not chosen:
        raise UsageError(f"{run.path} has no field. Name a run that wrote results.")
    steps = reduce(np.intersect1d, (field.steps for field in chosen))
    times = [float(chosen[0].times[chosen[0].position(int(step))]) for step in steps]
    coordinates: dict[str, Any] = {"step": steps, "time": ("step", times, _unit(run.time_unit))}
    if chosen[0].level in run.levels_with_mesh:
        points = run.mesh(chosen[0].level).points
        coordinates |= {axis: ("node", points[:, i]) for i, axis in enumerate("xyz")}
    variables = {field.name: _variable(field, steps.tolist()) for field in chosen}
    return xarray.Dataset(variables, coordinates, {"solver": run.solver, "path": str(run.path)})


def _names(run: Run, level: int | None) -> list[str]:
    if level is None:
        return list(run.fields)
    return [field.name for field in run.all_fields if field.level == level]


def _variable(field: Field, steps: list[int]) -> Any:
    values = np.stack([field.at(step=step) for step in steps])
    dimensions = ("step", "node") if values.ndim == 2 else ("step", "node", f"{field.name}_part")
    return dimensions, values, _unit(field.unit)


def _unit(unit: str) -> dict[str, str]:
    return {"units": unit} if unit else {}
