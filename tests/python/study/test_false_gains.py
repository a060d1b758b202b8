# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Studies of settings that make no difference, on noisy machines: how often one is told."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from halocline.launch.limited_run import Stop
from halocline.study.analysis import result_of
from halocline.study.driver import Driver, opened
from halocline.study.journal import Run, Turn
from halocline.study.load import load_study
from halocline.study.point import Point
from measured_noise import KINDS, Noise

STUDIES = 50
# 5 % of them may tell a difference; three deviations above the mean of 50 tosses.
MOST = STUDIES * 0.05 + 3 * math.sqrt(STUDIES * 0.05 * 0.95)
STUDY = """
[program]
command = "true {setting}"
[vary]
setting = [1, 2, 3, 4, 5, 6]
[run]
most = 14
width = "1.5 %%"
seed = %d
[measure]
snapshot = "never"
"""


class NoisyMachine:
    """Makes runs that take as long as a noise says, whatever their point, but for a faster one."""

    def __init__(self, noise: Noise, seed: int, faster: str = "", factor: float = 1.0) -> None:
        self._times = iter(noise(np.random.default_rng(seed), 400).tolist())
        self._faster, self._factor = faster, factor

    def run(self, turns: Iterable[tuple[Turn, Point]]) -> Iterator[Run]:
        for turn, point in turns:
            time = next(self._times) * (self._factor if point.name == self._faster else 1.0)
            yield Run(turn, "ok", "2026-01-01T00:00:00", time, {"wall": time})


def told(
    tmp_path: Path, machine: NoisyMachine, seed: int, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Verdicts of one study."""
    file = tmp_path / f"s{seed}.toml"
    file.write_text(STUDY % seed)
    study = load_study(file)
    monkeypatch.setattr(Driver, "_make_runner", lambda *_: machine)
    with opened(study) as journal:
        finished = Driver(study, journal, Stop()).drive()
    points = result_of(study, finished.runs, finished.ending).points
    return [point.comparison.verdict for point in points if point.comparison is not None]


@pytest.fixture(autouse=True)
def no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is proven here is no matter of disks."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.mark.parametrize("kind", KINDS)
def test_fifty_studies_of_nothing_tell_a_difference_at_most_at_the_rate(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    false = 0
    for seed in range(STUDIES):
        verdicts = told(tmp_path, NoisyMachine(KINDS[kind], seed), seed, monkeypatch)
        assert len(verdicts) == 5
        false += any(verdict != "no difference can be told" for verdict in verdicts)
    assert false <= MOST


def test_a_gain_of_a_tenth_among_them_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = 0
    for seed in range(20):
        machine = NoisyMachine(KINDS["skewed"], seed, "p003", 0.9)
        verdicts = told(tmp_path, machine, seed, monkeypatch)
        found += verdicts[2] == "faster" and verdicts.count("faster") == 1
    assert found >= 18
