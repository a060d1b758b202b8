# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A stand-in program with known times and faults, and studies of it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = """
import os, signal, sys, time
level, fault = float(sys.argv[1]), sys.argv[2]
run = 0
with open(os.environ["COUNT"], "a+") as file:
    file.write("x")
    file.flush()
    run = file.tell()
print("run", run, "of", *sys.argv[1:])
if fault == "fails":
    sys.exit("cannot go on")
if fault == "crashes":
    os.kill(os.getpid(), signal.SIGSEGV)
if fault == "hangs":
    os.fork() or signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)
noise = (run * 7919 % 101) / 101
print("energy =", -1.5 if fault != "wrong" else -1.4)
if fault != "silent":
    print(f"time = {level * (1.0 + 0.01 * noise):.9f} s")
"""

STUDY = """
[program]
command = "{python} -S -E ./program.py {{level}} {{fault}}"
[base]
level = 1.0
fault = "none"
[run]
noise_rounds = 2
most = 8
time_limit = "20s"
[measure]
snapshot = "never"
by = "time"
[measure.patterns.time]
pattern = "time = (\\\\S+) s"
unit = "s"
[check]
pattern = "energy = (\\\\S+)"
"""

Write = Callable[..., Path]


@pytest.fixture
def study_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Return what writes a study of the stand-in: top keys, then sections, of which some replace.

    How often the stand-in ran tells the length of the file `count`.
    """
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.setenv("COUNT", str(tmp_path / "count"))

    def write(more: str, top: str = "", base: str = STUDY, **changes: str) -> Path:
        text = base.format(python=sys.executable)
        for old, new in changes.items():
            assert old in text, old
            text = text.replace(old, new)
        path = tmp_path / "study.toml"
        path.write_text(f"{top}\n{text}\n{more}\n")
        return path

    return write


@pytest.fixture
def runs_made(tmp_path: Path) -> Callable[[], int]:
    """Return what tells how often the stand-in ran."""
    count = tmp_path / "count"
    return lambda: count.stat().st_size if count.exists() else 0
