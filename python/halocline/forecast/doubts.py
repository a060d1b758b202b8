# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sentences on what makes a forecast worth less."""

from __future__ import annotations

from collections.abc import Sequence

from halocline.forecast.costs import Costs
from halocline.forecast.measured import Run
from halocline.forecast.model import Machine
from halocline.forecast.validation import Check
from halocline.wording import counted

#: Beyond so many times the most ranks measured nothing but the model speaks.
FAR = 8
LARGE_ERROR = 0.15
#: Threads without a core for longer were held up by other work.
HELD_UP = 0.05


def doubts(
    runs: Sequence[Run],
    costs: Costs,
    machine: Machine,
    checks: Sequence[Check],
    asked: Sequence[int],
) -> list[str]:
    """Return what a reader must know before believing a number."""
    found = []
    crowded = sorted({run.ranks for run in runs if run.crowding > 1.0})
    if crowded:
        names = ", ".join(str(ranks) for ranks in crowded)
        found.append(
            f"Runs on {names} ranks shared cores or GPUs: their times are the scheduler's as much "
            "as the program's, and no cost is taken from them."
            if len(crowded) < len({run.ranks for run in runs})
            else "Every measured run shared cores or GPUs: so all costs are those of a crowd."
        )
    held_up = [run for run in runs if (run.held_up or 0.0) > HELD_UP]
    if held_up:
        worst_run = max(held_up, key=lambda run: run.held_up or 0.0)
        found.append(
            f"Other work held measured runs up: threads of that on {worst_run.ranks} ranks had no "
            f"core for {100 * (worst_run.held_up or 0.0):.0f} % of its cycles. Measure on a quiet "
            "machine."
        )
    wanted = machine.busy_cores(max(asked))
    if wanted > costs.busy_cores:
        found.append(
            f"Hosts would keep {counted(wanted, 'GPU' if costs.on_devices else 'core')} busy, "
            f"measured are {costs.busy_cores}: how much more they wait for memory is extended "
            "along the last measured numbers, or taken as nothing where there is one."
        )
    if max(asked) > FAR * max(run.ranks for run in runs):
        found.append(
            f"The largest measured job has {counted(max(run.ranks for run in runs), 'rank')}: "
            "beyond a few times that nothing but the model speaks."
        )
    if not checks:
        found.append("One number of ranks is measured: nothing could be left out and predicted.")
    roomy = [check for check in checks if check.crowding == 1.0]
    if checks and not roomy:
        found.append("No point with a core for each thread could be checked.")
    worst = max((abs(check.error) for check in roomy), default=0.0)
    if worst > LARGE_ERROR:
        found.append(f"The model missed a point that was left out by {100 * worst:.0f} %.")
    if costs.packing_s_per_byte == 0.0 and not costs.on_devices:
        found.append("No run tells what packing costs: it is taken as nothing.")
    return found
