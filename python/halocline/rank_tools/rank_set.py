# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which ranks a tool is meant for: `0-3,7`, `all`, `local:0`, `exclusive`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from halocline.errors import UsageError

#: The end of a tool's text that is a rank list; a tool's own words may hold colons too.
AT_THE_END = re.compile(r"(?P<tool>.*?):(?P<ranks>all|exclusive|(?:local:)?[\d,\s-]+)", re.DOTALL)
RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


class Count(StrEnum):
    """How ranks are counted."""

    GLOBAL = "rank"
    LOCAL = "local"


@dataclass(frozen=True)
class RankSet:
    """Ranges of ranks, ends included, ascending and apart; None: all."""

    text: str
    count: Count
    ranges: tuple[tuple[int, int], ...] | None

    @property
    def largest(self) -> int:
        """The largest number that is named; -1 where none is."""
        return self.ranges[-1][1] if self.ranges else -1

    def has(self, rank: int, local: int) -> bool:
        """Whether it holds a rank of the job that is number `local` on its host."""
        if self.ranges is None:
            return True
        number = local if self.count is Count.LOCAL else rank
        return any(first <= number <= last for first, last in self.ranges)

    def size(self, ranks: int | None) -> int | None:
        """How many ranks of a job of `ranks` it holds; None: it depends on hosts."""
        if self.count is Count.LOCAL and self.ranges is not None:
            return None
        if self.ranges is None:
            return ranks
        return sum(last - first + 1 for first, last in self.ranges)


def read_rank_set(text: str, given: str) -> RankSet:
    """Return the ranks that `text` names; `given` is the option as the user wrote it."""
    plain = text.strip()
    if plain == "all":
        return RankSet(plain, Count.GLOBAL, None)
    if plain == "exclusive":
        return RankSet(plain, Count.LOCAL, ((0, 0),))
    count = Count.LOCAL if plain.startswith("local:") else Count.GLOBAL
    ranges = [_range(part.strip(), text, given) for part in plain.removeprefix("local:").split(",")]
    return RankSet(plain, count, _joined(ranges))


def _range(part: str, text: str, given: str) -> tuple[int, int]:
    found = RANGE.fullmatch(part)
    if found is None:
        raise UsageError(
            f"--tool '{given}': '{text}' is not a list of ranks ('{part}' is neither a number nor "
            "a range). Write e.g. 0, 0-3,7, all, local:0 or exclusive."
        )
    first, last = int(found[1]), int(found[2] or found[1])
    if last < first:
        raise UsageError(
            f"--tool '{given}': the range {part} ends before it begins. Write {last}-{first}."
        )
    return first, last


def _joined(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Sort ranges and join those that touch."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return tuple(joined)
