# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Before/after tables: figures by hand, what may be told, all formats."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.report.cell import Cell, cell_of, change_words

Run = Callable[..., Any]
EXAMPLE = Path(__file__).parents[1] / "data" / "record.example.json"


def record(path: Path, run_s: float, ranks: int = 2, threads: int = 2) -> Path:
    """A record of a run of so many seconds."""
    data = json.loads(EXAMPLE.read_text())
    data["results"]["total_runtime_s"] = run_s
    data["layout"] |= {"ranks": ranks, "threads_per_rank": threads, "bindings": []}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))
    return path


def rows(out: dict[str, Any], title: str) -> dict[str, dict[str, Any]]:
    table = next(table for table in out["tables"] if table["title"].startswith(title))
    return {row["name"]: row["cells"] for row in table["rows"]}


def test_two_records_stand_side_by_side(halocline: Run, tmp_path: Path) -> None:
    before = record(tmp_path / "before" / "record.json", 12.58)
    after = record(tmp_path / "after" / "record.json", 10.021)
    out = halocline("report", before, after, "--json").data
    cells = rows(out, "Run time")["mpi+openmp ptscotch kway (2 × 2)"]
    assert {label: cell["value"] for label, cell in cells.items()} == {
        "before": 12.58,
        "after": 10.021,
    }
    shown = halocline("report", before, after).out
    # The documents' 4 GPUs: 12.580 s, with GPUDirect 10.021 s, 20.3 % better.
    assert "-20.3 % (single runs)" in shown


def test_a_folder_of_records_is_a_column_with_medians_and_speed_ups(
    halocline: Run, tmp_path: Path
) -> None:
    times = {32: 56.864, 64: 29.255, 128: 19.532, 256: 16.972}
    for ranks, run_s in times.items():
        for repeat in range(7):
            record(tmp_path / "k" / f"{ranks}-{repeat}" / "record.json", run_s + repeat, ranks, 1)
    out = halocline("report", tmp_path / "k", "--json").data
    cell = rows(out, "Run time")["mpi ptscotch kway (64)"][str(tmp_path / "k")]
    assert (cell["value"], cell["low"], cell["high"], cell["runs"]) == (
        pytest.approx(32.255),
        pytest.approx(29.255),
        pytest.approx(35.255),
        7,
    )
    speed_up = rows(out, "Speed-up")["mpi ptscotch kway (256)"][str(tmp_path / "k")]["value"]
    assert speed_up == pytest.approx((56.864 + 3) / (16.972 + 3))
    efficiency = rows(out, "Efficiency")["mpi ptscotch kway (256)"][str(tmp_path / "k")]["value"]
    assert efficiency == pytest.approx(100 * speed_up * 32 / 256)


def test_intervals_that_overlap_tell_no_difference() -> None:
    before, after = cell_of([1.0, 1.1, 1.2, 1.3, 1.4, 1.5]), cell_of([1.1, 1.2, 1.3, 1.4, 1.5, 1.6])
    assert change_words(before, after).endswith("(no difference can be told)")
    assert change_words(before, cell_of([0.5] * 6)) == "-60.0 %"
    assert change_words(Cell(1.0), Cell(7.6)) == "× 7.6 (single runs)"
    assert change_words(None, Cell(1.0)) == "–"


def test_settings_are_called_as_in_tables_of_mgcfd(halocline: Run, tmp_path: Path) -> None:
    for ranks, threads in ((1, 1), (1, 8), (16, 1)):
        record(tmp_path / "all" / f"{ranks}-{threads}-record.json", 1.0, ranks, threads)
    names = rows(halocline("report", tmp_path / "all", "--json").data, "Run time")
    assert set(names) == {"seq", "openmp (8)", "mpi ptscotch kway (16)"}


def test_every_format_holds_the_same_figures(halocline: Run, tmp_path: Path) -> None:
    one = record(tmp_path / "a" / "record.json", 1.25)
    two = record(tmp_path / "b" / "record.json", 1.75)
    files = [tmp_path / f"report.{ending}" for ending in ("md", "html", "txt", "png")]
    words = [word for file in files for word in ("-o", str(file))]
    assert halocline("report", f"X86={one}", f"Kunpeng={two}", *words).code == 0
    for file in files[:3]:
        text = file.read_text()
        assert all(word in text for word in ("X86", "Kunpeng", "1.25 s", "1.75 s", "+40.0 %"))
    assert files[3].read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    html = files[1].read_text()
    assert "<script" not in html
    assert "http://" not in html


def test_studies_are_sources_too(
    halocline: Run, tmp_path: Path, run_folder: Callable[[Path, float], Path]
) -> None:
    one, two = run_folder(tmp_path / "one", 1.0), run_folder(tmp_path / "two", 0.8)
    out = halocline("report", one, two, "--json").data
    cells = rows(out, "time of studies")["level = 2.0"]
    assert cells["one"]["value"] == pytest.approx(2.0, rel=0.02)
    assert cells["two"]["value"] == pytest.approx(1.6, rel=0.02)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("x.json", "{}", "not a run record, snapshot or study"),
        ("x.json", "no", "is not JSON"),
        ("x.json", None, "Cannot read"),
    ],
)
def test_what_is_no_source_gets_a_sentence(
    halocline: Run, tmp_path: Path, name: str, text: str | None, words: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    done = halocline("report", tmp_path / name)
    assert done.code == 3
    assert words in done.err


def test_an_empty_folder_a_wrong_ending_and_equal_names_get_a_sentence(
    halocline: Run, tmp_path: Path
) -> None:
    assert "holds neither study.json" in halocline("report", tmp_path).err
    one = record(tmp_path / "a" / "record.json", 1.0)
    wrong = halocline("report", one, "-o", tmp_path / "x.pdf")
    assert (wrong.code, "ends in none of .md" in wrong.err) == (2, True)
    twice = halocline("report", f"a={one}", f"a={one}")
    assert (twice.code, "are called 'a'" in twice.err) == (2, True)
