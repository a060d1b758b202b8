# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Standard output that is full, closed, or that nobody reads: the exit code says what was lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from halocline.launch.programs import find_program
from halocline.mesh.make import Output, make_mesh
from halocline.mesh.request import Request

START = [sys.executable, "-P", "-m", "halocline"]
COMMANDS = {
    "help": ["--help"],
    "table": ["mesh", "info", "m"],
    "partition": ["mesh", "partition", "m", "-n", "2", "-m", "block", "--ranks", "1"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a mesh."""
    made = tmp_path_factory.mktemp("streams")
    make_mesh("box", Request(100, 1), Output(made / "m"))
    return made


@pytest.fixture(params=list(COMMANDS))
def command(
    request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Words of a command that prints and ends well."""
    if request.param == "partition" and find_program("halocline-meshtool") is None:
        pytest.skip("halocline-meshtool is not built here; `make test` builds it first")
    monkeypatch.chdir(folder)
    return [*START, *COMMANDS[request.param]]


def test_output_that_does_not_arrive_is_a_failed_run(command: list[str]) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 5
    assert done.stderr.splitlines()[-1] == (
        "halocline: standard output cannot be written (No space left on device). Send it elsewhere."
    )


def test_closed_output_is_a_failed_run(command: list[str]) -> None:
    line = ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *command]
    done = subprocess.run(line, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 5
    assert "standard output cannot be written (Bad file descriptor)" in done.stderr


def test_a_reader_who_has_seen_enough_is_no_failure(command: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert done.returncode == 0
    assert "halocline:" not in done.stderr


def test_no_streams_at_all_are_no_crash() -> None:
    line = ["/bin/sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *START, "--help"]
    assert subprocess.run(line, check=False).returncode == 5
