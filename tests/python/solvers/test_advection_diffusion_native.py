# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The advection–diffusion solver against exact solutions, on cubes of several kinds of elements."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from halocline.launch.programs import find_program
from halocline.mesh.make import Output, make_mesh
from halocline.mesh.request import Request

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.skipif(
        find_program("halocline-solve") is None or shutil.which("mpirun") is None,
        reason="halocline-solve is not built here; `make test` builds it first",
    ),
]

ORDER_MESHES = (17, 33)
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


@pytest.fixture(scope="module")
def cubes(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Makes cubes of nodes^3 nodes, inner ones moved at random, once for the module."""
    folder = tmp_path_factory.mktemp("cubes")

    @cache
    def cube(elements: str, nodes: int) -> Path:
        path = folder / f"{elements}{nodes}"
        request = Request(nodes**3, 1, None, 1.0, elements, 0.2)
        make_mesh("cavity", request, Output(path, "natural", False, 1))
        return path

    return cube


def solve(folder: Path, mesh: Path, *settings: str, ranks: int = 1) -> dict[str, Any]:
    """Run a case on a mesh; return its record."""
    case = folder / "case.toml"
    case.write_text(
        f'[mesh]\ndirectory = "{mesh}"\n[solver]\nname = "advection_diffusion"\n'
        "diffusivity = 0.01\n"
    )
    words = [word for setting in settings for word in ("--set", setting)]
    launcher = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run(
        [*launcher, str(find_program("halocline-solve")), str(case), *words],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **ROOT},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    record: dict[str, Any] = json.loads((folder / "output" / "record.json").read_text())
    return record


def order(folder: Path, cubes: Any, elements: str, *settings: str) -> float:
    """Observed order of the l2 error between the two cubes."""
    coarse, fine = (
        solve(folder, cubes(elements, nodes), *settings)["results"]["exact_error"]["l2"]
        for nodes in ORDER_MESHES
    )
    return math.log2(coarse / fine)


@pytest.mark.parametrize("elements", ["hex", "tet", "mixed"])
@pytest.mark.parametrize("limiter", ["none", "barth-jespersen"])
def test_waves_converge_to_second_order(
    tmp_path: Path, cubes: Any, elements: str, limiter: str
) -> None:
    assert order(tmp_path, cubes, elements, f"solver.limiter={limiter}") == pytest.approx(
        2.0, abs=0.2
    )


@pytest.mark.parametrize("elements", ["hex", "tet", "mixed"])
def test_pulses_converge_to_second_order(tmp_path: Path, cubes: Any, elements: str) -> None:
    pulse = ["solver.problem=pulse", "solver.width=0.3"]
    assert order(tmp_path, cubes, elements, *pulse) == pytest.approx(2.1, abs=0.3)


def test_central_fluxes_are_closer_on_smooth_fields(tmp_path: Path, cubes: Any) -> None:
    def error(flux: str) -> float:
        record = solve(tmp_path, cubes("tet", 17), f"solver.flux={flux}")
        return float(record["results"]["exact_error"]["l2"])

    assert error("central") < 0.6 * error("upwind")


def values(folder: Path) -> np.ndarray[Any, Any]:
    """The result in file order."""
    (path,) = (folder / "output").glob("variables.L0.cycles=*.h5")
    with h5py.File(path) as file:
        result: np.ndarray[Any, Any] = file["p_variables_result_L0"][:]
    return result


def test_a_limiter_keeps_a_steep_pulse_in_its_range(tmp_path: Path, cubes: Any) -> None:
    pulse = ["solver.problem=pulse", "solver.width=0.08", "solver.diffusivity=0.0"]
    solve(tmp_path, cubes("tet", 17), *pulse)
    unlimited = values(tmp_path).min()
    solve(tmp_path, cubes("tet", 17), *pulse, "solver.limiter=barth-jespersen")
    assert values(tmp_path).min() > 0.05 * unlimited
    assert unlimited < -0.01


def test_results_do_not_depend_on_ranks_and_back_ends(tmp_path: Path, cubes: Any) -> None:
    found = []
    for ranks, backend in ((1, "serial"), (1, "openmp"), (3, "openmp"), (2, "emulated")):
        record = solve(
            tmp_path,
            cubes("mixed", 9),
            f"parallel.backend={backend}",
            "solver.limiter=venkatakrishnan",
            ranks=ranks,
        )
        assert record["settings"]["solver"] == "advection_diffusion"
        assert record["backend"] == backend
        found.append((values(tmp_path), record["results"]["exact_error"]))
    assert found[0][0].shape == (729, 1)
    for field, error in found[1:]:
        assert np.array_equal(field, found[0][0])
        assert error == found[0][1]
