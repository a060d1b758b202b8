# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Stopping early: the signal that batch systems send before a time limit."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from halocline.launch.session import session_members
from mgcfd_support import (
    environment,
    launcher,
    make_box,
    patience_s,
    program,
    result,
    run,
    run_words,
    wait_for,
)


@pytest.mark.parametrize("ranks", [1, 3])
def test_sigusr1_ends_a_run_after_its_cycle_with_the_results_of_that_cycle(
    tmp_path: Path, ranks: int
) -> None:
    case = make_box(tmp_path / "case", (30, 30, 20), 2)
    words = ["-d", str(case), "--output-variables", "--progress", "log"]
    command = [*launcher(ranks), program(), *words, "-g", "1000000"]
    log = tmp_path / "log"
    with log.open("w") as out:
        job = subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=out, stderr=out)
        try:
            end = time.monotonic() + patience_s
            while "Performing MG cycle" not in log.read_text():
                assert time.monotonic() < end, log.read_text()
                assert job.poll() is None, log.read_text()
                time.sleep(0.05)
            job.send_signal(signal.SIGUSR1)
            code = job.wait(timeout=patience_s)
        finally:
            job.kill()
            job.wait()
    text = log.read_text()
    assert code == 75, text
    found = re.search(r"stopped after cycle (\d+) of 1000000 \(asked to by SIGUSR1\)", text)
    assert found, text
    cycles = int(found[1])
    names = {path.name for path in tmp_path.glob("variables.*")}
    assert names == {f"variables.L{level}.cycles={cycles}.h5" for level in (0, 1)}
    whole = tmp_path / "whole"
    whole.mkdir()
    done = run(whole, *words, "-g", str(cycles))
    assert done.code == 0, done.err
    for name in sorted(names):
        assert np.array_equal(result(tmp_path, name), result(whole, name)), name


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("ranks", [1, 3])
def test_a_run_with_nothing_to_save_is_ended_by_the_signal(
    tmp_path: Path, ranks: int, number: signal.Signals
) -> None:
    """All ranks go, results of an earlier run stay whole, and no rank has a message of its own."""
    case = make_box(tmp_path / "case", (12, 12, 10), 2)
    words = ["-d", str(case), "--output-variables"]
    assert run(tmp_path, *words, "-g", "1").code == 0
    earlier = {path: path.read_bytes() for path in tmp_path.glob("variables.*")}
    assert len(earlier) == 2
    log = tmp_path / "log"
    with log.open("w") as out:
        command = [*launcher(ranks), program(), *words, "-g", "1000000"]
        job = subprocess.Popen(
            command, cwd=tmp_path, env=environment(), stdout=out, stderr=out, start_new_session=True
        )
        try:
            wait_for(lambda: "Performing MG cycle" in log.read_text(), patience_s)
            job.send_signal(number)
            code = job.wait(timeout=patience_s)
            wait_for(lambda: session_members(job.pid) == [], patience_s)
        finally:
            for member in session_members(job.pid):
                os.kill(member, signal.SIGKILL)
            job.wait()
    said = log.read_text()
    assert code != 0, said
    assert "mgcfd: " not in said
    assert {path: path.read_bytes() for path in tmp_path.glob("variables.*")} == earlier
    assert not list(tmp_path.rglob("*.partial"))


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("name", ["mgcfd", "halocline-solve"])
def test_sigusr1_before_the_first_cycle_ends_the_run_after_it(
    tmp_path: Path, name: str, ranks: int
) -> None:
    """The signal waits for each rank: it is blocked when the program starts, and noted at once."""
    case = make_box(tmp_path / "case", (8, 6, 5), 2)
    (tmp_path / "case.toml").write_text(
        '[mesh]\ndirectory = "case"\n[output]\ndirectory = "."\nvariables = true\n'
        '[solver]\nname = "mgcfd"\ncycles = 100000\n'
    )
    words = ["case.toml"] if name == "halocline-solve" else ["-d", str(case), "-g", "100000"]
    # A shell cannot block a signal, so Python does: it signals itself and becomes the program.
    early = (
        "import os, signal, sys;"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1]);"
        "os.kill(os.getpid(), signal.SIGUSR1);"
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    command = [*launcher(ranks), sys.executable, "-c", early, program(name), *words]
    done = run_words(tmp_path, command)
    assert done.code == 75, done.err
    assert "stopped after cycle 1 of 100000" in done.err


def test_sigusr1_at_any_moment_after_main_began_does_not_kill(tmp_path: Path) -> None:
    """Signalled as soon as the kernel says that the program handles it, before MPI is there."""
    case = make_box(tmp_path / "case", (8, 6, 5), 2)
    command = [program(), "-d", str(case), "-g", "100000", "--output-variables"]
    job = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        status = Path(f"/proc/{job.pid}/status")
        usr1 = 1 << (signal.SIGUSR1 - 1)
        end = time.monotonic() + patience_s
        while not int(re.findall(r"SigCgt:\s*(\w+)", status.read_text())[0], 16) & usr1:
            assert time.monotonic() < end
            assert job.poll() is None
        libraries = Path(f"/proc/{job.pid}/maps").read_text()
        job.send_signal(signal.SIGUSR1)
        out, _ = job.communicate(timeout=patience_s)
    finally:
        job.kill()
        job.wait()
    assert job.returncode == 75, out
    assert "stopped after cycle 1 of" in out
    assert "mca_pml" not in libraries  # MPI_Init, which loads them, had not begun
