# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Where it stops scaling, and why, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from halocline.forecast.model import Prediction
from halocline.forecast.report import Forecast

HALF = 0.5
MEANINGS = {
    "work": "computing, which all ranks share",
    "calls": "the fixed cost of calls of loops",
    "cut": "elements at cuts, which two ranks compute",
    "imbalance": "parts that are larger than the mean",
    "sharing": "cores of a host that share its memory, or each other",
    "packing": "packing and storing halos",
    "latency": "latency of messages",
    "late": "waiting for neighbours that are late, and for MPI",
    "bandwidth": "bandwidth of the network",
    "sums": "sums over all ranks (and minima and maxima)",
    "rest": "what a cycle does outside loops",
}


def efficiencies(rows: Sequence[Prediction], base: Prediction) -> list[float]:
    """Return T(base) P(base) ÷ (T(P) P) of each row."""
    cost = base.seconds * base.division.parts
    return [cost / (row.seconds * row.division.parts) for row in rows]


def largest_loss(row: Prediction) -> tuple[str, float]:
    """Return the component other than work that costs most, and its share of the cycle."""
    losses = {name: value for name, value in row.components.items() if name != "work"}
    name = max(losses, key=lambda one: losses[one])
    return name, losses[name] / row.seconds


def coarse_share(row: Prediction) -> float:
    """Return the share of the levels below the finest."""
    return sum(row.by_level[1:]) / row.seconds


def what_all_do(forecast: Forecast) -> str:
    """Return a sentence on what all ranks do together in a cycle."""
    sums = f"{forecast.reductions + forecast.exact_sums:.0f} sums over all ranks"
    if forecast.iterations is None:
        return f"A cycle has {sums}."
    words = f"A step has {forecast.iterations:.1f} iterations of the pressure and {sums}"
    if forecast.whole_from is None:
        return f"{words}."
    return f"{words}; levels from {forecast.whole_from} on are whole on every rank."


def where_it_stops(rows: Sequence[Prediction], base: Prediction) -> str:
    """Return a sentence on a partitioner's rows, ascending by ranks."""
    efficiency = efficiencies(rows, base)
    fastest = min(range(len(rows)), key=lambda at: rows[at].seconds)
    below = next((at for at, value in enumerate(efficiency) if value < HALF), None)
    if fastest < len(rows) - 1:
        at = fastest + 1
        start = (
            f"More than {rows[fastest].division.parts:,} ranks make it slower "
            f"({rows[fastest].division.parts:,} are the fastest of those asked)"
        )
    elif below is not None:
        at = below
        start = f"Efficiency falls below 50 % at {rows[at].division.parts:,} ranks"
    else:
        at = len(rows) - 1
        start = (
            f"It still scales at {rows[at].division.parts:,} ranks (efficiency "
            f"{100 * efficiency[at]:.0f} %)"
        )
    name, share = largest_loss(rows[at])
    coarse = coarse_share(rows[at])
    return (
        f"{start}: of a cycle on {rows[at].division.parts:,} ranks {100 * share:.0f} % is "
        f"{MEANINGS[name]}, and {100 * coarse:.0f} % is spent on coarse levels."
    )
