# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Proves the weights of the Laplacian: linear fields have none, inside and at the boundary.

(L u)_a = sum over b of w_ab (u_b - u_a). One weight an edge, used from both ends, makes rows sum to
zero and the operator symmetric as it is stored; what can be wrong are the weights themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from halocline import hdf5
from halocline.mesh.arrays import Bools, Floats, Ints
from halocline.mesh.cells import cell_counts
from halocline.mesh.check_dual import find_duplicates
from halocline.mesh.edge_ways import edge_ways
from halocline.mesh.findings import Findings
from halocline.mesh.folder import OpenLevel, chunks

EXACT_AT_BOUNDARY = {"triangle", "quadrilateral", "tetrahedron"}
"""Cells whose faces give nodes the same share of their area in the dual and in the Laplacian."""

ROUND_OFF = 1e-12
"""Of weights; those below this part of the largest count as zero."""


@dataclass(frozen=True)
class LaplacianReport:
    """What was found: diagonals, negative weights, largest residual of x, y, z and where it is.

    Residuals are relative to the sum of |w_ab| times the length of the edge at the node.
    """

    diagonals: int
    negative: int
    residual: float
    worst_node: int
    worst_place: tuple[float, float, float]
    boundary_residual: float


class _Sums:
    """Per node: sum of w (x_b - x_a) (3, N), of |w| |x_b - x_a| and of w (N,)."""

    def __init__(self, nodes: int) -> None:
        self.flow = np.zeros((3, nodes))
        self.scale = np.zeros(nodes)
        self.weight = np.zeros(nodes)
        self.negative = 0

    def add(self, ends: Ints, weights: Floats, ways: Floats) -> None:
        """Add edges: ends (E, 2), weights (E,), ways (E, 3) from the first end to the second."""
        self.negative += int((weights < -ROUND_OFF * np.abs(weights).max(initial=0.0)).sum())
        flow = weights[:, None] * ways
        scale = np.sqrt((flow * flow).sum(axis=1))
        for node, sign in ((ends[:, 0], 1.0), (ends[:, 1], -1.0)):
            for axis in range(3):
                _scatter(self.flow[axis], node, sign * flow[:, axis])
            _scatter(self.scale, node, scale)
            _scatter(self.weight, node, weights)


def check_laplacian(
    data: dict[str, Any],
    level: OpenLevel,
    coordinates: Floats,
    base: int,
    tolerance: float,
    findings: Findings,
) -> LaplacianReport | None:
    """Check `edge_stiffness`; None where the level has none.

    Args:
        data: the datasets of the level.
        level: its file.
        coordinates: of its nodes (N, 3).
        base: what maps count from.
        tolerance: largest relative residual of a linear field.
        findings: gets what is wrong.
    """
    if "edge_stiffness" not in data:
        return None
    sums = _Sums(len(coordinates))
    _add(data, "edge", coordinates, base, sums)
    if _has_diagonals(data):
        _add(data, "diagonal", coordinates, base, sums)
        _check_diagonals(data, len(coordinates), base, findings)
    findings.add_rows(
        "edge_stiffness", "weights of a node that add up to more than zero (rows: nodes)",
        ~(sums.weight > 0.0), sums.weight, coordinates=coordinates,
    )  # fmt: skip
    inner = _inner(data, base, len(coordinates))
    relative = _relative(sums.flow, sums.scale)
    findings.add_rows(
        "edge_stiffness",
        f"linear fields have no Laplacian at inner nodes, to {tolerance:g} (rows: nodes)",
        inner & (relative > tolerance), relative, coordinates=coordinates,
    )  # fmt: skip
    at_boundary = _boundary_residual(data, level, base, sums)
    if at_boundary is not None and set(cell_counts(level.handle)) <= EXACT_AT_BOUNDARY:
        findings.add_rows(
            "edge_stiffness",
            f"linear fields flow out through the boundary alone, to {tolerance:g} (rows: nodes)",
            ~inner & (at_boundary > tolerance), at_boundary, coordinates=coordinates,
        )  # fmt: skip
    return _report(data, sums, np.where(inner, relative, 0.0), at_boundary, coordinates)


def _add(data: dict[str, Any], kind: str, coordinates: Floats, base: int, sums: _Sums) -> None:
    """Add all edges or all diagonals."""
    for first, part in chunks(data[f"{kind}-->node"]):
        ends = part.astype(np.int64) - base
        weights = data[f"{kind}_stiffness"][first : first + len(ends)].ravel()
        sums.add(ends, weights, edge_ways(data, coordinates, ends, first, kind))


def _has_diagonals(data: dict[str, Any]) -> bool:
    return {"diagonal-->node", "diagonal_stiffness"} <= data.keys()


def _check_diagonals(data: dict[str, Any], nodes: int, base: int, findings: Findings) -> None:
    """Diagonals join two nodes each, no pair twice."""
    ends_of = data["diagonal-->node"]
    for first, part in chunks(ends_of):
        loop = part[:, 0] == part[:, 1]
        findings.add_rows("diagonal-->node", "two different nodes", loop, part, first=first)
    find_duplicates("diagonal-->node", ends_of, nodes, base, findings)


def _report(
    data: dict[str, Any],
    sums: _Sums,
    relative: Floats,
    at_boundary: Floats | None,
    coordinates: Floats,
) -> LaplacianReport:
    worst = int(relative.argmax())
    x, y, z = coordinates[worst]
    return LaplacianReport(
        diagonals=data["diagonal-->node"].shape[0] if _has_diagonals(data) else 0,
        negative=sums.negative,
        residual=float(relative[worst]),
        worst_node=worst,
        worst_place=(float(x), float(y), float(z)),
        boundary_residual=0.0 if at_boundary is None else float(at_boundary.max(initial=0.0)),
    )


def _inner(data: dict[str, Any], base: int, nodes: int) -> Bools:
    inner = np.ones(nodes, dtype=bool)
    for _, part in chunks(data["bnd_node-->node"]):
        inner[part[:, 0].astype(np.int64) - base] = False
    return inner


def _boundary_residual(
    data: dict[str, Any], level: OpenLevel, base: int, sums: _Sums
) -> Floats | None:
    """Difference of a linear field's flow and the boundary's area; None without its factor."""
    factor = hdf5.numbers_of(level.attributes, "area_factor", 1)
    if factor is None or not factor[0] > 0.0:
        return None
    rest = sums.flow.copy()
    for first, part in chunks(data["bnd_node-->node"]):
        node = part[:, 0].astype(np.int64) - base
        inward = data["bnd_node_weights"][first : first + len(node)] / factor[0]
        for axis in range(3):
            _scatter(rest[axis], node, -inward[:, axis])
    return _relative(rest, sums.scale)


def _relative(flow: Floats, scale: Floats) -> Floats:
    result: Floats = np.sqrt((flow * flow).sum(axis=0))
    np.divide(result, scale, out=result, where=scale > 0.0)
    return result


def _scatter(target: Floats, index: Ints, values: Floats) -> None:
    if len(index):
        low, high = int(index.min()), int(index.max()) + 1
        target[low:high] += np.bincount(index - low, values, minlength=high - low)
