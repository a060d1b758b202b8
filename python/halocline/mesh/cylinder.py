# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Channel with a cylinder: the DFG benchmark of flow around a cylinder, in the plane and in space.

An O grid surrounds the cylinder as far as the channel is high, a block of straight lines follows
up to the outlet. Cells are about as long as wide where the request does not stretch them. Source:
M. Schaefer, S. Turek, "Benchmark computations of laminar flow around a cylinder", Notes on
Numerical Fluid Mechanics 52 (1996) 547-566, doi:10.1007/978-3-322-89849-4_39.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from halocline.errors import InvalidInputError, UsageError
from halocline.mesh.arrays import AnyArray, Floats, Ints
from halocline.mesh.block_shape import wall_clustered
from halocline.mesh.cell_division import divided, extruded
from halocline.mesh.imports.source import Patch, Source
from halocline.mesh.request import Request
from halocline.mesh.stretch import stretch

LENGTH, HEIGHT = 2.2, 0.41
CENTRE, RADIUS = (0.2, 0.2), 0.05
"""All in metres; in space the channel is as deep as high."""

FIRST, LAST = 0.5, 2.0
"""Spacing at the cylinder and at the end of the O grid, relative to the mean along a ray."""
BEHIND = 1.5
"""Length of the cells behind the O grid, relative to their width."""
FEWEST = 4
"""Cells along a side of the O grid."""


@dataclass(frozen=True)
class Sizes:
    """Cells along each side of the O grid, along its rays, behind it, and across the channel."""

    side: int
    ray: int
    behind: int
    depth: int

    @property
    def nodes(self) -> int:
        """Nodes of the mesh."""
        plane = 4 * self.side * (self.ray + 1) + self.behind * (self.side + 1)
        return plane * (self.depth + 1)


