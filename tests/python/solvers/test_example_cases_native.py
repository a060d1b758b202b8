# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Every example of incompressible flow runs from its file, on a coarse mesh, for a few steps."""

from __future__ import annotations

import json
import math
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from halocline.launch.programs import find_program
from halocline.results.opening import open_run

pytestmark = pytest.mark.skipif(
    find_program("halocline-solve") is None,
    reason="halocline-solve is not built here; `make test` builds it first",
)

CASES = Path(__file__).parents[3] / "examples" / "cases"
STEPS = 3


def is_incompressible(case: Path) -> bool:
    solver = tomllib.loads(case.read_text(encoding="utf-8")).get("solver", {})
    return bool(solver.get("name") == "incompressible")


def coarse_mesh(case: Path) -> str:
    """Return the setting that makes the case's mesh a small one of the same kind."""
    make = tomllib.loads(case.read_text(encoding="utf-8"))["mesh"]["make"]
    if "cells" not in make:
        return "mesh.make.nodes=800"
    return "mesh.make.cells=" + ",".join("8" for _ in make["cells"].split(","))


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.stem)
        for case in sorted(CASES.glob("*.toml"))
        if is_incompressible(case)
    ],
)
def test_an_example_runs(case: Path, tmp_path: Path, halocline: Callable[..., Any]) -> None:
    shutil.copy(case, tmp_path)
    settings = (coarse_mesh(case), f"solver.steps={STEPS}", "parallel.ranks=1")
    words = [word for setting in settings for word in ("--set", setting)]
    done = halocline("run", tmp_path / case.name, *words)
    assert done.code == 0, done.err
    record = json.loads((tmp_path / "output" / "record.json").read_text(encoding="utf-8"))
    assert record["results"]["cycles"] == STEPS
    assert all(math.isfinite(rms) and rms > 0.0 for rms in record["results"]["rms"])
    run = open_run(tmp_path / "output")
    for name in ("velocity", "pressure"):
        assert np.isfinite(run[name].at()).all()
    assert np.abs(run["velocity"].at()).max() > 0.0


def test_a_case_with_all_defaults_written_out_runs(
    tmp_path: Path, halocline: Callable[..., Any]
) -> None:
    shutil.copy(CASES / "step.toml", tmp_path)
    small = ("--set", "mesh.make.nodes=800", "--set", f"solver.steps={STEPS}")
    assert halocline("run", tmp_path / "step.toml", *small).code == 0
    again = halocline("run", tmp_path / "output" / "case.resolved.toml")
    assert again.code == 0, again.err
