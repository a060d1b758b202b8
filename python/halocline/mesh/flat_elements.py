# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Divisions of a lattice cell in the x-y plane into quadrilaterals or triangles.

Corners are numbered as in elements.py, with no step along k: 4 di + 2 dj; cells run around them
counter-clockwise, which is VTK's order.
"""

from __future__ import annotations

from halocline.mesh.elements import MIXED, CellPattern

QUAD, TRI = "quad", "tri"
FLAT_ELEMENTS = (QUAD, TRI, MIXED)

QUADRILATERALS: CellPattern = ((0, 4, 6, 2),)
TRIANGLES: CellPattern = ((0, 4, 6), (0, 6, 2))
"""Cut along the diagonal from the lowest corner to the highest."""


def flat_layers(elements: str, layers: int) -> list[CellPattern]:
    """Cells of each layer along i; `mixed` has triangles in the first half."""
    triangles = {QUAD: 0, TRI: layers}.get(elements, (layers + 1) // 2)
    return [TRIANGLES] * triangles + [QUADRILATERALS] * (layers - triangles)
