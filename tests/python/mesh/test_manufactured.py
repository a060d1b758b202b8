# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A pressure made up: the weights of a Laplacian find it again, to second order."""

from __future__ import annotations

import math
from pathlib import Path

import h5py
import numpy as np
import pytest
from halocline.mesh.make import Output, make_mesh
from halocline.mesh.request import Request
from scipy.sparse import coo_array
from scipy.sparse.linalg import cg


def error(folder: Path, n: int, elements: str, perturb: float) -> float:
    """Solve -div grad p = 3 pi^2 p for a product of sines, zero on the sides of a unit cube.

    Returns:
        The root mean square of the error over dual volumes.
    """
    request = Request(
        (n + 1) ** 3,
        1,
        elements=elements,
        perturb=perturb,
        cells=(n,) * 3,
        dimension=3,
        laplacian=True,
    )
    make_mesh("cavity", request, Output(folder / f"{n}", "natural", shuffle=False, seed=1))
    with h5py.File(folder / f"{n}" / "mesh.L0.h5") as file:
        pairs = [(file["edge-->node"][:], file["edge_stiffness"][:, 0])]
        if "diagonal-->node" in file:
            pairs.append((file["diagonal-->node"][:], file["diagonal_stiffness"][:, 0]))
        places, volumes = file["node_coordinates"][:], file["areas"][:, 0]
        on_side = np.unique(file["bnd_node-->node"][:])
    ends, weights = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
    a, b = ends.T
    rows, columns = np.concatenate([a, b, a, b]), np.concatenate([b, a, a, b])
    values = np.concatenate([-weights, -weights, weights, weights])
    laplacian = coo_array((values, (rows, columns)), shape=(len(places),) * 2).tocsr()
    exact = np.prod(np.sin(math.pi * places), axis=1)
    inside = np.setdiff1d(np.arange(len(places)), on_side)
    source = 3.0 * math.pi**2 * exact * volumes
    found, _ = cg(laplacian[inside][:, inside], source[inside], rtol=1e-10)
    squares = volumes[inside] * (found - exact[inside]) ** 2
    return math.sqrt(squares.sum() / volumes.sum())


@pytest.mark.parametrize(
    ("elements", "perturb"), [("hex", 0.0), ("hex", 0.2), ("tet", 0.2), ("mixed", 0.2)]
)
def test_a_made_up_pressure_is_found_to_second_order(
    tmp_path: Path, elements: str, perturb: float
) -> None:
    coarse, fine = (error(tmp_path, n, elements, perturb) for n in (16, 32))
    assert math.log2(coarse / fine) > 1.9
