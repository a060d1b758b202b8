# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What messages of a measured run cost beyond their link: late neighbours, calls of MPI.

A link is measured by a ping-pong of two ranks that do nothing else. In a run a rank waits for
neighbours that are not there yet, the longer the more it has. What a message waited in the base run
is taken to stay; docs/decisions/0099-full-hosts.md shows how far that is true.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from halocline.forecast.costs import Costs
from halocline.forecast.machine import Machine
from halocline.forecast.measured import Exchange, LoopCost
from halocline.forecast.messages import messages_of_rank
from halocline.forecast.model import exposed_seconds, loop_waits
from halocline.forecast.parts import Division


def with_late_waits(costs: Costs, division: Division, machine: Machine) -> Costs:
    """Return costs that know what a message of each loop waits for, seen in the base run.

    Args:
        costs: of runs whose base has several ranks, else nothing is known.
        division: the mesh as the base run had it.
        machine: of the base run.
    """
    if division.parts == 1 or costs.on_devices:
        return costs
    late = {
        loop.key: _late_s(loop, loop.exchange, costs, division, machine)
        for loop in costs.loops
        if loop.exchange is not None
        and max(loop.level, loop.set_level, loop.exchange.level) < len(division.levels)
    }
    return replace(costs, late_s=late)


def _late_s(
    loop: LoopCost, exchange: Exchange, costs: Costs, division: Division, machine: Machine
) -> float:
    """Seconds of a message; of one that goes to all ranks, of the exchange."""
    level = division.levels[loop.set_level]
    waits = loop_waits(loop, division, machine, costs.packing_s_per_byte)
    computed = costs.curves[loop.code](level.of_set(loop.set, loop.elements))
    known = exposed_seconds(loop, level, computed, waits) + waits.packing
    slowest = int(np.argmax(computed + known))  # as a prediction counts
    count = messages_of_rank(exchange, division) * exchange.times / loop.calls
    return max(0.0, loop.waited_s - float(known[slowest])) / count if count > 0.0 else 0.0
