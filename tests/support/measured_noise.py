# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Times as machines give them: skewed, drifting, with outliers, in rounds of random order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Noise = Callable[[np.random.Generator, int], NDArray[np.float64]]


def skewed(random: np.random.Generator, count: int) -> NDArray[np.float64]:
    """A fixed time and an exponential delay on top, as of a job that is sometimes disturbed."""
    return 1.0 + 0.05 * random.exponential(size=count)


def drifting(random: np.random.Generator, count: int) -> NDArray[np.float64]:
    """A machine that gets slower by a half while it is measured, and jitters."""
    return (1.0 + 0.5 * np.arange(count) / count) * random.lognormal(0.0, 0.02, count)


def with_outliers(random: np.random.Generator, count: int) -> NDArray[np.float64]:
    """One run in ten takes up to five times as long."""
    hit = random.random(count) < 0.1
    return random.lognormal(0.0, 0.02, count) * np.where(hit, random.uniform(2, 5, count), 1.0)


def in_bursts(random: np.random.Generator, count: int) -> NDArray[np.float64]:
    """A neighbour who comes and goes for several runs at a time."""
    busy = np.zeros(count, dtype=bool)
    for run in range(1, count):
        busy[run] = random.random() < (0.8 if busy[run - 1] else 0.1)
    return random.lognormal(0.0, 0.02, count) * np.where(busy, 1.3, 1.0)


KINDS: dict[str, Noise] = {
    "skewed": skewed,
    "drifting": drifting,
    "with outliers": with_outliers,
    "in bursts": in_bursts,
}


def rounds_of(
    noise: Noise, factors: list[float], rounds: int, random: np.random.Generator
) -> NDArray[np.float64]:
    """Return times (settings, rounds): each round runs every setting once, in random order."""
    settings = len(factors)
    series = noise(random, rounds * settings).reshape(rounds, settings)
    order = np.argsort(random.random((rounds, settings)), axis=1)
    return np.take_along_axis(series, order, axis=1).T * np.asarray(factors)[:, None]