def make_cylinder(request: Request, seed: int) -> Source:
    """Return the cells of the mesh and its boundaries inlet, outlet, wall, cylinder."""
    _refuse_foreign_options(request)
    sizes = _sizes(request)
    points = _points(sizes, request.stretch)
    quads = _cells(sizes)
    sides = {name: _lines(sizes, name) for name in ("inlet", "outlet", "wall", "cylinder")}
    boundary = np.unique(np.concatenate([lines.ravel() for lines in sides.values()]))
    inner_rays = 4 * sizes.side * (sizes.ray // 2)
    flat = divided(points, quads, request.elements, kept=inner_rays)
    heights = HEIGHT * wall_clustered(max(sizes.depth, 1), request.stretch)
    mesh = Source(Path("cylinder"), points, flat, [
        Patch(name, {2: lines}, WORDS[name]) for name, lines in sides.items()
    ])  # fmt: skip
    if not request.flat:
        mesh = extruded(mesh, heights, tetrahedra=request.elements == "tet", ends="wall")
    _perturb(mesh, boundary, len(points), request.perturb, seed)
    return mesh


WORDS = {"inlet": "inlet", "outlet": "outlet", "wall": "wall", "cylinder": "blade"}
"""Words of groups that the boundaries have."""


def _refuse_foreign_options(request: Request) -> None:
    for option, given in (
        ("--cells", request.cells), ("--aspect", request.aspect), ("--periodic", request.periodic),
    ):  # fmt: skip
        if given:
            raise UsageError(
                f"{option}: cylinder is made of two blocks, whose cells follow from --nodes and"
                f" --stretch. Leave {option} out."
            )


def _sizes(request: Request) -> Sizes:
    """Choose cells so that there are about as many nodes as wanted."""
    per_side = 4.0 + (LENGTH - HEIGHT) / HEIGHT / BEHIND
    guess = (request.nodes / per_side) ** (1.0 / request.dimension)
    sizes = [
        Sizes(side, side, max(1, round(side * (per_side - 4.0))), 0 if request.flat else side)
        for side in range(max(FEWEST, int(guess) - 2), max(FEWEST, int(guess) + 2) + 1)
    ]
    best = min(sizes, key=lambda each: abs(math.log(each.nodes / request.nodes)))
    if not 0.5 <= best.nodes / request.nodes <= 2.0:
        raise InvalidInputError(
            f"--nodes {request.nodes}: this shape cannot be made with so few nodes (the nearest"
            f" possible mesh has {best.nodes}). Ask for at least {best.nodes} nodes."
        )
    return best


def _points(sizes: Sizes, ratio: float) -> Floats:
    """Nodes (N, 3): rings from the cylinder outwards, then lines across the channel."""
    outer = _outer_ring(sizes.side)
    corners = outer[:: sizes.side] - CENTRE
    angles = np.unwrap(np.arctan2(corners[:, 1], corners[:, 0]))
    angles = np.append(angles, angles[0] + 2.0 * math.pi)
    steps = np.arange(sizes.side) / sizes.side
    theta = np.concatenate([a + (b - a) * steps for a, b in pairwise(angles)])
    inner = CENTRE + RADIUS * np.stack([np.cos(theta), np.sin(theta)], axis=1)
    along = stretch(np.arange(sizes.ray + 1) / sizes.ray, FIRST / ratio, LAST)[:, None, None]
    rings = (inner + along * (outer - inner)).reshape(-1, 2)
    x_line = HEIGHT + (LENGTH - HEIGHT) * np.arange(1, sizes.behind + 1) / sizes.behind
    y_line = HEIGHT * np.arange(sizes.side + 1) / sizes.side
    behind = np.stack(np.meshgrid(x_line, y_line, indexing="ij"), axis=-1).reshape(-1, 2)
    flat = np.concatenate([rings, behind])
    return np.concatenate([flat, np.zeros((len(flat), 1))], axis=1)


def _outer_ring(side: int) -> Floats:
    """Points (4 side, 2) around the O grid, counter-clockwise from its lower right corner."""
    at = np.arange(side) / side
    one, zero = np.ones(side), np.zeros(side)
    x = np.concatenate([one, 1.0 - at, zero, at])
    y = np.concatenate([at, one, 1.0 - at, zero])
    return HEIGHT * np.stack([x, y], axis=1)


def _ring(sizes: Sizes) -> Ints:
    """Nodes (ray + 1, 4 side + 1) of the O grid; the last column is the first again."""
    around = 4 * sizes.side
    rings = np.arange((sizes.ray + 1) * around).reshape(sizes.ray + 1, around)
    return np.concatenate([rings, rings[:, :1]], axis=1)


def _block(sizes: Sizes) -> Ints:
    """Nodes (behind + 1, side + 1) behind the O grid, its right side first."""
    first = 4 * sizes.side * (sizes.ray + 1)
    rest = first + np.arange(sizes.behind * (sizes.side + 1)).reshape(sizes.behind, -1)
    return np.concatenate([_ring(sizes)[-1:, : sizes.side + 1], rest])


def _cells(sizes: Sizes) -> Ints:
    """Quadrilaterals (n, 4), counter-clockwise: ring by ring, then line by line."""
    return np.concatenate([_quads(_ring(sizes)), _quads(_block(sizes))])


def _quads(lattice: Ints) -> Ints:
    corners = [lattice[:-1, :-1], lattice[1:, :-1], lattice[1:, 1:], lattice[:-1, 1:]]
    return np.stack(corners, axis=-1).reshape(-1, 4)


def _lines(sizes: Sizes, name: str) -> AnyArray:
    """Boundary lines (n, 2) of a boundary."""
    outer, block, side = _ring(sizes)[-1], _block(sizes), sizes.side
    chains = {
        "inlet": [outer[2 * side : 3 * side + 1]],
        "outlet": [block[-1]],
        "wall": [outer[side : 2 * side + 1], outer[3 * side :], block[:, 0], block[:, -1]],
        "cylinder": [_ring(sizes)[0]],
    }
    lines = [np.stack([chain[:-1], chain[1:]], axis=1) for chain in chains[name]]
    return np.concatenate(lines).astype(np.int32)


def _perturb(mesh: Source, boundary: Ints, in_plane: int, fraction: float, seed: int) -> None:
    """Move inner nodes by at most a fraction of the way to their nearest neighbour."""
    if fraction == 0.0:
        return
    layers = len(mesh.points) // in_plane
    inner = np.ones((layers, in_plane), dtype=bool)
    inner[:, boundary] = False
    if layers > 1:
        inner[[0, -1]] = False
    moves = 2.0 * np.random.default_rng(seed).random(mesh.points.shape) - 1.0
    if layers == 1:
        moves[:, 2] = 0.0
    moves /= np.maximum(1.0, np.sqrt((moves**2).sum(axis=1)))[:, None]
    reach = fraction * _nearest(mesh) * inner.ravel()
    mesh.points += moves * reach[:, None]


def _nearest(mesh: Source) -> Floats:
    """Length (N,) of the shortest side of a cell at each node."""
    shortest = np.full(len(mesh.points), np.inf)
    for cells in mesh.cells.values():
        for a in range(cells.shape[1]):
            for b in range(a):
                way = mesh.points[cells[:, a]] - mesh.points[cells[:, b]]
                length = np.sqrt((way**2).sum(axis=1))
                np.minimum.at(shortest, cells[:, a], length)
                np.minimum.at(shortest, cells[:, b], length)
    return shortest
