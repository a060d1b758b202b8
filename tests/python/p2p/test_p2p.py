# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline p2p`: launch lines, results, page; and a short run of the real program."""

from __future__ import annotations

import json
import runpy
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.errors import InvalidInputError
from halocline.launch.programs import find_program
from halocline.p2p.drawings import SIZES, heat_map
from halocline.p2p.launch import option_words
from halocline.p2p.page import page
from halocline.p2p.result import read_result
from halocline.p2p.units import rate_text, size_text, time_text
from halocline.page.curves import Curve, LogAxis, curves

needs_program = pytest.mark.skipif(
    find_program("halocline-p2p") is None or shutil.which("mpirun") is None,
    reason="halocline-p2p is not built here; `make test` builds it first",
)


@pytest.fixture
def result_data() -> dict[str, Any]:
    """A result as the native program writes it."""
    data: dict[str, Any] = runpy.run_path(str(Path(__file__).parent / "results.py"))["result"]()
    return data


def test_units() -> None:
    assert [size_text(size) for size in (1, 1024, 1536, 4 << 20)] == [
        "1 B", "1 KiB", "1536 B", "4 MiB"
    ]  # fmt: skip
    assert [time_text(time) for time in (4.01e-7, 1.5e-5, 2e-3, 3.0)] == [
        "401 ns", "15 µs", "2 ms", "3 s"
    ]  # fmt: skip
    assert [rate_text(rate) for rate in (2.5e3, 3e6, 1.18e10, 1e12)] == [
        "2.5 kB/s",
        "3 MB/s",
        "11.8 GB/s",
        "1 TB/s",
    ]


def test_options_that_are_not_given_are_left_to_the_program() -> None:
    options = [("--path", "host"), ("--sweep", True), ("--quiet", False), ("--block", None)]
    assert option_words(options) == ("--path", "host", "--sweep")


def test_logarithmic_axes_keep_ratios() -> None:
    axis = LogAxis(1.0, 100.0, 0.0, 10.0)
    assert axis(1.0) == 0.0
    assert axis(10.0) == pytest.approx(5.0)
    assert axis(100.0) == pytest.approx(10.0)


def test_every_curve_is_drawn_in_its_colour() -> None:
    drawn = [Curve("host", 0, [(1, 1e-6), (64, 2e-6)]), Curve("peer", 4, [(1, 3e-6), (64, 4e-6)])]
    svg = curves(drawn, "label", time_text, SIZES)
    assert svg.count("<polyline") == 2
    assert 'class="l4"' in svg
    assert "peer, 64 B: 4 µs" in svg


def test_the_best_block_is_framed() -> None:
    cells = {(4096, 0): 3.0, (4096, 1024): 1.0}
    svg = heat_map([4096], [0, 1024], cells, {4096: 1024})
    assert svg.count('class="best"') == 1
    assert "3.00 times the best" in svg


def test_the_page_shows_everything_and_escapes(result_data: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "p2p.json"
    file.write_text(json.dumps(result_data))
    html = page(read_result(file))
    for text in ("node&lt;1&gt;", "because", "a warning", "Worst: 1.050", "staged", "3.00×"):
        assert text in html
    assert "node<1>" not in html
    assert html.count("<svg") == 3
    for outside in ("http://", "https://", "<script"):
        assert outside not in html


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[]", "is not a result"),
        ("{", "is not JSON"),
        ('{"format": "halocline-p2p-result", "version": 9}', "version 9"),
    ],
)
def test_wrong_results_are_refused(tmp_path: Path, text: str, part: str) -> None:
    file = tmp_path / "r.json"
    file.write_text(text)
    with pytest.raises(InvalidInputError, match=part):
        read_result(file)
    with pytest.raises(InvalidInputError, match="Cannot read"):
        read_result(tmp_path / "absent.json")


@needs_program
def test_a_dry_run_shows_the_launch_line(halocline: Callable[..., Any], tmp_path: Path) -> None:
    answer = halocline("p2p", "--path", "host", "--dry-run", "--json", "-o", tmp_path / "x")
    line = answer.data["command"]
    assert line[-4:-2] == ["--quiet", "--json"] or "--quiet" in line
    assert line[line.index("--path") + 1] == "host"
    assert not (tmp_path / "x").exists()


@needs_program
@pytest.mark.mpi
def test_a_run_leaves_results_and_page(halocline: Callable[..., Any], tmp_path: Path) -> None:
    words = ("--path", "host,staged", "--pattern", "latency", "--sizes", "1,4K", "--time", "0.001")
    answer = halocline("p2p", *words, "--emulate", "none", "--json", "-o", tmp_path)
    assert answer.code == 0, answer.err
    assert {row["path"] for row in answer.data["rows"]} == {"host", "staged"}
    assert "Transfers between 2 ranks" in (tmp_path / "p2p.html").read_text()
    again = halocline("p2p", "--from", tmp_path / "p2p.json")
    assert again.code == 0


@needs_program
@pytest.mark.mpi
def test_the_programs_exit_code_is_kept(halocline: Callable[..., Any], tmp_path: Path) -> None:
    assert halocline("p2p", "--path", "direct", "-o", tmp_path).code == 4
    assert halocline("p2p", "--path", "nonsense", "-o", tmp_path).code == 2
