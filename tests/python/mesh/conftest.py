# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Small meshes for the tests of the mesh maker, and a plain reader of their files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
import pytest
from halocline.mesh.arrays import AnyArray, Floats
from halocline.mesh.make import Output, make_mesh
from halocline.mesh.request import Request


@dataclass(frozen=True)
class Level:
    """Everything in one level file."""

    data: dict[str, AnyArray]
    attributes: dict[str, object]

    def __getitem__(self, name: str) -> AnyArray:
        return self.data[name]

    @property
    def nodes(self) -> int:
        return len(self.data["node_coordinates"])

    def residual(self) -> Floats:
        """Residual of each dual cell relative to the area around it, entry by entry."""
        residual, area = np.zeros((self.nodes, 3)), np.zeros(self.nodes)
        edges, vectors = self["edge-->node"], self["edge_weights"]
        entries, inward = self["bnd_node-->node"][:, 0], self["bnd_node_weights"]
        np.add.at(residual, edges[:, 0], vectors)
        np.add.at(residual, edges[:, 1], -vectors)
        np.add.at(residual, entries, -inward)
        for end in (0, 1):
            np.add.at(area, edges[:, end], np.linalg.norm(vectors, axis=1))
        return np.linalg.norm(residual, axis=1) / area

    def laplacian_of_places(self) -> tuple[Floats, Floats]:
        """Sum of w (x_b - x_a) at each node (N, 3), and of its lengths (N,), edge by edge."""
        flow, scale = np.zeros((self.nodes, 3)), np.zeros(self.nodes)
        for kind in ("edge", "diagonal"):
            if f"{kind}_stiffness" not in self.data:
                continue
            a, b = self[f"{kind}-->node"].T
            x = self["node_coordinates"]
            ways = self.data.get(f"{kind}_vectors", x[b] - x[a])
            parts = self[f"{kind}_stiffness"] * ways
            np.add.at(flow, a, parts)
            np.add.at(flow, b, -parts)
            for end in (a, b):
                np.add.at(scale, end, np.linalg.norm(parts, axis=1))
        return flow, scale


Levels = list[Level]
Make = Callable[..., Levels]


def read_levels(folder: Path) -> Levels:
    levels = []
    for file in sorted(folder.glob("mesh.L*.h5")):
        with h5py.File(file, "r") as handle:
            levels.append(Level({name: handle[name][...] for name in handle}, dict(handle.attrs)))
    return levels


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Make a mesh in tmp_path / name and read it back."""

    def run(
        shape: str,
        nodes: int,
        levels: int = 3,
        *,
        name: str = "mesh",
        stretch: float = 1.0,
        aspect: tuple[float, float, float] | None = None,
        elements: str = "",
        perturb: float = 0.0,
        flow: dict[str, object] | None = None,
        **output: object,
    ) -> Levels:
        folder = tmp_path / name
        request = Request(nodes, levels, aspect, stretch, elements, perturb, **(flow or {}))  # type: ignore[arg-type]
        make_mesh(shape, request, Output(folder, **output))  # type: ignore[arg-type]
        return read_levels(folder)

    return run
