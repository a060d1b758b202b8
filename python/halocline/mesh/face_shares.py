# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Divides boundary faces among their corners: what each node's dual cell has of the boundary."""

from __future__ import annotations

import numpy as np

from halocline.mesh.arrays import Floats


def face_shares(corners: Floats) -> Floats:
    """Return outward area vectors (F, k, 3) of the parts of faces that belong to their corners.

    Args:
        corners: (F, k, 3), k corners of each face, counterclockwise from outside.
    """
    middle = corners.mean(axis=1, keepdims=True)
    across = 0.5 * (np.roll(corners, 1, axis=1) - np.roll(corners, -1, axis=1))
    return 0.5 * np.cross(middle - corners, across)


def line_shares(ends: Floats) -> Floats:
    """Return outward vectors (F, 2, 3) of the halves of lines, of which the fluid lies left."""
    along = 0.5 * (ends[:, 1] - ends[:, 0])
    normal = np.stack([along[:, 1], -along[:, 0], np.zeros(len(ends))], axis=1)
    return np.repeat(normal[:, None], 2, axis=1)
