# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sentences on what makes a forecast worth less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from halocline.forecast.costs import Costs
from halocline.forecast.machine import Machine
from halocline.forecast.measured import HELD_UP, Run
from halocline.forecast.validation import Check
from halocline.wording import counted

#: Beyond so many times the most ranks measured, no measurement supports the model.
FAR = 8
LARGE_ERROR = 0.15
#: A share of a cycle that is worth a sentence.
MUCH = 0.5


def doubts(
    runs: Sequence[Run],
    costs: Costs,
    machine: Machine,
    checks: Sequence[Check],
    asked: Sequence[int],
) -> list[str]:
    """Return what a reader must know before believing a number."""
    found = [*_of_runs(runs), *_of_extent(runs, costs, machine, max(asked)), *_of_checks(checks)]
    if costs.of_one_size > MUCH:
        found.append(
            f"Loops of which one size was measured take {100 * costs.of_one_size:.0f} % of a "
            "cycle: that small parts lie in caches is not known of them."
        )
    found += _of_iterations(runs)
    found += _of_other_processors(runs, costs)
    if costs.packing_s_per_byte == 0.0 and not costs.on_devices:
        found.append("No run tells what packing costs: it is taken as nothing.")
    return found


def _of_iterations(runs: Sequence[Run]) -> Iterator[str]:
    """What a mean over the first steps is worth."""
    counts = [run.iterations for run in runs if run.iterations is not None]
    if counts:
        fewest = min(run.cycles for run in runs)
        yield (
            f"A step has {counts[0]:.1f} iterations of the pressure here, the mean of the first "
            f"{counted(fewest, 'step')}: later ones may have more or fewer."
        )
    if counts and max(counts) > 1.01 * min(counts):
        yield (
            f"Measured runs have {min(counts):.1f} to {max(counts):.1f} iterations a step: they "
            "are not of the same steps. Measure all with the same --cycles."
        )


def _of_runs(runs: Sequence[Run]) -> Iterator[str]:
    """What is wrong with what was measured."""
    crowded = sorted({run.ranks for run in runs if run.crowding > 1.0})
    if crowded and len(crowded) < len({run.ranks for run in runs}):
        yield (
            f"Runs on {', '.join(map(str, crowded))} ranks shared cores or GPUs: their times are "
            "the scheduler's as much as the program's, and no cost is taken from them."
        )
    elif crowded:
        yield "Every measured run shared cores or GPUs: so all costs are those of a crowd."
    worst = max(runs, key=lambda run: run.held_up or 0.0)
    held_up = worst.held_up or 0.0
    if held_up > HELD_UP:
        yield (
            f"Other work held measured runs up: threads of that on {worst.ranks} ranks had no "
            f"core for {100 * held_up:.0f} % of its cycles, so what they waited for is left out. "
            "Measure on a quiet machine."
        )


def _of_extent(runs: Sequence[Run], costs: Costs, machine: Machine, most: int) -> Iterator[str]:
    """How far `most` ranks are from what was measured."""
    wanted = machine.busy_cores(most)
    if wanted > costs.busy_cores:
        yield _of_busy_cores(costs, wanted)
    largest = max(run.ranks for run in runs)
    if most > FAR * largest:
        yield (
            f"The largest measured job has {counted(largest, 'rank')}: beyond a few times that "
            "forecasts rest on the model alone."
        )


def _of_busy_cores(costs: Costs, wanted: int) -> str:
    """More cores of a host than were measured with the case."""
    start = (
        f"Hosts would keep {counted(wanted, 'GPU' if costs.on_devices else 'core')} busy, "
        f"measured are {costs.busy_cores}: "
    )
    if costs.host is None:
        advice = "" if costs.on_devices else " Measure them: halocline cores, --cores."
        return (
            f"{start}how much more they wait for memory is extended along the last measured "
            f"numbers, or taken as nothing where there is one.{advice}"
        )
    if wanted > costs.host.most_cores:
        return (
            f"{start}what more do to each other was measured without the case up to "
            f"{costs.host.most_cores}, and is extended along the last two numbers."
        )
    return (
        f"{start}what more do to each other is computed from what a core moves and computes "
        "beside them, measured without the case."
    )


def _of_other_processors(runs: Sequence[Run], costs: Costs) -> Iterator[str]:
    """What busy cores do to each other is of one processor, runs are of another."""
    models = {host.cpu for run in runs for host in run.record.hosts if host.cpu}
    if costs.host is not None and costs.host.cpu and models and costs.host.cpu not in models:
        yield (
            f"{costs.host.origin} is of a {costs.host.cpu}, runs are of {', '.join(sorted(models))}"
            ": what busy cores do to each other may differ. Measure both on one machine."
        )


def _of_checks(checks: Sequence[Check]) -> Iterator[str]:
    """What points that were left out say of the model."""
    if not checks:
        yield "One number of ranks is measured: nothing could be left out and predicted."
    roomy = [check for check in checks if check.crowding == 1.0]
    if checks and not roomy:
        yield "No point with a core for each thread could be checked."
    worst = max((abs(check.error) for check in roomy), default=0.0)
    if worst > LARGE_ERROR:
        yield f"The model missed a point that was left out by {100 * worst:.0f} %."
