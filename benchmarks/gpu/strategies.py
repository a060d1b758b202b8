# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of device strategies: milliseconds of a call by loop, whole runs, differences."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

import h5py
import numpy as np

STRATEGIES = ("gather", "once")
LEVELS = range(4)


def record(path: Path) -> dict[str, Any]:
    """A run's record."""
    loaded: dict[str, Any] = json.loads(path.read_text())
    return loaded


def call_ms(run: dict[str, Any]) -> dict[tuple[str, int], float]:
    """Milliseconds of one call, by loop and level, of loops that change nodes through maps."""
    return {
        (loop["name"], loop["level"]): 1e3 * loop["seconds"] / loop["calls"]
        for loop in run["loops"]
        if loop["strategy"] in STRATEGIES
    }


def print_loops(work: Path, name: str) -> None:
    """Loops of all levels by both strategies."""
    gather = call_ms(record(work / f"{name}-gather-bound.record.json"))
    once = call_ms(record(work / f"{name}-once-bound.record.json"))
    print(f"{'loop':<24} {'gather ms':>10} {'once ms':>10} {'ratio':>6}")
    for key in sorted(gather, key=lambda key: (key[1], key[0])):
        ratio = once[key] / gather[key]
        label = f"{key[0]} L{key[1]}"
        print(f"{label:<24} {gather[key]:>10.4f} {once[key]:>10.4f} {ratio:>6.2f}")


def states(work: Path, run: str) -> list[Any]:
    """States of all levels at the end."""
    found = []
    for level in LEVELS:
        with h5py.File(work / f"{run}.variables.L{level}.cycles=25.h5") as file:
            found.append(np.asarray(file[next(iter(file))]))
    return found


def difference(work: Path, run: str, judge: str) -> float:
    """Largest difference of two runs' states, relative to the level's largest value."""
    return max(
        float(np.max(np.abs(a - b)) / np.max(np.abs(b)))
        for a, b in zip(states(work, run), states(work, judge), strict=True)
    )


def print_runs(work: Path, name: str) -> None:
    """Seconds of 25 cycles, and how far results are from those of the cores."""
    for strategy in STRATEGIES:
        times = [
            record(work / f"{name}-{strategy}-graph-{i}.record.json")["results"]["compute_s"]
            for i in (1, 2, 3)
        ]
        worst = difference(work, f"{name}-{strategy}-kernels", f"{name}-cores")
        print(
            f"{name} {strategy:<8} {median(times):.4f} s ({min(times):.4f}-{max(times):.4f})"
            f"  largest difference from cores {worst:.1e} of the largest value"
        )


def print_ranks(work: Path, name: str) -> None:
    """How far results on one to three ranks are from those of the serial back end."""
    for strategy in STRATEGIES:
        worst = [difference(work, f"{name}-{strategy}-{r}", f"{name}-cores") for r in (1, 2, 3)]
        print(f"{name} {strategy:<8} on 1, 2, 3 ranks: {', '.join(f'{w:.1e}' for w in worst)}")


if __name__ == "__main__":
    folder, names = Path(sys.argv[1]), sys.argv[2:]
    for name in names:
        if len(names) > 1:
            print_ranks(folder, name)
        else:
            print_loops(folder, name)
            print_runs(folder, name)
