# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a study would do: points, runs, core hours; for `--dry-run`."""

from __future__ import annotations

from dataclasses import dataclass

from halocline.study.load import Study
from halocline.units import duration_s


@dataclass(frozen=True)
class Costs:
    """Runs and core hours; the hours are bounds by the time limit of a run."""

    trials: int
    noise_runs: int
    least_runs: int
    most_runs: int
    core_hours_bound: float


def costs_of(study: Study) -> Costs:
    """Count the runs of a study."""
    run = study.file.run
    twins = study.twins
    trials, noise = len(study.points), 2 * len(twins) * run.noise_rounds
    members = [*study.points, *twins]
    least, most = (trials + noise + rounds * len(members) for rounds in (study.least, study.most))
    cores = sum(point.cores for point in members) / len(members)
    if run.budget_runs is not None:
        least, most = min(least, run.budget_runs), min(most, run.budget_runs)
    bound_s = most * duration_s(run.time_limit)
    if run.budget_time is not None:
        bound_s = min(bound_s, duration_s(run.budget_time))
    return Costs(trials, noise, least, most, bound_s * cores / 3600)
