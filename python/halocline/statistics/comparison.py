# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Whether one setting is faster than another, from pairs of runs made next to each other.

Runs come in rounds; a round runs every setting once, in random order. What slows a round down
slows both runs of its pair down, and, because chance decided who went first, the logarithm of
their ratio is as likely +d as -d where the settings do not differ, however the noise is
distributed and however it drifts. Wilcoxon's signed ranks of these logarithms therefore have a
distribution that is known exactly; the interval of the ratio is what the same test does not
refuse (Hodges and Lehmann: order statistics of the averages of all pairs of logarithms).

Wilcoxon 1945, doi:10.2307/3001968; Hodges and Lehmann 1963, doi:10.1214/aoms/1177704172;
Holm 1979, Scandinavian Journal of Statistics 6, 65-70.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from halocline.statistics.median import Interval
from halocline.statistics.signed_ranks import signed_rank_error, walsh_rank


class Verdict(StrEnum):
    """What a comparison says about the other setting, beside the base."""

    FASTER = "faster"
    SLOWER = "slower"
    NO_DIFFERENCE = "no difference can be told"


@dataclass(frozen=True)
class Comparison:
    """Times of another setting over those of the base.

    `ratio` is the Hodges-Lehmann estimate of other / base (below 1: the other is faster);
    `interval` is None where pairs are too few for one at this level; `error` is the probability
    of signed ranks as far apart by chance, `level` what it had to stay below, and `pairs` the
    number of rounds in which both have a time.
    """

    ratio: float
    interval: Interval | None
    error: float
    level: float
    pairs: int
    verdict: Verdict

    @property
    def gain(self) -> float:
        """The share of the base's time that is saved, e.g. 0.2 for 20 %; negative: lost."""
        return 1.0 - self.ratio


def compare(
    base: Sequence[float], other: Sequence[float], error_rate: float = 0.05, floor: float = 0.0
) -> Comparison:
    """Compare two settings that ran in the same rounds.

    Args:
        base, other: times > 0 (rounds), one a round each; NaN where a round has none.
        error_rate: probability with which a difference may be told where there is none.
        floor: what the base differs from itself (`noise_floor`), as a share; a smaller ratio is
            not told as a difference.

    Raises:
        ValueError: lengths differ, or a time is zero or negative.
    """
    return compare_all(base, {"other": other}, error_rate, floor)["other"]


def compare_all(
    base: Sequence[float],
    others: Mapping[str, Sequence[float]],
    error_rate: float = 0.05,
    floor: float = 0.0,
) -> dict[str, Comparison]:
    """Compare many settings with one base so that all verdicts together keep the error rate.

    Holm's correction: the clearest of m differences has to pass error_rate / m, the next
    error_rate / (m - 1), and so on up to the first that does not. An interval has the level at
    which its setting was tested, so it leaves out 1 where a difference is told.

    Args:
        base: as in `compare`.
        others: times of each other setting by its name, as in `compare`.
        error_rate: probability of one false difference or more among all verdicts.
        floor: as in `compare`.
    """
    logs = {name: _log_ratios(base, times) for name, times in others.items()}
    errors = {name: signed_rank_error(values) for name, values in logs.items()}
    levels = _holm_levels(errors, error_rate)
    return {
        name: _comparison(values, errors[name], levels[name], floor)
        for name, values in logs.items()
    }


def noise_floor(
    first: Sequence[float], second: Sequence[float], confidence: float = 0.95
) -> float | None:
    """Return by how much a setting may differ from itself: the base against the base, A/A.

    Args:
        first, second: times of the same setting (rounds), paired as in `compare`.
        confidence: of the interval of their ratio.

    Returns:
        The larger distance from 1 that the interval reaches, as a share, e.g. 0.03; None where
        pairs are too few.
    """
    interval = compare(first, second, error_rate=1.0 - confidence).interval
    if interval is None:
        return None
    return max(math.exp(abs(math.log(bound))) for bound in (interval.low, interval.high)) - 1.0


def _log_ratios(base: Sequence[float], other: Sequence[float]) -> NDArray[np.float64]:
    """Return log(other / base) (pairs) of the rounds in which both have a time."""
    below, above = np.asarray(base, dtype=float), np.asarray(other, dtype=float)
    if below.shape != above.shape:
        raise ValueError(f"pairs need as many times each, not {len(below)} and {len(above)}")
    both = np.isfinite(below) & np.isfinite(above)
    below, above = below[both], above[both]
    if (below <= 0).any() or (above <= 0).any():
        raise ValueError("times must be above 0 to have a ratio")
    ratios: NDArray[np.float64] = np.log(above) - np.log(below)
    return ratios


def _holm_levels(errors: Mapping[str, float], error_rate: float) -> dict[str, float]:
    """Return the level that each comparison is tested at; after the first failure, that one's."""
    levels: dict[str, float] = {}
    failed: float | None = None
    for place, name in enumerate(sorted(errors, key=lambda name: errors[name])):
        level = error_rate / (len(errors) - place) if failed is None else failed
        if failed is None and errors[name] > level:
            failed = level
        levels[name] = level
    return levels


def _comparison(logs: NDArray[np.float64], error: float, level: float, floor: float) -> Comparison:
    if len(logs) == 0:
        return Comparison(math.nan, None, 1.0, level, 0, Verdict.NO_DIFFERENCE)
    rows, columns = np.triu_indices(len(logs))
    averages = np.sort(0.5 * (logs[rows] + logs[columns]))
    ratio = math.exp(float(np.median(averages)))
    rank = walsh_rank(len(logs), level)
    interval = None
    if rank:
        low, high = float(averages[rank - 1]), float(averages[len(averages) - rank])
        interval = Interval(math.exp(low), math.exp(high), 1.0 - level)
    return Comparison(
        ratio, interval, error, level, len(logs), _verdict(ratio, interval, error <= level, floor)
    )


def _verdict(ratio: float, interval: Interval | None, clear: bool, floor: float) -> Verdict:
    """Tell a difference where test and interval agree and the base differs less from itself."""
    if interval is None or not clear or interval.holds(1.0):
        return Verdict.NO_DIFFERENCE
    if math.exp(abs(math.log(ratio))) - 1.0 <= floor:
        return Verdict.NO_DIFFERENCE
    return Verdict.FASTER if ratio < 1.0 else Verdict.SLOWER
