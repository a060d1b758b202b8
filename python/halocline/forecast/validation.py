# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How wrong the model is: measured points are left out and predicted from those of fewer ranks."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from halocline.forecast.costs import costs_of
from halocline.forecast.dividing import Divide
from halocline.forecast.measured import Run
from halocline.forecast.model import Machine, predict
from halocline.forecast.network import Link, link_of_record
from halocline.forecast.solvers import Collectives


@dataclass(frozen=True)
class Check:
    """One point that was left out."""

    ranks: int
    #: Numbers of ranks whose times were used.
    known: tuple[int, ...]
    measured_s: float
    predicted_s: float
    #: Threads that shared a core; such a point says more of the scheduler than of the model.
    crowding: float

    @property
    def error(self) -> float:
        """(predicted − measured) ÷ measured."""
        return self.predicted_s / self.measured_s - 1.0


def validate(
    runs: Sequence[Run],
    divide: Divide,
    inside: Link,
    together: Collectives,
    default: tuple[str, str],
) -> list[Check]:
    """Return a check for each run that has runs of fewer ranks.

    Halo patterns are counts, not times: those of the run itself may be used where no run of fewer
    ranks has any.
    """
    ordered = sorted(runs, key=lambda run: run.ranks)
    checks = []
    for place, run in enumerate(ordered):
        known = [other for other in ordered[:place] if other.ranks < run.ranks]
        if known:
            checks.append(_check(run, known, divide, inside, together, default))
    return checks


def known_s(
    runs: Sequence[Run],
    run: Run,
    divide: Divide,
    inside: Link,
    together: Collectives,
    default: tuple[str, str],
) -> float:
    """Return what the model says of a measured point when it knows all of them."""
    return _predicted_s(run, runs, divide, inside, together, default)


def _check(
    run: Run,
    known: Sequence[Run],
    divide: Divide,
    inside: Link,
    together: Collectives,
    default: tuple[str, str],
) -> Check:
    return Check(
        run.ranks,
        tuple(dict.fromkeys(other.ranks for other in known)),
        run.cycle_s,
        _predicted_s(run, known, divide, inside, together, default),
        run.crowding,
    )


def _predicted_s(
    run: Run,
    known: Sequence[Run],
    divide: Divide,
    inside: Link,
    together: Collectives,
    default: tuple[str, str],
) -> float:
    """Predict a run on its own machine; `known` runs tell what things cost."""
    link = link_of_record(run.record) if run.record.halo.network_model else None
    division = divide(run.ranks, *(run.partitioner or default))
    costs = costs_of(known, [*known, run])
    return predict(costs, division, _machine_of(run, link or inside), together).seconds


def _machine_of(run: Run, link: Link) -> Machine:
    """The machine of a measured run."""
    gpus = run.record.layout.gpus
    cores = gpus if run.on_devices else run.cores
    machine = Machine(link, link, run.ranks_of_host, cores, run.record.layout.threads_per_rank)
    return dataclasses.replace(machine, threads=1) if run.on_devices else machine
