# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Domain counts as people type them, and the seconds that are left."""

from __future__ import annotations

from collections.abc import Sequence

from halocline.errors import UsageError

PROGRAM = "halocline-halo"
MOST_DOMAINS = 4096


def domain_counts(text: str) -> list[int]:
    """Return the counts of a list such as `2,4,8`, ascending."""
    counts = set()
    for word in text.split(","):
        if not word.strip().isdecimal() or not 2 <= int(word) <= MOST_DOMAINS:
            raise UsageError(
                f"--domains {text}: '{word}' is not a number of domains (2 to {MOST_DOMAINS}; one "
                "exchanges nothing). Write e.g. --domains 2,4,8,12."
            )
        counts.add(int(word))
    return sorted(counts)


def seconds_left(elapsed_s: float, done: Sequence[int], left: Sequence[int]) -> float:
    """Foretell the rest where ranks share the cores: seconds go with the number of domains."""
    return elapsed_s * sum(left) / sum(done)
