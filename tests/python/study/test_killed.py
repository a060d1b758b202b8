# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A study that is killed at any moment goes on: no finished run is lost, and none counts twice."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

KILLS = 20
Write = Callable[..., Path]


def ended(folder: Path) -> list[dict[str, Any]]:
    """What the journal says of runs that have ended."""
    data = (folder / "journal.jsonl").read_bytes()
    lines = data[: data.rfind(b"\n") + 1].splitlines()
    return [entry for line in lines if (entry := json.loads(line))["kind"] == "end"]


def names(entries: list[dict[str, Any]]) -> list[tuple[str, int, str]]:
    return [(entry["phase"], entry["number"], entry["point"]) for entry in entries]


@pytest.mark.slow
def test_twenty_kills_lose_nothing_and_double_nothing(
    study_file: Write, tmp_path: Path, runs_made: Callable[[], int]
) -> None:
    moments = random.Random(19)  # noqa: S311 - moments, no secret
    file = study_file("[vary]\nlevel = [1.0, 0.9, 1.1]", **{"most = 8": "most = 60\nleast = 60"})
    folder = tmp_path / "study"
    words = [sys.executable, "-m", "halocline", "study", str(file)]
    kept: list[dict[str, Any]] = []
    for _ in range(KILLS):
        before = runs_made()
        process = subprocess.Popen(words, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        while runs_made() == before and process.poll() is None:
            time.sleep(0.005)
        time.sleep(moments.uniform(0.0, 0.15))
        assert process.poll() is None, "the study ended before it was killed"
        process.kill()
        process.wait()
        now = ended(folder)
        assert now[: len(kept)] == kept  # nothing that had ended is lost or changed
        kept = now
    assert subprocess.run(words, capture_output=True, check=False).returncode == 0
    entries = ended(folder)
    assert entries[: len(kept)] == kept
    assert len(set(names(entries))) == len(entries)
    # 3 trials, 2 rounds of the base twice, 60 of 3 points and the twin.
    assert len(entries) == 3 + 4 + 240
    # A run that was going on when its driver was killed was made again, no other.
    assert runs_made() <= len(entries) + KILLS
    found = json.loads((folder / "study.json").read_text())
    assert [point["median"]["runs"] for point in found["points"]] == [60, 60, 60]


def test_the_same_runs_come_in_the_same_order_as_without_a_kill(
    study_file: Write, tmp_path: Path
) -> None:
    file = study_file("[vary]\nlevel = [1.0, 0.9, 1.1]")
    words = [sys.executable, "-m", "halocline", "study", str(file)]
    subprocess.run(words, capture_output=True, check=True)
    whole = names(ended(tmp_path / "study"))
    journal = tmp_path / "study" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[-1][:20])  # half a line
    subprocess.run(words, capture_output=True, check=True)
    assert names(ended(tmp_path / "study")) == whole


def test_what_a_killed_driver_left_running_is_ended_first(
    study_file: Write, tmp_path: Path
) -> None:
    script = tmp_path / "stubborn.sh"  # heeds no request to end
    script.write_text(
        "trap '' TERM\n[ -e again ] || { touch again; sleep 60; }\necho 'time = 1 s'\n"
    )
    file = study_file(
        "",
        base='[program]\ncommand = "sh stubborn.sh"\n[run]\nmost = 6\nnoise_rounds = 0\n'
        '[measure]\nsnapshot = "never"\n',
    )
    words = [sys.executable, "-m", "halocline", "study", str(file)]
    process = subprocess.Popen(words)
    while not (tmp_path / "again").exists():
        time.sleep(0.01)
    time.sleep(0.1)
    process.kill()
    process.wait()
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "still going on" in done.stderr
