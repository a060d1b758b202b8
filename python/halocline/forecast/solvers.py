# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a forecast must know of a solver beyond its records: what all ranks tell each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from halocline.errors import UsageError, suggestion
from halocline.forecast.measured import Run


@dataclass(frozen=True)
class Collectives:
    """Calls of a cycle or step in which all ranks take part."""

    #: Minima and maxima of one number.
    reductions: float = 0.0
    #: Exact sums, which travel as `EXACT_SUM_BYTES`.
    exact_sums: float = 0.0


@dataclass(frozen=True)
class Solver:
    """A solver that can be forecast."""

    #: Changes of the case that end a run after so many cycles or steps.
    few: Callable[[int], list[str]]
    together: Callable[[Run], Collectives]


#: The state of an exact sum (loop/exact_sum.hpp): four digits, the top one, what is not finite.
EXACT_SUM_BYTES = 48.0
#: In each cycle or step all ranks agree whether the run goes on.
GOING_ON = 1.0
#: Sums of double numbers over all ranks at the end of a loop: one for each number.
SUMS = {
    "operator": 1,
    "begin": 2,
    "last_sweep": 2,
    "multiply": 2,
    "advance": 1,
    "first_products": 2,
    "second_products": 3,
    "sum_nodes": 1,
    "measure_change": 1,
    "advance_3": 1,
}
#: Of the method `single_reduction`, all of whose products are of one loop.
SUMS_AT_ONCE = SUMS | {"operator": 3}
LARGEST = {"predict": 1, "predict_stage": 1}


def _of_mgcfd(run: Run) -> Collectives:
    """Per visit of a level a least time step, and sums of changes and of bad nodes.

    Levels are visited down and up again, the coarsest and finest once: 2 levels − 2 visits. Counted
    by `halocline snapshot`: tests do it again.
    """
    levels = len(run.levels)
    visits = 1 if levels == 1 else 2 * levels - 2
    return Collectives(visits + GOING_ON, 2.0 * visits)


def _of_loops(run: Run) -> Collectives:
    """Count loops that end with numbers of all ranks; levels that each has whole have none.

    The first product of a solve by the method `single_reduction` is one sum, not three. Counted by
    `halocline snapshot`, too: tests do it again.
    """
    solvers = run.record.linear_solvers
    at_once = bool(solvers) and solvers[0].method == "single_reduction"
    sums = _calls(run, SUMS_AT_ONCE if at_once else SUMS)
    if at_once:
        sums -= 2.0 * _calls(run, {"begin": 1})
    return Collectives(_calls(run, LARGEST) + GOING_ON, sums)


def _calls(run: Run, numbers: Mapping[str, int]) -> float:
    whole = len(run.levels) if run.first_whole is None else run.first_whole
    return sum(loop.calls * numbers.get(loop.name, 0) for loop in run.loops if loop.level < whole)


SOLVERS = {
    "mgcfd": Solver(lambda cycles: [f"solver.cycles={cycles}"], _of_mgcfd),
    "incompressible": Solver(
        lambda steps: [f"solver.steps={steps}", "solver.steady=false"], _of_loops
    ),
    # Steps may be shorter than the mesh allows, not longer; how long they are costs nothing.
    "advection_diffusion": Solver(
        lambda steps: [f"solver.steps={steps}", "solver.end_time=1e-9"], _of_loops
    ),
}


def solver_of(name: str, source: str) -> Solver:
    """Return what is known of a solver."""
    if name not in SOLVERS:
        known = ", ".join(SOLVERS)
        raise UsageError(
            f"{source}: key 'solver.name' is '{name}' (what all its ranks do together is not "
            f"known). {suggestion(name, list(SOLVERS))} Forecasts are of {known}."
        )
    return SOLVERS[name]
