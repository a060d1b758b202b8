# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The solvers run on imported meshes, with all their levels."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from foreign_meshes import Foreign, from_level, square, two_halves, write_openfoam, write_su2
from halocline.launch.programs import find_program
from halocline.mesh.arrays import Floats
from halocline.mesh.imports.request import ImportRequest
from halocline.mesh.imports.run import import_mesh

Make = Callable[..., Any]

pytestmark = pytest.mark.skipif(
    find_program("mgcfd") is None, reason="mgcfd is not built here; `make test` builds it first"
)

FREE_STREAM = np.array([1.4, 1.68, 0.0, 0.0, 3.508])
"""Density, momentum and energy of MG-CFD's free stream: Mach 1.2 along x, pressure 1."""


def run(folder: Path, cycles: int, levels: int) -> list[Floats]:
    """Run mgcfd in legacy mode; the state of each level after the last cycle."""
    program = str(find_program("mgcfd"))
    words = ["-i", "input.dat", "-d", f"{folder}/", "-g", str(cycles), "--legacy-mode"]
    out = folder.parent / "out"
    out.mkdir()
    done = subprocess.run(
        [program, *words, "--output-variables", "-o", f"{out}/"],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    states = []
    for level in range(levels):
        with h5py.File(out / f"variables.L{level}.cycles={cycles}.h5") as file:
            states.append(file[f"p_variables_result_L{level}"][...])
    return states


def meshes(make: Make, name: str) -> Foreign:
    """A mesh by the kind of its cells."""
    if name in ("triangles", "quadrilaterals"):
        mesh = square(40, triangles=name == "triangles")
        mesh.points[:, 0] += 0.1 * np.sin(6.0 * mesh.points[:, 1])
        mesh.sides = {}
        return mesh
    level = make("cavity", 3000, 1, elements=name, perturb=0.2)[0]
    return from_level(level.data, {0: "floor", 1: "lid", 2: "sides"})


@pytest.mark.parametrize("name", ["tet", "mixed", "triangles", "quadrilaterals"])
def test_a_uniform_flow_passes_an_imported_mesh_unchanged(
    make: Make, tmp_path: Path, name: str
) -> None:
    """Fluxes of a closed dual cell cancel to round-off: of about 30 terms, 10 cycles, 3 levels."""
    mesh = meshes(make, name)
    everything_far = dict.fromkeys(mesh.sides, 3)
    request = ImportRequest(3, everything_far, default=3, scaling="legacy")
    import_mesh(write_su2(mesh, tmp_path), tmp_path / "mesh", request)
    for state in run(tmp_path / "mesh", 10, 3):
        tolerance = 30 * 10 * 3 * np.finfo(np.float64).eps * FREE_STREAM.max()
        np.testing.assert_allclose(state, np.tile(FREE_STREAM, (len(state), 1)), atol=tolerance)


def test_polyhedra_carry_a_uniform_flow(make: Make, tmp_path: Path) -> None:
    level = make("cavity", 1000, 1, perturb=0.2)[0]
    mesh = from_level(level.data, {0: "floor", 1: "lid", 2: "sides"})
    case = write_openfoam(mesh, tmp_path, join=two_halves(mesh))
    request = ImportRequest(2, dict.fromkeys(mesh.sides, 3), scaling="legacy")
    done = import_mesh(case, tmp_path / "mesh", request)
    assert done.cells["convex_12"] == 1
    for state in run(tmp_path / "mesh", 10, 2):
        np.testing.assert_allclose(state, np.tile(FREE_STREAM, (len(state), 1)), atol=1e-12)


def test_levels_by_agglomeration_work_as_those_of_the_maker(make: Make, tmp_path: Path) -> None:
    """A channel with a bump: after 50 cycles both meshes hold flows that are alike.

    The finest levels are one mesh; only coarse levels differ, which act on the way to the steady
    state and not on it. What is left of their difference is small against the flow's own range.
    """
    made = make("bump", 4000, 3, name="made", elements="tet", scaling="legacy")
    names = {0: "lower", 1: "upper", 2: "side", 4: "inlet", 5: "outlet"}
    mesh = from_level(made[0].data, names)
    request = ImportRequest(3, {name: n for n, name in names.items()}, scaling="legacy")
    (tmp_path / "own").mkdir()
    import_mesh(write_su2(mesh, tmp_path), tmp_path / "own" / "mesh", request)
    ours = run(tmp_path / "own" / "mesh", 50, 1)[0]
    theirs = run(tmp_path / "made", 50, 1)[0]
    assert np.isfinite(ours).all()
    assert (ours[:, 0] > 0.0).all()
    span = np.ptp(theirs[:, 0])
    assert np.sqrt(np.mean((ours[:, 0] - theirs[:, 0]) ** 2)) < 0.1 * span
