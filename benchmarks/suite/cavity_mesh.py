# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""One layer of cubes as a mesh of the cavity in Gmsh's format 2.2, in which groups are numbers.

Front and back are in no group.
"""

from __future__ import annotations

from typing import TextIO

import numpy as np

LID, WALL, CELLS = 1, 2, 3  # groups
QUADRANGLE, HEXAHEDRON = 3, 5  # Gmsh's numbers of element types


def write_mesh(file: TextIO, side: int) -> None:
    """Write nodes layer by layer, then boundary quadrangles and cells, rows of y from below."""
    count = 2 * (side + 1) ** 2
    z, y, x = np.indices((2, side + 1, side + 1)).reshape(3, count)
    numbers = np.arange(1, count + 1)
    file.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{count}\n")
    nodes = np.column_stack([numbers, x / side, y / side, z / side])
    np.savetxt(file, nodes, fmt="%d %.17g %.17g %.17g")
    back, front = numbers.reshape(2, side + 1, side + 1)
    edges = ((back[0], front[0]), (back[:, 0], front[:, 0]), (back[:, -1], front[:, -1]))
    elements = [
        _elements(QUADRANGLE, LID, _strip(back[-1], front[-1])),
        *(_elements(QUADRANGLE, WALL, _strip(*edge)) for edge in edges),
        _elements(HEXAHEDRON, CELLS, np.hstack([_squares(back), _squares(front)])),
    ]
    file.write(f"$EndNodes\n$Elements\n{sum(map(len, elements))}\n")
    first = 1
    for group in elements:
        group[:, 0] += first
        np.savetxt(file, group, fmt="%d")
        first += len(group)
    file.write("$EndElements\n")


def _elements(kind: int, group: int, nodes: np.ndarray) -> np.ndarray:
    """Return lines of Gmsh: number from 0, type, two tags, group twice, nodes."""
    head = np.tile([0, kind, 2, group, group], (len(nodes), 1))
    head[:, 0] = np.arange(len(nodes))
    return np.hstack([head, nodes])


def _strip(back: np.ndarray, front: np.ndarray) -> np.ndarray:
    """Return the nodes of quadrangles between two lines of nodes."""
    return np.column_stack([back[:-1], back[1:], front[1:], front[:-1]])


def _squares(nodes: np.ndarray) -> np.ndarray:
    """Return the nodes of all squares of a grid, row by row, against the clock."""
    corners = (nodes[:-1, :-1], nodes[:-1, 1:], nodes[1:, 1:], nodes[1:, :-1])
    return np.column_stack([corner.ravel() for corner in corners])
