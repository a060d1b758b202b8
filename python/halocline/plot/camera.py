# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A perspective camera that fits what it sees into the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halocline.plot.arrays import Floats

DISTANCE_IN_SIZES = 3.2
ROOM = np.array([[0.03, 0.09], [0.875, 0.93]])
"""Left, top, right, bottom of the part to fill; the rest is for title, colour bar, caption."""


@dataclass(frozen=True)
class Camera:
    """Maps points to pixels; rows of `frame` are right, up and towards the viewer."""

    frame: Floats
    target: Floats
    distance: float
    scale: float
    offset: Floats

    def project(self, points: Floats) -> Floats:
        """Return (N, 3): pixel column, pixel row (down), distance from the viewer."""
        seen = (points - self.target) @ self.frame.T
        depth = self.distance - seen[:, 2]
        flat = seen[:, :2] * (self.scale * self.distance / depth)[:, None] * (1.0, -1.0)
        return np.column_stack([flat + self.offset, depth])


def fitted_camera(points: Floats, towards: Floats, up: Floats, size: tuple[int, int]) -> Camera:
    """Return the camera that looks from direction `towards` and fills a picture of `size`."""
    back = towards / np.linalg.norm(towards)
    right = np.cross(up, back)
    right /= np.linalg.norm(right)
    frame = np.array([right, np.cross(back, right), back])
    target = 0.5 * (points.min(axis=0) + points.max(axis=0))
    distance = DISTANCE_IN_SIZES * float(np.max(np.linalg.norm(points - target, axis=1)))
    unit = Camera(frame, target, distance, 1.0, np.zeros(2)).project(points)[:, :2]
    low, high = unit.min(axis=0), unit.max(axis=0)
    room = ROOM * size
    scale = float(np.min((room[1] - room[0]) / np.maximum(high - low, 1e-300)))
    offset = 0.5 * (room[0] + room[1]) - 0.5 * scale * (low + high)
    return Camera(frame, target, distance, scale, offset)
