# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What repeated measurements of times prove, and what they do not.

All of it is distribution-free: times are skewed, drift and have outliers. `median_interval` says
where a median lies, `compare` and `compare_all` whether one setting is faster than another,
`noise_floor` what a setting differs from itself, `minimal_repetitions` how many runs any of them
needs. docs/statistics.md derives them.
"""

from halocline.statistics.comparison import Comparison, Verdict, compare, compare_all, noise_floor
from halocline.statistics.median import (
    Interval,
    Median,
    median_interval,
    minimal_repetitions,
)

__all__ = [
    "Comparison",
    "Interval",
    "Median",
    "Verdict",
    "compare",
    "compare_all",
    "median_interval",
    "minimal_repetitions",
    "noise_floor",
]
