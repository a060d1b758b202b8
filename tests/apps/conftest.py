# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Real programs, run plainly, under `halocline snapshot` and `halocline endpoints`: fixtures."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from halocline.endpoints.report import REPORT, EndpointsReport
from halocline.errors import MissingEnvironmentError
from halocline.preload import Family, tool_library
from halocline.snapshot.model import Snapshot
from halocline.snapshot.store import read_snapshot

CASES = Path(__file__).parent / "cases"
LIMIT_S = 300


@dataclass(frozen=True)
class Recorded:
    """A run under the recorder."""

    snapshot: Snapshot
    out: str
    folder: Path

    def seconds_in(self, function: str) -> list[float]:
        """Mean and largest time over ranks in one MPI function."""
        found = next(each for each in self.snapshot.functions if each.name == function)
        return [found.seconds.mean, found.seconds.max]


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    settings = {"OMP_NUM_THREADS": "1"}
    if os.geteuid() == 0:
        settings |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return {**os.environ, **settings, **more}


@pytest.fixture
def case() -> Path:
    """The folder of case files."""
    return CASES


@pytest.fixture
def mpirun(needs: Callable[..., None]) -> list[object]:
    """The words before a program: two ranks, also where there is one core."""
    needs("mpirun")
    return ["mpirun", "-n", "2", "--oversubscribe", "--quiet"]


@pytest.fixture
def plain() -> Callable[..., str]:
    """Runs words in a folder; returns what they print."""

    def run(words: Sequence[object], folder: Path, **more: str) -> str:
        done = subprocess.run(
            [str(word) for word in words],
            cwd=folder,
            env=_environment(more),
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    return run


@pytest.fixture
def recorded(plain: Callable[..., str]) -> Callable[..., Recorded]:
    """Runs words in a folder under the recorder; returns report and output."""
    try:
        tool_library("snapshot", Family.OPENMPI)
    except MissingEnvironmentError as error:
        pytest.skip(f"{error} Runs after `make build`, by `make test-apps`.")

    def run(words: Sequence[object], folder: Path, **more: str) -> Recorded:
        command = [sys.executable, "-m", "halocline", "snapshot", "-o", "snapshot", "--", *words]
        out = plain(command, folder, **more)
        return Recorded(read_snapshot(folder / "snapshot"), out, folder / "snapshot")

    return run


@pytest.fixture
def split(plain: Callable[..., str], tmp_path: Path) -> Callable[..., Any]:
    """Runs words with nearly everything split and verified; returns output and report."""
    try:
        tool_library("endpoints", Family.OPENMPI)
    except MissingEnvironmentError as error:
        pytest.skip(f"{error} Runs after `make build`, by `make test-apps`.")

    def run(words: list[object], folder: Path, **more: str) -> tuple[str, EndpointsReport]:
        file = tmp_path / "endpoints.json"
        options = ["--threads", "2", "--always", "--verify", "--report", file]
        options += ["--allreduce-threshold", "2", "--bcast-threshold", "16"]
        out = plain(
            [sys.executable, "-m", "halocline", "endpoints", *options, "--", *words], folder, **more
        )
        report = REPORT.read(file)
        assert report.active, json.dumps(report.why_inactive)
        assert not [row for row in report.rows if "differed" in row.decision]
        return out, report

    return run


@pytest.fixture
def needs() -> Callable[..., None]:
    """Skips a test where a program is missing."""

    def check(*programs: str) -> None:
        missing = [name for name in programs if shutil.which(name) is None]
        if missing:
            pytest.skip(f"{', '.join(missing)} not installed (`make test-apps` installs it)")

    return check
