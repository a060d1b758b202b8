# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that periodic pairs of nodes are images of each other under the file's rotation."""

from __future__ import annotations

from typing import Any

import numpy as np

from halocline import hdf5
from halocline.mesh.arrays import Floats
from halocline.mesh.findings import Findings
from halocline.mesh.folder import chunks

TOLERANCE = 1e-9
"""Largest distance of a node from the image of its partner, relative to the size of the mesh."""


def check_periodic(
    data: dict[str, Any],
    base: int,
    attributes: dict[str, Any],
    coordinates: Floats,
    findings: Findings,
) -> None:
    """Compare the second node of each pair with the rotated first one."""
    pairs = data.get("periodic_node_pairs")
    axis = hdf5.numbers_of(attributes, "rotation_axis", 3)
    angle = hdf5.numbers_of(attributes, "periodic_angle_rad", 1)
    if pairs is None or axis is None or angle is None or not axis.any():
        return
    rotation = rotation_matrix(axis, float(angle[0]))
    size = float(np.ptp(coordinates, axis=0).max())
    for first, part in chunks(pairs):
        pair = part - base
        image = coordinates[pair[:, 0]] @ rotation.T
        distance = np.sqrt(((image - coordinates[pair[:, 1]]) ** 2).sum(axis=1))
        findings.add_rows(
            "periodic_node_pairs",
            "second node is the first, rotated",
            distance > TOLERANCE * size,
            part,
            first=first,
        )


def rotation_matrix(axis: Floats, angle_rad: float) -> Floats:
    """Matrix that turns about an axis through the origin by the right-hand rule (Rodrigues)."""
    x, y, z = axis / np.sqrt((axis**2).sum())
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    result: Floats = np.eye(3) + np.sin(angle_rad) * cross + (1 - np.cos(angle_rad)) * cross @ cross
    return result
