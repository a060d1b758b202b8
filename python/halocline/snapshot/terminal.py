# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The one-page report in the terminal: at most 100 columns and 60 lines."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from halocline.screen import Screen
from halocline.snapshot.figures.message_sizes import bin_label, bin_place
from halocline.snapshot.figures.rank_bars import PARTS, segments_of
from halocline.snapshot.figures.rank_matrix import is_collective
from halocline.snapshot.model import Histogram, Rank, Snapshot
from halocline.snapshot.view import (
    buffer_words,
    command_words,
    cpu_list_words,
    library_words,
    named_phases,
    notable_ranks,
    percent_words,
    phase_functions_words,
    sampled_words,
    tiles,
    top_functions,
    top_sites,
    untimed_words,
    where_words,
)
from halocline.wording import bytes_words, count_words, seconds_words

WIDTH = 100
RANKS_SHOWN = 8
PHASES_SHOWN = 4
BAR = 23
# Four colours, and four densities for those who have no colours.
BAR_PARTS = (("cyan", "█"), ("green", "▓"), ("yellow", "▒"), ("red", "░"))
LEVELS = "▁▂▃▄▅▆▇█"
SHADES = " ░▒▓█"


def terminal_page(snapshot: Snapshot) -> RenderableType:
    """Return the whole page."""
    parts = [
        *_head(snapshot),
        _verdict(snapshot),
        *_warnings(snapshot),
        "",
        _tiles(snapshot),
        "",
        _functions(snapshot),
        *_phases(snapshot),
        _ranks(snapshot),
        _sizes_and_matrix(snapshot),
        *_sites(snapshot),
        *_notes(snapshot),
    ]
    return Group(*parts)


def _head(snapshot: Snapshot) -> list[RenderableType]:
    facts = f"{where_words(snapshot)} · {library_words(snapshot)} · {snapshot.started}"
    first = Text.assemble((snapshot.program, "bold"), "  ", (facts, "dim"))
    command = Text(command_words(snapshot), style="dim")
    for line in (first, command):
        line.truncate(WIDTH, overflow="ellipsis")
    return [first, command]


def _verdict(snapshot: Snapshot) -> RenderableType:
    words = Text.assemble((snapshot.verdict.finding, "bold"), " ", snapshot.verdict.advice)
    grid = Table.grid(padding=(0, 1))
    lines = len(words.wrap(Screen(width=WIDTH), WIDTH - 2))
    grid.add_row(Text("▌\n" * (lines - 1) + "▌", style="cyan"), words)
    return grid


def _warnings(snapshot: Snapshot) -> list[RenderableType]:
    partial = [f"Partial report: {reason}" for reason in snapshot.status.reasons]
    sentences = [*partial, *snapshot.warnings]
    more = len(sentences) - 4
    shown = sentences[:4] + ([f"… and {more} more."] if more > 0 else [])
    return [Text(f"! {sentence}", style="yellow") for sentence in shown]


