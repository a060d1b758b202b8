# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a message costs whose partner is ready (docs/formats/snapshot-raw.md, "Waiting").

The quickest of millions of calls found its message there already, so it says little of what a
message costs; nearly all calls of a rank that others wait for do. The time within which a quarter
of a rank's calls end is therefore taken, on the rank where it is least. No network needs more than
100 us and 10 ns a byte, so more is waiting; no rank hands over a message in less than 2 us and
0.1 ns a byte whatever happens, so less is none.
"""

from __future__ import annotations

from collections.abc import Sequence

from halocline.snapshot.raw import RawRank

# A quarter of fewer calls is chance; where no rank has as many, those there are must do.
FEW_CALLS = 16

Prices = dict[tuple[str, int], float]


def prices_of(ranks: Sequence[RawRank]) -> Prices:
    """Return the price in nanoseconds of a call by function and size class."""
    quick: dict[tuple[str, int], list[tuple[bool, int]]] = {}
    for raw in ranks:
        for function in raw.functions:
            known = dict(function.quick_ns)
            for size, calls, _, _, min_ns in function.histogram:
                if min_ns is not None:
                    entry = (calls < FEW_CALLS, known.get(size, min_ns))
                    quick.setdefault((function.name, size), []).append(entry)
    return {key: _bounded(min(found)[1], key[1]) for key, found in quick.items()}


def _bounded(quick_ns: int, size: int) -> float:
    bytes_at_most = 1 << size
    least, most = 2_000 + 0.1 * bytes_at_most, 100_000 + 10.0 * bytes_at_most
    return min(max(quick_ns, least), most)
