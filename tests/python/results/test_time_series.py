# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Series of a run: what is read of a file, also while it grows, and the picture of its lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.errors import InvalidInputError, UsageError
from matplotlib.image import imread

import halocline

TEXT = """step,time [s],force_lid_x [N],force_lid_y [N],energy
2,0.5,1.0,-1.0,3e-05
4,1.0,2.0,-2.0,nan
6,1.5,3"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "run1.series.csv"
    path.write_text(TEXT)
    return path


def test_complete_lines_are_read_with_their_units(file: Path) -> None:
    series = halocline.open(file).series
    assert series is not None
    assert (series.steps.tolist(), series.times.tolist()) == ([2, 4], [0.5, 1.0])
    assert series["force_lid_y"].tolist() == [-1.0, -2.0]
    assert series["energy"][0] == 3e-5
    assert series.units == {"force_lid_x": "N", "force_lid_y": "N", "energy": "1"}
    assert halocline.open(file.parent / "run1.").series is not None
    assert "series: force_lid_x" in repr(halocline.open(file))
    with pytest.raises(UsageError, match="Did you mean 'energy'"):
        series["enrgy"]


def test_a_series_without_lines_has_none(tmp_path: Path) -> None:
    (tmp_path / "series.csv").write_text("step,time,energy\n")
    series = halocline.open(tmp_path).series
    assert series is not None
    assert (len(series.steps), len(series["energy"])) == (0, 0)


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "step,time\n1,x\n", "step,time\n1,2,3\n"])
def test_another_file_of_this_name_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "series.csv").write_text(text)
    with pytest.raises(InvalidInputError, match="not a series of a run"):
        halocline.open(tmp_path)


def test_lines_are_drawn(halocline: Callable[..., Any], file: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.png"
    done = halocline("plot", "--series", file, "-o", target, "--json")
    assert done.code == 0, done.err
    assert done.data["columns"] == ["force_lid_x", "force_lid_y", "energy"]
    assert imread(target).std() > 0.05
    one = halocline("plot", "--series", file, "-q", "force_lid", "-o", target, "--json")
    assert one.data["columns"] == ["force_lid_x", "force_lid_y"]
    wrong = halocline("plot", "--series", file, "-q", "force_lit", "-o", target)
    assert "Did you mean 'force_lid'?" in wrong.err
