# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How wrong the model is: measured points are left out and predicted from those of fewer ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halocline.forecast.busy_host import BusyHost
from halocline.forecast.costs import Costs, base_of, costs_of
from halocline.forecast.dividing import Divide
from halocline.forecast.late import with_late_waits
from halocline.forecast.machine import Machine
from halocline.forecast.measured import HELD_UP, Run
from halocline.forecast.model import predict
from halocline.forecast.network import Link, link_of_record
from halocline.forecast.solvers import Collectives

#: Halo schemes of devices whose messages pass through the host.
STAGED = ("packed", "neighbour", "whole")


@dataclass(frozen=True)
class Setting:
    """What is the same for all measured points."""

    divide: Divide
    #: Between ranks of a host.
    inside: Link
    #: Between GPU and host.
    device: Link | None
    together: Collectives
    #: Partitioner and method of runs on one rank.
    default: tuple[str, str]
    #: What busy cores do to each other.
    host: BusyHost | None = None


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


def validate(runs: Sequence[Run], setting: Setting) -> list[Check]:
    """Return a check for each run that has runs of fewer ranks.

    Halo patterns are counts, not times: those of the run itself may be used where no run of fewer
    ranks has any.
    """
    ordered = sorted(runs, key=lambda run: run.ranks)
    checks = []
    for place, run in enumerate(ordered):
        known = [other for other in ordered[:place] if other.ranks < run.ranks]
        if known:
            checks.append(
                Check(
                    run.ranks,
                    tuple(dict.fromkeys(other.ranks for other in known)),
                    run.cycle_s,
                    predicted_s(run, known, setting),
                    run.crowding,
                )
            )
    return checks


def predicted_s(run: Run, known: Sequence[Run], setting: Setting) -> float:
    """Return what a cycle of a run takes by the model; `known` runs tell what things cost."""
    division = setting.divide(run.ranks, *(run.partitioner or setting.default))
    costs = known_costs(known, setting, [*known, run])
    return predict(costs, division, _machine_of(run, setting), setting.together).seconds


def known_costs(
    runs: Sequence[Run], setting: Setting, patterns: Sequence[Run] | None = None
) -> Costs:
    """Return costs of runs, and what messages of the base run waited for beyond their links.

    What a run waited for that had to share cores, or was held up, is not the program's.
    """
    costs, base = costs_of(runs, patterns, setting.host), base_of(runs)
    if base.ranks == 1 or base.crowding > 1.0 or (base.held_up or 0.0) > HELD_UP:
        return costs
    division = setting.divide(base.ranks, *(base.partitioner or setting.default))
    return with_late_waits(costs, division, _machine_of(base, setting))


def _machine_of(run: Run, setting: Setting) -> Machine:
    """The machine of a measured run; between its hosts lies the link that it found there."""
    own = link_of_record(run.record)
    modelled = run.record.halo.network_model is not None
    network = own if own and (modelled or len(run.record.hosts) > 1) else setting.inside
    inside = network if modelled else setting.inside
    if not run.on_devices:
        threads = run.record.layout.threads_per_rank
        return Machine(network, inside, run.ranks_of_host, run.cores, threads)
    staged = run.record.halo.scheme in STAGED
    device = setting.device if staged else None
    return Machine(network, inside, run.ranks_of_host, run.record.layout.gpus, 1, device)
