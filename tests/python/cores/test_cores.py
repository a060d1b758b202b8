# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline cores`: what is shown, what is refused, a real measurement of one core."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.cores.result import read_result
from halocline.errors import InvalidInputError
from halocline.launch.programs import find_program

sys.path.append(str(Path(__file__).parent))
import made_cores

Halocline = Callable[..., Any]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    written = tmp_path / "cores.json"
    written.write_text(json.dumps(made_cores.result(1, 2, 8)))
    return written


def test_a_result_is_shown_again(halocline: Halocline, file: Path) -> None:
    shown = halocline("cores", "--from", file)
    assert shown.code == 0, shown.err
    assert "multiply add" in shown.out
    assert "15.000" in shown.out  # of 8 cores each: 20 · 6/8
    assert "120.000" in shown.out  # together
    assert halocline("cores", "--from", file, "--json").data == json.loads(file.read_text())


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": "x"}, "is not a result of halocline cores"),
        ({"version": 9}, "has version 9"),
        ({"rows": []}, "rows"),
        ({"cores": "many"}, "cores"),
    ],
)
def test_files_that_are_no_results_are_refused(
    file: Path, change: dict[str, Any], sentence: str
) -> None:
    file.write_text(json.dumps(made_cores.result(1, 2) | change))
    with pytest.raises(InvalidInputError, match=sentence) as caught:
        read_result(file)
    assert str(file) in str(caught.value)


needs_program = pytest.mark.skipif(
    find_program("halocline-cores") is None,
    reason="halocline-cores is not built here; `make test` builds it",
)


@needs_program
def test_a_dry_run_shows_the_command(
    halocline: Halocline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = halocline("cores", "--cores", "1,2", "--repeats", "5", "--dry-run")
    assert "--cores 1,2 --repeats 5 --quiet --json cores/cores.json" in shown.out
    assert not (tmp_path / "cores").exists()


@needs_program
def test_a_core_is_measured(halocline: Halocline, tmp_path: Path) -> None:
    words = ("--cores", "1", "--time", "0.001", "--repeats", "1", "-o", tmp_path / "made")
    done = halocline("cores", *words)
    assert done.code == 0, done.err
    result = read_result(tmp_path / "made" / "cores.json")
    assert {row.cores for row in result.rows} == {1}


@needs_program
def test_more_cores_than_there_are_are_refused(halocline: Halocline, tmp_path: Path) -> None:
    refused = halocline("cores", "--cores", "4096", "-o", tmp_path / "made")
    assert refused.code == 2
    assert not (tmp_path / "made" / "cores.json").exists()
