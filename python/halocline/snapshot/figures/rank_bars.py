# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Time per rank, stacked: computing, I/O, MPI, waiting in MPI; the slowest rank is named."""

from __future__ import annotations

from dataclasses import dataclass

from halocline.page.svg import Box, drawing, legend, line, rect, text, ticks
from halocline.snapshot.model import Rank, Snapshot
from halocline.wording import seconds_words

WIDTH = 560.0
LYING_BARS = 12
STANDING_HEIGHT = 190.0
LABEL_LINE = 13.0
PARTS = (("s0", "outside MPI"), ("s3", "file I/O"), ("s1", "MPI"), ("s4", "waiting in MPI"))


@dataclass(frozen=True)
class Segments:
    """The seconds of one bar, in the order of PARTS."""

    seconds: tuple[float, float, float, float]

    @property
    def total(self) -> float:
        """Length of the bar."""
        return sum(self.seconds)


def segments_of(rank: Rank) -> Segments:
    """Split the elapsed time of a rank; I/O below MPI calls counts as MPI."""
    outside = max(0.0, rank.elapsed_s - rank.mpi_s)
    io = min(outside, rank.io.seconds if rank.io else 0.0)
    return Segments((outside - io, io, rank.mpi_s - rank.wait_s, rank.wait_s))


def rank_bars(snapshot: Snapshot, scale_s: float = 0.0) -> str:
    """Return the drawing with its legend; bars lie where they are few and stand where many.

    The scale reaches to the longest bar, or to `scale_s` where that is more.
    """
    ranks = snapshot.ranks
    bars = [segments_of(rank) for rank in ranks]
    longest = max((bar.total for bar in bars), default=0.0)
    longest = max(longest, scale_s)
    draw = _lying if len(ranks) <= LYING_BARS else _standing
    used = [part for place, part in enumerate(PARTS) if any(bar.seconds[place] for bar in bars)]
    return draw(snapshot, bars, longest) + legend(used)


def _remark(snapshot: Snapshot, rank: int) -> str:
    slowest = rank == snapshot.slowest_rank
    waited_for = rank == snapshot.most_waited_for_rank
    if slowest and waited_for:
        return "slowest, waited for"
    return "slowest" if slowest else "waited for" if waited_for else ""


def _lying(snapshot: Snapshot, bars: list[Segments], longest: float) -> str:
    step, top = 24.0, 4.0
    area = Box(58.0, top, WIDTH - 58.0 - 142.0, step * len(bars))
    scale = area.width / (longest or 1.0)
    body = []
    for mark in ticks(longest):
        x = area.x + mark * scale
        body.append(line(x, area.y, x, area.bottom, "rule"))
        body.append(text(x, area.bottom + 14, seconds_words(mark), "soft", "middle"))
    for place, (rank, bar) in enumerate(zip(snapshot.ranks, bars, strict=True)):
        y = top + place * step
        body.append(text(area.x - 8, y + 16, f"rank {rank.rank}", "", "end"))
        x = area.x
        for (css, name), seconds in zip(PARTS, bar.seconds, strict=True):
            box = Box(x, y + 4, seconds * scale, step - 8)
            if seconds > 0:
                body.append(rect(box, css, f"rank {rank.rank}, {name}: {seconds_words(seconds)}"))
            x += seconds * scale
        remark = _remark(snapshot, rank.rank)
        if remark:
            body.append(text(x + 6, y + 16, remark, "strong"))
    return drawing(WIDTH, area.bottom + 20, body, "time per rank")


def _standing(snapshot: Snapshot, bars: list[Segments], longest: float) -> str:
    named = [place for place, rank in enumerate(snapshot.ranks) if _remark(snapshot, rank.rank)]
    # A line for each label: ranks beside each other would be written over each other.
    area = Box(50.0, 6.0 + LABEL_LINE * len(named), WIDTH - 60.0, STANDING_HEIGHT)
    scale = area.height / (longest or 1.0)
    step = area.width / len(bars)
    gap = 1.0 if step > 4.0 else 0.0
    body = []
    for mark in ticks(longest):
        y = area.bottom - mark * scale
        body.append(line(area.x, y, area.right, y, "rule"))
        body.append(text(area.x - 6, y + 4, seconds_words(mark), "soft", "end"))
    for place, (rank, bar) in enumerate(zip(snapshot.ranks, bars, strict=True)):
        x, y = area.x + place * step, area.bottom
        for (css, name), seconds in zip(PARTS, bar.seconds, strict=True):
            y -= seconds * scale
            if seconds > 0:
                box = Box(x, y, max(step - gap, 0.2), seconds * scale)
                body.append(rect(box, css, f"rank {rank.rank}, {name}: {seconds_words(seconds)}"))
    for row, place in enumerate(named):
        body += _label(snapshot, place, area.x + (place + 0.5) * step, row, area)
    for place in _labelled(len(bars)):
        x = area.x + (place + 0.5) * step
        body.append(text(x, area.bottom + 14, str(snapshot.ranks[place].rank), "soft", "middle"))
    return drawing(WIDTH, area.bottom + 20, body, "time per rank")


def _label(snapshot: Snapshot, place: int, x: float, row: int, area: Box) -> list[str]:
    """Name a standing bar above it, on the side that has room, with a line down to the bar."""
    rank = snapshot.ranks[place].rank
    y = LABEL_LINE * (row + 1)
    left = place < len(snapshot.ranks) / 2
    words = text(
        x + (5 if left else -5), y, f"rank {rank}: {_remark(snapshot, rank)}", "strong",
        "start" if left else "end",
    )  # fmt: skip
    return [words, line(x, y - 8, x, area.y, "axis")]


def _labelled(count: int) -> list[int]:
    """Places of bars that get a number: every n-th, n a round number."""
    step = max(1, int(ticks(count, 12)[1]))
    return list(range(0, count, step))
