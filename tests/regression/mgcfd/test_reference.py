# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The program against results of MG-CFD itself; data/mgcfd-reference/README.md says how they arose.

Tolerance: 1e-13 absolute on a state of order one. Builds of MG-CFD differ by up to 1.5e-14 among
themselves, because compilers order sums differently. Step factors are tau / V with V from 1 to
1e18: they are compared relative to their size. rms is the root of a sum of squares of changes,
which are themselves differences of states of order one: what the state may be off, each change may
be off, and so may rms, absolutely.
"""

from __future__ import annotations

import os
from pathlib import Path

import h5py
import numpy as np
import pytest
from mgcfd_support import result, run

data = Path(os.environ["HALOCLINE_TEST_DATA_DIR"]) / "mgcfd-reference"
cases = ("natural", "legacy", "boosted_shuffled")
tolerance = 1e-13


@pytest.mark.parametrize("cycles", [1, 5, 25])
@pytest.mark.parametrize("levels", [1, 4])
@pytest.mark.parametrize("case", cases)
@pytest.mark.parametrize("backend", ["serial", "openmp", "check", "emulated"])
def test_states_and_step_factors_are_those_of_mgcfd(
    tmp_path: Path, backend: str, case: str, levels: int, cycles: int
) -> None:
    words = ["-g", str(cycles), "-d", str(data / case), "--backend", backend, "--no-triad"]
    words += ["-i", "input.dat" if levels == 4 else "input_1level.dat"]
    words += ["--output-variables", "--output-step-factors", *(["-l"] if case == "legacy" else [])]
    done = run(tmp_path, *words)
    assert done.code == 0, done.err
    with h5py.File(data / case / f"result_{levels}level.h5") as file:
        expected = file[f"cycles={cycles}"]
        for level in range(levels):
            state = result(tmp_path, f"variables.L{level}.cycles={cycles}.h5")
            reference = expected[f"p_variables_result_L{level}"][()]
            assert state.shape == reference.shape
            assert np.abs(state - reference).max() <= tolerance
            factors = result(tmp_path, f"step_factors.L{level}.cycles={cycles}.h5")
            reference = expected[f"p_step_factors_result_L{level}"][()]
            assert (np.abs(factors - reference) / np.abs(reference)).max() <= tolerance
        rms = np.array(done.record()["results"]["rms"])
        assert np.abs(rms - expected["rms"][()]).max() <= tolerance


def test_the_references_are_no_constants() -> None:
    """A comparison with a state that never moves would prove nothing."""
    for case, least in (("natural", 1e-9), ("legacy", 1e-2), ("boosted_shuffled", 1e-2)):
        with h5py.File(data / case / "result_4level.h5") as file:
            early = file["cycles=1/p_variables_result_L0"][()]
            late = file["cycles=25/p_variables_result_L0"][()]
        assert np.abs(late - early).max() > least
