# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Stopping early: the signal that batch systems send before a time limit."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from mgcfd_support import environment, launcher, make_box, patience_s, program, result, run


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
