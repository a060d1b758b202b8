# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The time of day jumps by hours in mid-run: durations, progress and waiting do not notice."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from mgcfd_support import make_box, run
from preloads import JUMPING_CLOCK, make_preload


def durations(value: Any, path: str = "") -> dict[str, float]:
    """Everything in a record that is named as seconds."""
    if isinstance(value, dict):
        found: dict[str, float] = {}
        for key, entry in value.items():
            found |= durations(entry, f"{path}.{key}")
        return found
    if isinstance(value, list):
        found = {}
        for index, entry in enumerate(value):
            found |= durations(entry, f"{path}[{index}]")
        return found
    is_time = path.endswith(("_s", ".seconds", ".seconds_max"))
    is_time = is_time and "per_s" not in path and "_cpu_s" not in path  # sums over ranks
    return {path: value} if is_time and value is not None else {}


@pytest.mark.parametrize(
    ("ranks", "words"),
    [
        (1, ["--backend", "openmp"]),
        (1, ["--backend", "emulated"]),
        (2, ["-m", "block", "--network-model", "200,1"]),
    ],
)
def test_durations_are_those_of_the_monotonic_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ranks: int, words: list[str]
) -> None:
    case = make_box(tmp_path / "case", (9, 9, 9), 3)
    library = make_preload(tmp_path, JUMPING_CLOCK, "jumping_clock")
    monkeypatch.setenv("LD_PRELOAD", str(library))
    start_s = time.monotonic()
    done = run(
        tmp_path, "-d", str(case), "-g", "200", "-I", "20", "--progress", "log", *words, ranks=ranks
    )
    wall_s = time.monotonic() - start_s
    assert done.code == 0, done.err
    found = durations(done.record())
    assert found[".results.compute_s"] > 0.0
    assert found[".setup.total_s"] > 0.0
    for path, seconds in found.items():
        assert 0.0 <= seconds <= wall_s, (path, seconds)
    left = [float(text) for text in re.findall(r"(\S+) s left", done.out)]
    # Estimated from the cycles so far; the first takes longest, and there are 200.
    assert all(0.0 <= seconds <= 200.0 * wall_s for seconds in left), done.out
