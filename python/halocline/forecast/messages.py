# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What messages cost: exchanges of halos part by part, sums over all ranks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from halocline.forecast.curve import Numbers
from halocline.forecast.machine import Machine
from halocline.forecast.measured import Exchange
from halocline.forecast.parts import Division, LevelParts
from halocline.forecast.solvers import EXACT_SUM_BYTES, Collectives

REDUCED_BYTES = 8.0


@dataclass(frozen=True)
class Waits:
    """Seconds of one exchange, of each part."""

    latency: Numbers
    travel: Numbers
    packing: Numbers


def exchange_seconds(
    exchange: Exchange, division: Division, machine: Machine, packing_s_per_byte: float
) -> Waits:
    """Return what an exchange takes on each part.

    Messages of a part leave one after another, in both directions at once. All ranks of a host
    share its card: what leaves the host, or arrives, passes there.
    """
    level, parts = division.levels[exchange.level], division.parts
    if exchange.to_all:
        return _to_all_seconds(exchange, level, machine, packing_s_per_byte)
    size = level.link_nodes * exchange.bytes_per_node
    hosts = np.arange(parts) // machine.ranks_per_host
    outside = hosts[level.senders] != hosts[level.receivers]

    def most(weights: Numbers) -> Numbers:
        """The larger of what each part sends and receives."""
        sent = np.bincount(level.senders, weights=weights, minlength=parts)
        received = np.bincount(level.receivers, weights=weights, minlength=parts)
        return np.maximum(sent, received)

    latency = machine.network.latency_s * most(outside.astype(np.float64))
    latency += machine.inside.latency_s * most((~outside).astype(np.float64))
    card = np.bincount(hosts, weights=np.bincount(level.senders, size * outside, parts))
    card = np.maximum(
        card, np.bincount(hosts, weights=np.bincount(level.receivers, size * outside, parts))
    )
    carried = card[hosts] / machine.network.bytes_per_s
    carried += most(size * ~outside) / machine.inside.bytes_per_s
    if machine.device is not None:  # down to the host and up again, one copy each
        has_any = most(np.ones(len(size))) > 0.0
        latency += 2.0 * machine.device.latency_s * has_any
        carried += 2.0 * most(size) / machine.device.bytes_per_s
    return Waits(latency, latency + carried, packing_s_per_byte * most(size))


def messages_of_rank(exchange: Exchange, division: Division) -> float:
    """Return messages that a rank receives, mean over ranks; an exchange with all counts as one."""
    if exchange.to_all:
        return 1.0
    return len(division.levels[exchange.level].senders) / division.parts


def _to_all_seconds(
    exchange: Exchange, level: LevelParts, machine: Machine, packing_s_per_byte: float
) -> Waits:
    """Return what it takes until each part has what all parts have of a level: a message a pair."""
    own = level.nodes if level.sums is None else level.sums
    size, has_any = exchange.bytes_per_node * own, (own > 0.0).astype(np.float64)
    hosts = np.arange(len(own)) // machine.ranks_per_host
    ranks = np.bincount(hosts).astype(np.float64)[hosts]
    senders = np.bincount(hosts, weights=has_any)[hosts]
    carried = np.bincount(hosts, weights=size)[hosts]
    outside = len(own) - ranks
    latency = machine.network.latency_s * np.maximum(has_any * outside, has_any.sum() - senders)
    latency += machine.inside.latency_s * np.maximum(has_any * (ranks - 1.0), senders - has_any)
    card = np.maximum(carried * outside, ranks * (size.sum() - carried))
    travel = card / machine.network.bytes_per_s
    inside = np.maximum(size * (ranks - 1.0), carried - size)
    travel += inside / machine.inside.bytes_per_s
    return Waits(latency, latency + travel, packing_s_per_byte * size * (len(own) - 1.0))


def together_s(together: Collectives, ranks: int, machine: Machine) -> float:
    """Seconds of a cycle in calls of all ranks."""
    return together.reductions * reduction_s(
        ranks, machine, REDUCED_BYTES
    ) + together.exact_sums * reduction_s(ranks, machine, EXACT_SUM_BYTES)


def reduction_s(ranks: int, machine: Machine, size_bytes: float) -> float:
    """Seconds of joining `size_bytes` of each rank over all ranks, by doubling.

    R. Thakur, R. Rabenseifner, W. Gropp, Int. J. High Performance Computing Applications 19, 2005,
    doi:10.1177/1094342005051521, section 4.5.
    """
    inside = min(ranks, machine.ranks_per_host)
    steps = [(inside, machine.inside), (machine.hosts(ranks), machine.network)]
    return sum(
        math.ceil(math.log2(count)) * (link.latency_s + size_bytes / link.bytes_per_s)
        for count, link in steps
        if count > 1
    )
