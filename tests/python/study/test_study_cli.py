# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Whole studies of a stand-in: what is told, what is refused, what goes on."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.launch import session

Run = Callable[..., Any]
Write = Callable[..., Path]


def result(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "study" / "study.json").read_text())
    return found


def by_label(folder: Path) -> dict[str, dict[str, Any]]:
    return {point["label"]: point for point in result(folder)["points"]}


def test_what_is_faster_is_told_and_what_is_wrong_is_never_fast(
    halocline: Run, study_file: Write, tmp_path: Path
) -> None:
    file = study_file(
        "[[points]]\nlevel = 0.8\n[[points]]\nlevel = 1.3\n"
        '[[points]]\nlevel = 0.5\nfault = "wrong"',
        top='design = "points"',
    )
    done = halocline("study", file)
    assert done.code == 0, done.err
    points = by_label(tmp_path)
    assert points["level = 0.8"]["comparison"]["verdict"] == "faster"
    assert points["level = 1.3"]["comparison"]["verdict"] == "slower"
    wrong = points["level = 0.5, fault = wrong"]
    assert (wrong["state"], wrong["comparison"]) == ("wrong", None)
    assert "'-1.4', where the base has '-1.5'" in wrong["why"]
    (winner,) = result(tmp_path)["winners"]
    assert winner["sentence"].startswith("level = 0.8 saves 2")
    assert "level = 0.8" in done.out
    for name in ("study.html", "study.md", "runs.csv"):
        assert "level = 0.8" in (tmp_path / "study" / name).read_text()


def test_points_that_fail_crash_or_hang_are_recorded_and_the_rest_goes_on(
    halocline: Run, study_file: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "GRACE_S", 0.3)
    file = study_file(
        '[vary]\nfault = ["none", "fails", "crashes", "hangs", "silent"]\nlevel = [1.0, 0.7]',
        top='design = "one at a time"',
        **{'time_limit = "20s"': 'time_limit = "4s"'},
    )
    done = halocline("study", file)
    assert done.code == 0, done.err
    points = by_label(tmp_path)
    assert points["fault = fails"]["why"] == "it ended with code 1"
    assert points["fault = fails"]["last_lines"][-1] == "cannot go on"
    assert points["fault = crashes"]["why"] == "signal 11 ended it"
    assert points["fault = hangs"]["state"] == "timeout"
    assert "matches nothing" in points["fault = silent"]["why"]
    assert points["level = 0.7"]["comparison"]["verdict"] == "faster"
    assert not _stand_ins(tmp_path)


