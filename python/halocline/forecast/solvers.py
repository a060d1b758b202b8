# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a forecast must know of a solver beyond its records: what all ranks tell each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from halocline.errors import UsageError


@dataclass(frozen=True)
class Collectives:
    """Calls of a cycle or step in which all ranks take part."""

    #: Minima and maxima of one number.
    reductions: float = 0.0
    #: Exact sums, which travel as `EXACT_SUM_BYTES`.
    exact_sums: float = 0.0


#: The state of an exact sum (loop/exact_sum.hpp): four digits, the top one, what is not finite.
EXACT_SUM_BYTES = 48.0


def _mgcfd(levels: int) -> Collectives:
    """Per visit of a level a least time step, and sums of changes and of bad nodes.

    Levels are visited down and up again, the coarsest and finest once: 2 levels − 2 visits. Counted
    by `halocline snapshot`: tests do it again.
    """
    visits = 1 if levels == 1 else 2 * levels - 2
    return Collectives(visits + 1.0, 2.0 * visits)


SOLVERS: dict[str, Callable[[int], Collectives]] = {"mgcfd": _mgcfd}


def collectives_of(solver: str, levels: int, source: str) -> Collectives:
    """Return what all ranks of a solver do together in a cycle."""
    if solver not in SOLVERS:
        known = " and ".join(SOLVERS)
        raise UsageError(
            f"{source}: key 'solver.name' is '{solver}' (levels that it makes while it runs, and "
            f"what all its ranks do together, are not known). Forecasts are of {known}."
        )
    return SOLVERS[solver](levels)
