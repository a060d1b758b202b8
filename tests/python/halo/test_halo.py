# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline halo`: results joined, the page's figures, records; and a short run of the program."""

from __future__ import annotations

import json
import re
import runpy
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.errors import InvalidInputError, UsageError
from halocline.halo.launch import domain_counts, seconds_left
from halocline.halo.page import bytes_text, count_text, page
from halocline.halo.result import join, read_result
from halocline.halo.shares import share_of
from halocline.launch.programs import find_program
from halocline.p2p.units import time_text

EXAMPLE_RECORD = Path(__file__).parents[1] / "data" / "record.example.json"

needs_program = pytest.mark.skipif(
    find_program("halocline-halo") is None or shutil.which("mpirun") is None,
    reason="halocline-halo is not built here; `make test` builds it first",
)


@pytest.fixture
def make_file(tmp_path: Path) -> Callable[..., Path]:
    """Writes a result of some numbers of domains; returns its file."""
    made = runpy.run_path(str(Path(__file__).parent / "results.py"))["result"]

    def make(*domains: int) -> Path:
        file = tmp_path / f"made-{'-'.join(map(str, domains))}.json"
        file.write_text(json.dumps(made(*domains)))
        return file

    return make


def write_record(folder: Path, name: str, **changes: Any) -> Path:
    """A record of a run with other halo seconds."""
    data = json.loads(EXAMPLE_RECORD.read_text())
    data["halo"] |= changes
    data["results"]["compute_s"] = 10.0
    file = folder / name
    file.write_text(json.dumps(data))
    return file


def test_domain_counts_are_sorted_and_checked() -> None:
    assert domain_counts("8,2,8,4") == [2, 4, 8]
    for wrong in ("", "1", "2,x", "2,-4", "99999"):
        with pytest.raises(UsageError, match=r"Write e\.g\. --domains"):
            domain_counts(wrong)


def test_the_rest_is_foretold_by_domains() -> None:
    assert seconds_left(6.0, [2, 4], [8, 12]) == pytest.approx(20.0)


def test_texts_of_counts_and_bytes() -> None:
    assert [count_text(n) for n in (40, 20000, 493039, 2000376)] == ["40", "20 K", "0.493 M", "2 M"]
    assert [bytes_text(n) for n in (0, 999, 1600, 4044176)] == ["0 B", "999 B", "1.6 kB", "4.04 MB"]


def test_results_of_several_launches_are_joined(make_file: Callable[..., Path]) -> None:
    result = join([make_file(4), make_file(2)], [])
    assert [case.domains for case in result.cases(1000000)] == [2, 4]
    assert result.schemes() == ["whole", "neighbour", "packed", "host"]
    assert result.cases(1000000)[0].gain("packed", 9) == pytest.approx(4.0)
    assert result.cases(1000000)[0].gain("direct", 9) is None
    with pytest.raises(InvalidInputError, match="measured twice"):
        join([make_file(2), make_file(2)], [])


def test_the_figures_of_the_page_are_those_of_the_result(make_file: Callable[..., Path]) -> None:
    result = read_result(make_file(2, 4))
    html = page(result)
    cells = re.findall(r"<td>(.*?)</td>", html)
    for case in result.cases(1000000):
        for row in case.mesh["rows"]:
            bytes_cell = f"{row['link_copies']} · {bytes_text(row['link_bytes'])}"
            assert (bytes_cell if row["link_copies"] else "0") in cells
            gain = case.gain(row["scheme"], row["fields"])
            bold = "" if row["scheme"] == "whole" else f" <b>{gain:.2f}×</b>"
            spread = f"{time_text(row['lower_s'])} – {time_text(row['upper_s'])}"
            median = f"{time_text(row['median_s'])}{bold}"
            assert f'{median}<br><span class="soft">{spread}</span>' in cells
            point = f"{row['scheme']}, {case.domains}: {time_text(row['median_s'])}"
            assert f"<title>{point}</title>" in html
    # 2 * 8000 / 1600 and 2 * 4800 / 1760 times the bytes; packed takes a quarter of the time.
    for text in ("5–10×", ">4.0×<", "16 ledgers", "direct: because"):
        assert text in html


def test_the_page_stands_alone_and_escapes(make_file: Callable[..., Path]) -> None:
    html = page(read_result(make_file(2, 4)))
    assert "node&lt;1&gt;" in html
    assert "node<1>" not in html
    assert html.count("<svg") == 2
    assert "The device is emulated" in html
    for outside in ("http://", "https://", "<script"):
        assert outside not in html


def test_a_result_of_one_number_of_domains_has_a_page(make_file: Callable[..., Path]) -> None:
    assert page(read_result(make_file(2))).count("<circle") == 2 * 4


