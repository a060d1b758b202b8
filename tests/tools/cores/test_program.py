# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline-cores` from outside: results, refusals. Nothing is asserted about times."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

TIME_LIMIT_S = 300.0  # only keeps a hung program from hanging the suite
QUICK = ("--time", "0.001", "--repeats", "2")
WORK = {"multiply_add", "divide", "triad", "gather"}


def run(*words: str, ranks: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the program, by mpirun where `ranks` are named."""
    program = str(Path(os.environ["HALOCLINE_PROGRAMS"]) / "halocline-cores")
    command = [program, *words]
    if ranks:
        flags = os.environ["HALOCLINE_MPIRUN_FLAGS"].split()
        command = [os.environ["HALOCLINE_MPIRUN"], "-n", str(ranks), *flags, *command]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False
    )


def test_every_work_is_measured_on_each_number_of_cores(tmp_path: Path) -> None:
    most = min(2, len(os.sched_getaffinity(0)))
    file = tmp_path / "cores.json"
    done = run(*QUICK, "--cores", ",".join(str(n + 1) for n in range(most)), "--json", str(file))
    assert done.returncode == 0, done.stderr
    assert "multiply_add" in done.stdout
    data = json.loads(file.read_text())
    assert (data["format"], data["version"]) == ("halocline-cores-result", 1)
    assert data["cores"] == len(data["places"])
    rows = data["rows"]
    assert {row["cores"] for row in rows} == set(range(1, most + 1))
    for cores in range(1, most + 1):
        own = [row for row in rows if row["cores"] == cores]
        assert {row["work"] for row in own} == WORK
        sizes = [row["set_bytes"] for row in own if row["work"] == "triad"]
        assert sizes == sorted(set(sizes))
        assert sizes == [row["set_bytes"] for row in own if row["work"] == "gather"]
    for row in rows:
        assert len(row["repeats"]) == 2
        assert row["rate"] == pytest.approx(max(row["repeats"]))
        assert 0.0 < row["slowest_rate"] <= row["rate"] * (1 + 1e-12)
        assert (row["set_bytes"] > 0) == (row["work"] in {"triad", "gather"})


def test_more_cores_than_there_are_is_refused() -> None:
    done = run("--cores", "4096")
    assert done.returncode == 2
    assert "--cores 4096: this process may use" in done.stderr


def test_ranks_are_refused() -> None:
    done = run(ranks=2)
    assert done.returncode == 2
    assert done.stderr.count("one process that keeps cores of its host busy") == 1


@pytest.mark.parametrize("words", [("--core", "1"), ("--time", "0"), ("--repeats", "x")])
def test_bad_flags_are_one_sentence(words: tuple[str, str]) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
