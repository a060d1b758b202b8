# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Results of halocline-cores as files hold them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MIB = 1 << 20


def row(cores: int, work: str, size: int, rate: float) -> dict[str, Any]:
    """A row of one repetition."""
    return {
        "cores": cores,
        "work": work,
        "set_bytes": size,
        "rate": rate,
        "slowest_rate": rate,
        "repeats": [rate],
    }


def result(
    *counts: int,
    core_rate: float = 2e10,
    saturated_at: float = 6.0,
    clock: Callable[[int], float] = lambda _: 1.0,
    cpu: str = "made up",
) -> dict[str, Any]:
    """A host whose cores are brought `core_rate` bytes a second up to `saturated_at` of them.

    Args:
        counts: numbers of busy cores.
        core_rate: bytes a second of a core alone; four times that where they lie in its own cache.
        saturated_at: busy cores beyond which all together are brought no more.
        clock: of a core by busy cores, 1: the highest.
        cpu: its model.
    """
    rows = []
    for cores in counts:
        shared = core_rate / max(1.0, cores / saturated_at)
        rows += [row(cores, work, 0, 1e10 * clock(cores)) for work in ("multiply_add", "divide")]
        rows.append(row(cores, "triad", MIB // 4, 4 * core_rate))
        rows += [row(cores, "triad", size, shared) for size in (MIB, 256 * MIB)]
        rows.append(row(cores, "gather", MIB, 1e8))
    return {
        "format": "halocline-cores-result",
        "version": 1,
        "code": {"version": "0", "git": "0"},
        "started": "2026-01-01T00:00:00Z",
        "command": ["halocline-cores"],
        "host": "n",
        "cpu": cpu,
        "cores": 64,
        "cache_bytes": MIB,
        "places": ["0"],
        "time_s": 0.01,
        "rows": rows,
    }
