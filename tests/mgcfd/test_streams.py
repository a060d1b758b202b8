# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Standard error that is closed, full or read by nobody changes no exit code of any program."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from mgcfd_support import environment, launcher, make_box, program, time_limit_s

NOWHERE = ["2>&-", "2>/dev/full", "2> >(exec true)"]
MISTAKES = {
    "mgcfd": (["-i", "none.dat"], 3),
    "halocline-solve": (["none.toml"], 3),
    "halocline-meshtool": (["partition", "-n", "2", "-i", "none.dat"], 3),
    "halocline-p2p": (["--no-such-flag"], 2),
    "halocline-affinity": (["--no-such-flag"], 2),
}


def code_of(folder: Path, words: list[str], streams: str) -> int:
    """Exit code of a command whose streams a shell sets; a signal counts as 128 and its number."""
    done = subprocess.run(
        ["bash", "-c", f'"$@" {streams}', "bash", *words],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        timeout=time_limit_s,
        check=False,
    )
    return done.returncode


@pytest.mark.parametrize("streams", NOWHERE)
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_keeps_its_code_without_standard_error(
    tmp_path: Path, name: str, streams: str
) -> None:
    words, code = MISTAKES[name]
    assert code_of(tmp_path, [program(name), *words], "") == code
    assert code_of(tmp_path, [program(name), *words], streams) == code


@pytest.mark.parametrize("name", [name for name in MISTAKES if name != "halocline-affinity"])
def test_a_mistake_keeps_its_code_on_two_ranks(tmp_path: Path, name: str) -> None:
    words, code = MISTAKES[name]
    command = [*launcher(2), "bash", "-c", 'exec "$@" 2>/dev/full', "bash", program(name), *words]
    assert code_of(tmp_path, command, "") == code
    command[command.index('exec "$@" 2>/dev/full')] = 'exec "$@" 2>&-'
    assert code_of(tmp_path, command, "") == code


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("streams", NOWHERE)
def test_a_warning_that_nobody_hears_does_not_end_a_run(
    tmp_path: Path, ranks: int, streams: str
) -> None:
    """The warning comes before MPI; what is written later must not land in a file of the run."""
    case = make_box(tmp_path / "case")
    words = ["-d", str(case), "-g", "1", "--output-variables", "--backend", "emulated"]
    shell = f'export HALOCLINE_AFFINITY=nonsense; exec "$@" {streams}'
    command = [*launcher(ranks), "bash", "-c", shell, "bash", program(), *words]
    assert code_of(tmp_path, command, "") == 0
    whole = tmp_path / "whole"
    whole.mkdir()
    assert code_of(whole, [*launcher(ranks), program(), *words], "2>/dev/null") == 0
    for name in ("variables.L0.cycles=1.h5", "variables.L1.cycles=1.h5"):
        assert (tmp_path / name).read_bytes() == (whole / name).read_bytes()
