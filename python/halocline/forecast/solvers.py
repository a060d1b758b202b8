# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a forecast must know of a solver beyond its records: how often all ranks add up numbers."""

from __future__ import annotations

from collections.abc import Callable

from halocline.errors import UsageError


def _mgcfd(levels: int) -> float:
    """Return SUMS_OF_VISIT a visit of a level; levels are visited down and up again."""
    visits = 1 if levels == 1 else 2 * levels - 2
    return float(SUMS_OF_VISIT * visits)


def _one(_levels: int) -> float:
    return 1.0


SUMS_OF_VISIT = 2
SUMS: dict[str, Callable[[int], float]] = {"mgcfd": _mgcfd, "advection_diffusion": _one}


def sums_of_cycle(solver: str, levels: int, source: str) -> float:
    """Return how many reductions over all ranks a cycle or step of a solver does."""
    if solver not in SUMS:
        known = " and ".join(SUMS)
        raise UsageError(
            f"{source}: key 'solver.name' is '{solver}', whose levels are made while it runs (a "
            f"division of the mesh files does not tell their halos). Forecasts are of {known}."
        )
    return SUMS[solver](levels)