def test_shares_of_runs_come_from_records(make_file: Callable[..., Path], tmp_path: Path) -> None:
    before = write_record(tmp_path, "before.json", scheme="whole", total_s=3.5, exposed_s=3.0)
    after = write_record(tmp_path, "after.json", scheme="packed", total_s=0.7, exposed_s=0.6)
    queued = write_record(tmp_path, "queued.json", scheme="peer", total_s=0.1, exposed_s=0.1)
    shares = [share_of(path) for path in (before, after, queued)]
    html = page(join([make_file(2)], shares))
    assert "30.0 % → 6.0 %" in html
    assert [share["exposed_s"] for share in shares] == [3.0, 0.6, 0.1]
    for waited in ("30.0 %", "6.0 %", "1.0 %"):
        assert f"<td>{waited}</td>" in html


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"program": "halocline-solve"}, "different programs (mgcfd (mgcfd); halocline-solve"),
        ({"settings": {"solver": "incompressible"}}, "different programs"),
        ({"mesh": {"hash": "sha256:other"}}, "different meshes"),
    ],
)
def test_shares_of_different_cases_are_no_comparison(
    halocline: Callable[..., Any],
    make_file: Callable[..., Path],
    tmp_path: Path,
    change: dict[str, Any],
    words: str,
) -> None:
    before = write_record(tmp_path, "before.json", scheme="whole")
    data = json.loads(before.read_text())
    for key, value in change.items():
        data[key] = {**data[key], **value} if isinstance(value, dict) else value
    other = tmp_path / "other.json"
    other.write_text(json.dumps(data))
    done = halocline(
        "halo", "--from", make_file(2), "--record", before, "--record", other, "-o", tmp_path
    )
    assert done.code == 3
    assert f"{before} and {other}: are records of {words}" in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "halo.html").exists()
    # Of results that hold shares already, too.
    with pytest.raises(InvalidInputError, match="different"):
        page(join([make_file(2), make_file(4)], [share_of(path) for path in (before, other)]))


def test_runs_of_one_case_on_other_ranks_have_shares(
    make_file: Callable[..., Path], tmp_path: Path
) -> None:
    one = share_of(write_record(tmp_path, "before.json", scheme="whole"))
    more = {**one, "ranks": 2 * one["ranks"], "file": "more.json"}
    older = {key: value for key, value in one.items() if key != "mesh"}
    assert len(join([make_file(2)], [one, more, older]).data["records"]) == 3


def test_a_record_without_cycles_has_no_share(tmp_path: Path) -> None:
    file = write_record(tmp_path, "idle.json")
    data = json.loads(file.read_text())
    data["results"]["compute_s"] = 0.0
    file.write_text(json.dumps(data))
    with pytest.raises(InvalidInputError, match="no cycle or step"):
        share_of(file)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[]", "is not a result"),
        ("{", "is not JSON"),
        ('{"format": "halocline-halo-result", "version": 9}', "version 9"),
    ],
)
def test_wrong_results_are_refused(tmp_path: Path, text: str, part: str) -> None:
    file = tmp_path / "r.json"
    file.write_text(text)
    with pytest.raises(InvalidInputError, match=part):
        read_result(file)
    with pytest.raises(InvalidInputError, match="Cannot read"):
        read_result(tmp_path / "absent.json")


def test_results_are_shown_again(
    halocline: Callable[..., Any], make_file: Callable[..., Path], tmp_path: Path
) -> None:
    words = ("--from", make_file(2), "--from", make_file(4), "--json")
    answer = halocline("halo", *words, "-o", tmp_path / "shown")
    assert answer.code == 0, answer.err
    assert [run["domains"] for run in answer.data["runs"]] == [2, 4]
    assert json.loads((tmp_path / "shown" / "halo.json").read_text()) == answer.data
    assert "2, 4 domains" in (tmp_path / "shown" / "halo.html").read_text()


@needs_program
def test_a_dry_run_shows_a_launch_line_for_each_count(
    halocline: Callable[..., Any], tmp_path: Path
) -> None:
    words = ("--domains", "4,2", "--fields", "1", "--dry-run", "--json", "-o", tmp_path / "x")
    lines = halocline("halo", *words).data["commands"]
    assert [line[line.index("-n") + 1] for line in lines] == ["2", "4"]
    assert all(line[line.index("--fields") + 1] == "1" for line in lines)
    assert not (tmp_path / "x").exists()


@needs_program
@pytest.mark.mpi
def test_a_run_leaves_results_and_page(halocline: Callable[..., Any], tmp_path: Path) -> None:
    words = ("--domains", "2,3", "--vertices", "1K", "--fields", "3", "--repetitions", "2")
    answer = halocline("halo", *words, "--device", "emulated", "--json", "-o", tmp_path)
    assert answer.code == 0, answer.err
    assert [run["domains"] for run in answer.data["runs"]] == [2, 3]
    assert "1 of 2 domain counts done" in answer.err
    assert {file.name for file in tmp_path.iterdir()} == {"halo.json", "halo.html"}


@needs_program
@pytest.mark.mpi
def test_the_programs_exit_code_is_kept(halocline: Callable[..., Any], tmp_path: Path) -> None:
    assert halocline("halo", "--schemes", "nonsense", "-o", tmp_path).code == 2
    none = ("--device", "none", "--schemes", "packed", "--vertices", "1K")
    assert halocline("halo", *none, "-o", tmp_path).code == 4
    assert halocline("halo", "--domains", "1", "-o", tmp_path).code == 2
    missing = tmp_path / "absent.json"
    assert halocline("halo", "--record", missing, "-o", tmp_path).code == 3