def _stand_ins(folder: Path) -> list[str]:
    """Processes that still work in a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.joinpath("cwd").readlink() == folder and process.name != str(os.getpid()):
                found.append(process.name)
        except OSError:
            continue
    return found


def test_a_base_that_fails_ends_the_study_at_once(
    halocline: Run, study_file: Write, runs_made: Callable[[], int]
) -> None:
    file = study_file("[vary]\nlevel = [1.0, 2.0]", **{'fault = "none"': 'fault = "fails"'})
    done = halocline("study", file)
    assert done.code == 5
    assert "the base fails (base: it ended with code 1)" in done.err
    assert "cannot go on" in done.err
    assert runs_made() == 1


def test_a_pattern_that_never_matches_is_told_after_the_first_run(
    halocline: Run, study_file: Write, runs_made: Callable[[], int]
) -> None:
    file = study_file("[vary]\nlevel = [1.0, 2.0]", **{"time = (": "tyme = ("})
    done = halocline("study", file)
    assert done.code == 5
    assert "pattern 'time' (tyme = (\\S+) s) matches nothing in the output" in done.err
    assert runs_made() == 1


def test_a_study_that_is_complete_runs_nothing_again(
    halocline: Run, study_file: Write, runs_made: Callable[[], int]
) -> None:
    file = study_file("[vary]\nlevel = [1.0, 0.9]")
    halocline("study", file)
    made = runs_made()
    assert halocline("study", file).code == 0
    assert runs_made() == made


def test_a_budget_ends_it_and_a_larger_one_goes_on(
    halocline: Run, study_file: Write, runs_made: Callable[[], int], tmp_path: Path
) -> None:
    change = {"most = 8": "most = 8\nbudget_runs = 9"}
    done = halocline("study", study_file("[vary]\nlevel = [1.0, 0.9]", **change))
    assert done.code == 0
    assert runs_made() == 9
    assert result(tmp_path)["ending"] == "run.budget_runs = 9 are made"
    change = {"most = 8": "most = 8\nleast = 8"}
    assert halocline("study", study_file("[vary]\nlevel = [1.0, 0.9]", **change)).code == 0
    # 2 trials, 2 rounds of the base twice, 8 of 2 points and the twin.
    assert runs_made() == 2 + 4 + 24


def test_a_folder_with_another_study_is_refused(halocline: Run, study_file: Write) -> None:
    halocline("study", study_file("[vary]\nlevel = [1.0, 0.9]"))
    done = halocline("study", study_file("[vary]\nlevel = [1.0, 0.8]"))
    assert done.code == 3
    assert "runs of another study" in done.err


def test_medians_that_are_known_well_end_it_early(
    halocline: Run, study_file: Write, tmp_path: Path
) -> None:
    change = {"most = 8": 'most = 30\nwidth = "1 %"'}
    assert halocline("study", study_file("[vary]\nlevel = [1.0, 0.9]", **change)).code == 0
    assert result(tmp_path)["ending"] == "medians are known as well as asked for"
    assert by_label(tmp_path)["base"]["median"]["runs"] == 6


def test_rounds_are_in_random_order_that_the_seed_tells(
    halocline: Run, study_file: Write, tmp_path: Path
) -> None:
    file = study_file("[vary]\nlevel = [1.0, 1.1, 1.2]", **{"most = 8": "most = 8\nleast = 8"})
    orders = []
    for folder in ("a", "b"):
        halocline("study", file, "-o", tmp_path / folder)
        with (tmp_path / folder / "runs.csv").open() as lines:
            orders.append([row["point"] for row in csv.DictReader(lines)])
    assert orders[0] == orders[1]
    rounds = [tuple(orders[0][start : start + 4]) for start in range(7, 39, 4)]
    assert all(len(set(members)) == 4 for members in rounds)
    assert len(set(rounds)) > 3


def test_numbers_of_programs_that_are_rates_are_better_when_larger(
    halocline: Run, study_file: Write, tmp_path: Path
) -> None:
    file = study_file(
        "[vary]\nlevel = [1.0, 2.0]", **{'unit = "s"': 'unit = "MB/s"\nbetter = "larger"'}
    )
    assert halocline("study", file).code == 0
    point = by_label(tmp_path)["level = 2.0"]
    assert point["comparison"]["verdict"] == "faster"
    assert point["comparison"]["ratio"] == pytest.approx(0.5, rel=0.02)
    assert point["median"]["value"] == pytest.approx(2.01, rel=0.01)


def test_files_go_into_a_folder_for_each_run(halocline: Run, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("0.25\n")
    other = tmp_path / "elsewhere"
    (tmp_path / "s.toml").write_text(
        f"""[program]
command = "sh -c 'cp in.txt out.txt; pwd; cat out.txt'"
files = ["in.txt"]
[vary]
folder = ["", "{other}"]
[run]
most = 7
noise_rounds = 0
[measure]
snapshot = "never"
[measure.patterns.where]
pattern = "^(0.25)"
unit = "1"
[check]
files = ["out.txt"]
"""
    )
    assert halocline("study", tmp_path / "s.toml").code == 0
    found = json.loads((tmp_path / "s" / "study.json").read_text())
    assert [point["state"] for point in found["points"]] == ["ok", "ok"]
    log = next((tmp_path / "s" / "logs").glob("trial-000-p001.log")).read_text()
    assert log.startswith(str(other))
    assert not (tmp_path / "out.txt").exists()


def test_a_full_disk_is_told_and_nothing_of_the_journal_is_lost(
    study_file: Write, tmp_path: Path
) -> None:
    file = study_file("[vary]\nlevel = [1.0, 0.9]")
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000));"
        "from halocline.cli.app import main; main(sys.argv[1:])"
    )
    words = [sys.executable, "-c", code, "study", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 5, done.stderr
    assert "Make free space" in done.stderr
    journal = (tmp_path / "study" / "journal.jsonl").read_bytes()
    assert journal.endswith(b"\n")
    assert all(json.loads(line) for line in journal.splitlines())
    again = subprocess.run([sys.executable, "-m", "halocline", "study", str(file)], check=False)
    assert again.returncode == 0


def test_a_signal_stops_it_with_code_75_and_what_ran_is_shown(
    study_file: Write, tmp_path: Path, runs_made: Callable[[], int]
) -> None:
    file = study_file("[vary]\nlevel = [1.0, 0.9]", **{"most = 8": "most = 300\nleast = 200"})
    process = subprocess.Popen(
        [sys.executable, "-m", "halocline", "study", str(file)],
        stderr=subprocess.PIPE,
        text=True,
    )
    while runs_made() < 12:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 75
    assert "Go on with: halocline study" in said
    assert result(tmp_path)["runs"] >= 11
