# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The pages: they fit, stand alone, say what is missing, and escape what programs are called."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from types import ModuleType

import pytest
from halocline.screen import Screen
from halocline.snapshot.figures.message_sizes import bin_label
from halocline.snapshot.figures.rank_bars import segments_of
from halocline.snapshot.html import html_page
from halocline.snapshot.model import Snapshot
from halocline.snapshot.terminal import WIDTH, terminal_page
from halocline.snapshot.view import cpu_list_words, library_words, notable_ranks, tiles
from halocline.wording import bytes_words, count_words, seconds_words
from rich.console import RenderableType


def plain_lines(page: RenderableType) -> Sequence[str]:
    console = Screen(width=WIDTH, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(page)
    return capture.get().splitlines()


VOID = {"meta", "link", "br", "img", "input", "hr"}


class Checker(HTMLParser):
    """Notes unbalanced tags and everything that a page would have to load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self.loads += [str(value) for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """SVG elements close themselves."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check(page: str) -> Checker:
    checker = Checker()
    checker.feed(page)
    return checker


def test_extrapolated_times_are_named(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    file = rf.rank_file(0, 1, 1.0, 0.5)
    file["functions"] = [
        rf.function("MPI_Comm_size", "local", 900, 0.3, untimed_calls=830),
        rf.function("MPI_Barrier", "collective", 7, 0.2),
    ]
    page = report([file])
    assert [each.untimed_calls for each in page.functions] == [830, 0]
    note = "All calls of MPI_Comm_size are counted, about one in 64 is timed"
    assert note in " ".join(plain_lines(terminal_page(page)))
    assert note in html_page(page)


@pytest.mark.parametrize("ranks", [1, 2, 4, 8, 64, 300])
def test_the_terminal_page_fits(
    rf: ModuleType, report: Callable[..., Snapshot], ranks: int
) -> None:
    lines = plain_lines(terminal_page(report(rf.solver_run(ranks))))
    assert max(map(len, lines)) <= 100
    assert len(lines) <= 60


def test_the_terminal_page_says_what_matters(solver: Snapshot) -> None:
    text = "\n".join(plain_lines(terminal_page(solver)))
    for words in ("28.5 %", "22.5 %", "MPI_Allreduce", "slowest: rank 3", "waited for: rank 3",
                  "solver+0x1205", "Load imbalance comes first", "memory stalls"):  # fmt: skip
        assert words in text


def test_many_warnings_are_cut(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    files = [rf.rank_file(rank, 9, 5.0, 0.1, complete=False, end="flush") for rank in range(9)]
    lines = plain_lines(terminal_page(report(files)))
    assert any("… and 5 more." in line for line in lines)


@pytest.mark.parametrize("ranks", [1, 2, 16, 300])
def test_the_page_stands_alone(rf: ModuleType, report: Callable[..., Snapshot], ranks: int) -> None:
    page = html_page(report(rf.solver_run(ranks)))
    checker = check(page)
    assert checker.open == []
    assert checker.loads == []
    assert checker.scripts == 0
    assert "@import" not in page
    assert "url(" not in page


def test_two_named_ranks_beside_each_other_are_on_two_lines(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    """64 standing bars: the slowest rank is 40, the one waited for 41."""
    snapshot = report(rf.solver_run(64)).changed(slowest_rank=40, most_waited_for_rank=41)
    labels = re.findall(
        r'<text x="[^"]+" y="([^"]+)"[^>]*class="strong">(rank [^<]+)<', html_page(snapshot)
    )
    assert [words for _, words in labels] == ["rank 40: slowest", "rank 41: waited for"]
    first, second = (float(y) for y, _ in labels)
    assert second - first >= 11.0, "the height of a line"


def test_a_page_of_many_ranks_is_printed_smaller(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    assert '<main class="long">' in html_page(report(rf.solver_run(64)))
    assert "<main>" in html_page(report(rf.solver_run(2)))


def test_the_page_cuts_a_long_list_of_reasons(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    files = [rf.rank_file(rank, 64, 5.0, 0.1, complete=False, end="flush") for rank in range(64)]
    snapshot = report(files)
    page = html_page(snapshot)
    assert page.count("was killed without warning") == 7
    more = len(snapshot.status.reasons) + len(snapshot.warnings) - 7
    assert f"… and {more} more in snapshot.json." in page


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("MPICH Version:\t4.0.2", "MPICH 4.0.2"),
        ("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4", "Open MPI v4.1.4"),
    ],
)
def test_the_version_of_the_library_is_shown(
    rf: ModuleType, report: Callable[..., Snapshot], line: str, shown: str
) -> None:
    file = rf.rank_file(0, 1, 5.0, 0.1)
    file["mpi"] |= {"library": line}
    assert library_words(report([file])) == shown


def test_bytes_from_spawned_processes_are_told_from_those_to_them(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    file = rf.rank_file(0, 1, 5.0, 0.1)
    file["peers"] |= {"unknown_peer_bytes": 20, "unknown_peer_received_bytes": 8}
    wanted = "12 bytes went to processes outside MPI_COMM_WORLD, 8 bytes came from there."
    assert wanted in report([file]).warnings


def test_names_of_programs_are_escaped(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    file = rf.rank_file(0, 1, 5.0, 0.1, program="/opt/<b>&x", host='node"<i>')
    page = html_page(report([file]))
    assert "<b>&x" not in page
    assert "<i>" not in page
    assert "&lt;b&gt;&amp;x" in page
    check(page)


def test_files_are_named_from_where_the_program_was_started(solver: Snapshot) -> None:
    assert solver.files[0].path == "/home/user/result.dat"
    page = html_page(solver)
    assert ">result.dat<" in page
    assert "/home/user/result.dat" not in page


def test_every_formula_is_printed(solver: Snapshot) -> None:
    page = html_page(solver)
    for name in ("MPI %", "MPI imbalance %", "load imbalance %", "OpenMP imbalance %"):
        assert re.search(rf"<b>{re.escape(name)}</b> = ", page)


def test_partial_reports_are_marked(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    files = [rf.rank_file(0, 2, 5.0, 0.1, complete=False, end="signal 11")]
    snapshot = report(files, exit_code=139)
    page = html_page(snapshot)
    assert "Partial report." in page
    assert "exit code 139" in page
    assert "stopped by signal 11" in page
    text = "\n".join(plain_lines(terminal_page(snapshot)))
    assert "Partial report: rank 0 was stopped by signal 11" in text


def test_missing_figures_are_never_zero(solver: Snapshot) -> None:
    by_name = {tile.name: tile for tile in tiles(solver)}
    assert by_name["memory stalls"].value == "not available"
    assert by_name["memory stalls"].more == "perf_event_open: no such device"
    assert by_name["OpenMP imbalance"].missing


def test_parts_of_a_bar_add_up_to_the_elapsed_time(solver: Snapshot) -> None:
    for rank in solver.ranks:
        assert segments_of(rank).total == pytest.approx(rank.elapsed_s)


def test_notable_ranks_hold_the_named_ones(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    snapshot = report(rf.solver_run(100))
    shown = [rank.rank for rank in notable_ranks(snapshot, 8)]
    assert len(set(shown)) == 8
    assert snapshot.slowest_rank in shown


@pytest.mark.parametrize(
    ("place", "label"), [(0, "0"), (1, "1"), (4, "8"), (11, "1Ki"), (13, "4Ki"), (21, "1Mi")]
)
def test_bin_labels(place: int, label: str) -> None:
    assert bin_label(place) == label


@pytest.mark.parametrize(
    ("cpus", "words"), [([0, 1, 2, 8], "0-2,8"), ([5], "5"), ([], ""), ([0, 2, 3], "0,2-3")]
)
def test_cpu_lists(cpus: list[int], words: str) -> None:
    assert cpu_list_words(cpus) == words


def test_units() -> None:
    assert [seconds_words(s) for s in (0, 2.5e-8, 1.234e-3, 9.999, 12.34, 3600)] == [
        "0 s", "25.0 ns", "1.23 ms", "10.0 s", "12.3 s", "3600 s",
    ]  # fmt: skip
    assert [bytes_words(b) for b in (0, 999, 1000, 45e6, 1.5e9)] == [
        "0 B", "999 B", "1.00 kB", "45.0 MB", "1.50 GB",
    ]  # fmt: skip
    assert [count_words(c) for c in (0, 9999, 12345, 2.5e6)] == ["0", "9999", "12.3 k", "2.50 M"]