def _tiles(snapshot: Snapshot) -> RenderableType:
    shown = tiles(snapshot)
    half = len(shown) // 2
    grid = Table.grid(padding=(0, 1), expand=False)
    for _ in range(half):
        grid.add_column(width=WIDTH // half - 1, no_wrap=True, overflow="ellipsis")
    for row in (shown[:half], shown[half:]):
        heads = []
        for tile in row:
            style = {"bad": "bold red", "warn": "bold yellow"}.get(tile.state, "bold")
            value = "–" if tile.missing else tile.value
            heads.append(Text.assemble((f"{tile.name} ", "dim"), (value, style)))
        grid.add_row(*heads)
        grid.add_row(*(Text(f"  {tile.more}", style="dim") for tile in row))
    return grid


def plain_table(title: str, *columns: str, left: int = 1) -> Table:
    """Return an empty table without lines; the first `left` columns are words."""
    made = Table(
        title=title,
        box=None,
        title_justify="left",
        title_style="bold",
        header_style="dim",
        padding=(0, 2, 0, 0),
        pad_edge=False,
    )
    for place, column in enumerate(columns):
        made.add_column(column, justify="left" if place < left else "right", no_wrap=True)
    return made


def _functions(snapshot: Snapshot) -> RenderableType:
    columns = ("calls", "bytes", "mean", "max", "on rank", "of MPI", "of elapsed", "imbalance")
    made = plain_table("Top functions", f"{'function':<24}", *columns)
    for function in top_functions(snapshot):
        made.add_row(
            function.name,
            count_words(function.calls),
            bytes_words(function.bytes) if function.bytes else "–",
            seconds_words(function.seconds.mean),
            seconds_words(function.seconds.max),
            str(function.seconds.max_rank),
            percent_words(function.percent_of_mpi),
            percent_words(function.percent_of_elapsed),
            percent_words(function.imbalance_share_percent),
        )
    note = untimed_words(snapshot)
    return Group(made, *([note] if note else []), "")


def _phases(snapshot: Snapshot) -> list[RenderableType]:
    """The phases that the program marked by MPI_Pcontrol."""
    phases = named_phases(snapshot)
    if not phases:
        return []
    made = plain_table("Levels of MPI_Pcontrol", "level", "entered", "time", "MPI", "of it", "most")
    made.columns[5].justify = "left"
    for phase in phases[:PHASES_SHOWN]:
        made.add_row(
            str(phase.level),
            count_words(phase.entered),
            seconds_words(phase.elapsed_s.mean),
            seconds_words(phase.mpi_s.mean),
            percent_words(phase.mpi_percent),
            phase_functions_words(phase),
        )
    return [made, ""]


def _ranks(snapshot: Snapshot) -> RenderableType:
    columns = ("MPI", "waits", "CPU", "switches", "faults", "peak", "I/O", "I/O bytes", "bound to")
    made = plain_table("Ranks", "", f"{'time':<{BAR}}", *columns, left=2)
    made.padding = (0, 1, 0, 0)
    longest = max(segments_of(rank).total for rank in snapshot.ranks) or 1.0
    shown = notable_ranks(snapshot, RANKS_SHOWN)
    for rank in shown:
        usage = rank.usage
        made.add_row(
            _rank_name(snapshot, rank),
            _bar(rank, longest),
            seconds_words(rank.mpi_s),
            seconds_words(rank.wait_s + rank.finalize_wait_s),
            f"{usage.cpu_percent:.0f} %",
            f"{count_words(usage.voluntary_switches + usage.involuntary_switches)}",
            count_words(usage.minor_faults + usage.major_faults),
            bytes_words(usage.peak_rss_bytes),
            seconds_words(rank.io.seconds) if rank.io else "–",
            bytes_words(rank.io.read_bytes + rank.io.written_bytes) if rank.io else "–",
            _short(cpu_list_words(rank.cpus), 8),
        )
    names = [
        Text.assemble((block, style), f" {name}  ")
        for (style, block), (_, name) in zip(BAR_PARTS, PARTS, strict=True)
    ]
    more = len(snapshot.ranks) - len(shown)
    rest = (f"   {more} more ranks in the HTML page" if more else "", "dim")
    return Group(made, Text.assemble(*names, " ", _named(snapshot), rest), "")


def _rank_name(snapshot: Snapshot, rank: Rank) -> Text:
    marks = ""
    marks += "s" if rank.rank == snapshot.slowest_rank else ""
    marks += "w" if rank.rank == snapshot.most_waited_for_rank else ""
    return Text.assemble(str(rank.rank), (f" {marks}" if marks else "", "bold red"))


def _named(snapshot: Snapshot) -> Text:
    words = []
    if snapshot.slowest_rank is not None:
        words.append(Text.assemble(("s", "red"), f" slowest: rank {snapshot.slowest_rank}"))
    if snapshot.most_waited_for_rank is not None:
        rank = snapshot.most_waited_for_rank
        words.append(Text.assemble(("w", "red"), f" waited for: rank {rank}"))
    return Text("  ").join(words)


def _bar(rank: Rank, longest: float) -> Text:
    """Round cumulated lengths, so that the parts of a bar add up."""
    bar = Text()
    done, drawn = 0.0, 0
    for (style, block), seconds in zip(BAR_PARTS, segments_of(rank).seconds, strict=True):
        done += seconds
        end = round(BAR * done / longest)
        bar.append(block * (end - drawn), style=style)
        drawn = end
    return bar


def _sizes_and_matrix(snapshot: Snapshot) -> RenderableType:
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_row(_sizes(snapshot), _matrix(snapshot))
    return Group(grid, "")


def _sizes(snapshot: Snapshot) -> RenderableType:
    shown = [histogram for histogram in snapshot.histograms if histogram.bins][:TOP_SIZES]
    if not shown:
        return Text("No message carried data.", style="dim")
    places = [bin_place(entry) for histogram in shown for entry in histogram.bins]
    first, last = min(places), max(places)
    made = plain_table("Message sizes (log₂ bins)", "", "messages", "", left=1)
    made.columns[2].justify = "left"
    for histogram in shown:
        total = sum(entry.messages for entry in histogram.bins)
        name = histogram.function.removeprefix("MPI_")
        made.add_row(name, count_words(total), Text(_spark(histogram, first, last), style="cyan"))
    made.add_row("", "", Text(_size_axis(first, last), style="dim"))
    return made


TOP_SIZES = 5


def _spark(histogram: Histogram, first: int, last: int) -> str:
    counts = {bin_place(entry): entry.messages for entry in histogram.bins}
    most = max(counts.values())
    letters = []
    for place in range(first, last + 1):
        count = counts.get(place, 0)
        letters.append(LEVELS[(len(LEVELS) - 1) * count // most] if count else " ")
    return "".join(letters)


def _size_axis(first: int, last: int) -> str:
    low, high = bin_label(first), bin_label(last)
    return f"{low}{high:>{max(len(high) + 1, last - first + 1 - len(low))}} B"


def _matrix(snapshot: Snapshot) -> RenderableType:
    """Shades for up to 16 blocks of ranks; the HTML page has the numbers."""
    size = len(snapshot.ranks)
    block = -(-size // 16)
    count = -(-size // block)
    collective = is_collective(snapshot.links)
    cells = [[0] * count for _ in range(count)]
    for link in snapshot.links:
        value = link.collective_bytes if collective else link.bytes
        row, column = link.source // block, link.target // block
        if row < count and column < count:
            cells[row][column] += value
    most = max((value for row in cells for value in row), default=0)
    kind = "collectives" if collective else "point-to-point"
    title = f"Bytes between ranks ({kind})"
    if most == 0:
        return Text(f"{title}: none", style="dim")
    made = plain_table(title, "from", "to →", left=2)
    made.min_width = len(title)
    per_line = max(1, -(-count // 8))
    for row in range(0, count, per_line):
        cell_words = "".join(_shade(value, most) * 2 for value in cells[row])
        made.add_row(str(row * block), Text(cell_words, style="cyan"))
    made.caption = f"█ {bytes_words(most)}"
    made.caption_justify = "left"
    return made


def _shade(value: int, most: int) -> str:
    return SHADES[0] if value == 0 else SHADES[1 + (len(SHADES) - 2) * value // most]


def _sites(snapshot: Snapshot) -> list[RenderableType]:
    sites = top_sites(snapshot)
    if not sites:
        return []
    made = plain_table(
        "Call sites", "function", "called from", "ranks", "calls", "mean", "max", left=2
    )
    made.columns[1].overflow = "ellipsis"
    made.columns[1].max_width = 58
    for site in sites:
        made.add_row(
            site.function.removeprefix("MPI_"),
            site.place,
            str(site.ranks),
            count_words(site.calls),
            seconds_words(site.seconds.mean),
            seconds_words(site.seconds.max),
        )
    return [made]


def _notes(snapshot: Snapshot) -> list[RenderableType]:
    lines = [f"buffers: {buffer_words(snapshot)}"]
    if sampled := sampled_words(snapshot):
        lines.append(f"OpenMP: {sampled}")
    missing = [f"{each.figure} ({each.reason})" for each in snapshot.not_available]
    if missing:
        lines.append(f"not available: {'; '.join(missing)}")
    notes: list[RenderableType] = []
    for line in lines:
        text = Text(line, style="dim")
        text.truncate(2 * WIDTH - 2, overflow="ellipsis")
        notes.append(text)
    return notes


def _short(words: str, width: int) -> str:
    return words if len(words) <= width else words[: width - 1] + "…"
