# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Locales with a comma for the point, with a Turkish i, and without UTF-8: the same bytes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import h5py
import pytest
from mgcfd_support import Run, all_results, make_box, run, spoil
from preloads import LOCALES, TAKE_LOCALE, make_locale, make_preload

Environment = dict[str, str]

# Numbers with points on the command line, in files and on the console.
words = [
    *("-g", "4", "-I", "2", "-m", "block", "--output-variables"),
    *("--weights", "1.5,1", "--network-model", "1.5,0.125", "--progress", "log"),
]


@pytest.fixture(params=LOCALES)
def locale(tmp_path: Path, request: pytest.FixtureRequest) -> Environment:
    """The environment of a user with this locale, which the program is made to take."""
    library = make_preload(tmp_path, TAKE_LOCALE, "take_locale")
    return {**make_locale(tmp_path, request.param), "LD_PRELOAD": str(library)}


def run_in(folder: Path, case: Path, monkeypatch: pytest.MonkeyPatch, extra: Environment) -> Run:
    folder.mkdir()
    with monkeypatch.context() as patch:
        for name, value in {"LC_ALL": "C", **extra}.items():
            patch.setenv(name, value)
        return run(folder, "-d", str(case), *words, ranks=2)


def test_results_records_and_tables_do_not_depend_on_the_locale(
    tmp_path: Path, locale: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = make_box(tmp_path / "case", (7, 6, 5), 2)
    plain = run_in(tmp_path / "plain", case, monkeypatch, {})
    local = run_in(tmp_path / "local", case, monkeypatch, locale)
    assert plain.code == 0, plain.err
    assert local.code == 0, local.err
    assert all_results(local.folder) == all_results(plain.folder)
    assert local.record()["results"]["rms"] == plain.record()["results"]["rms"]
    assert local.record()["results"]["norms"] == plain.record()["results"]["norms"]
    residuals = r"rms [^ ]+"
    assert re.findall(residuals, local.out) == re.findall(residuals, plain.out)
    assert not re.search(r"\d,\d", local.out), local.out
    for folder in (plain.folder, local.folder):
        (times,) = folder.glob("*FileIoTimes.csv")
        head, row = times.read_text("ascii").splitlines()
        assert row.count(",") == head.count(",")
    assert sorted(json.loads((local.folder / "record.json").read_text())) == sorted(plain.record())


def test_numbers_in_messages_have_points(
    tmp_path: Path, locale: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = make_box(tmp_path / "case")

    def open_a_cell(file: h5py.File) -> None:
        file["edge_weights"][3] *= 1.5

    spoil(case, 0, open_a_cell)
    plain = run_in(tmp_path / "plain", case, monkeypatch, {})
    local = run_in(tmp_path / "local", case, monkeypatch, locale)
    assert plain.code == local.code == 3
    assert plain.messages == local.messages
    assert re.search(r"relative defect \d\.\de", local.err), local.err
