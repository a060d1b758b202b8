# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Quality numbers of an edge-based mesh, and the area of its boundary groups."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from halocline.mesh.arrays import Floats
from halocline.mesh.folder import chunks

if TYPE_CHECKING:
    from halocline.mesh.check_dual import DualSums


@dataclass
class Quality:
    """Numbers by which meshes are judged.

    Non-orthogonality is the angle between an edge and the normal of its dual face; skewness is
    1 - cos of it; the aspect ratio of a node is its longest edge over its shortest; the volume
    ratio is that of the two dual volumes at an edge; closure is the largest residual of a dual
    cell relative to its surface.
    """

    non_orthogonality_max_deg: float = 0.0
    non_orthogonality_mean_deg: float = 0.0
    skewness_max: float = 0.0
    reversed_edges: int = 0
    aspect_ratio_max: float = 0.0
    aspect_ratio_mean: float = 0.0
    volume_ratio_max: float = 0.0
    volume_min: float = 0.0
    volume_max: float = 0.0
    volume_sum: float = 0.0
    edges_per_node_min: int = 0
    edges_per_node_mean: float = 0.0
    edges_per_node_max: int = 0
    closure_max: float = 0.0

    def add_edges(self, along: Floats, vectors: Floats, length: Floats, area: Floats) -> None:
        """Add a piece of the edges: edge vectors (E, 3), face vectors (E, 3) and their norms."""
        scale = length * area
        cosine = np.ones_like(scale)
        np.divide((along * vectors).sum(axis=1), scale, out=cosine, where=scale > 0.0)
        cosine = np.clip(cosine, -1.0, 1.0)
        self.reversed_edges += int((cosine <= 0.0).sum())
        self.skewness_max = max(self.skewness_max, float(1.0 - cosine.min(initial=1.0)))
        self.non_orthogonality_mean_deg += math.degrees(float(np.arccos(cosine).sum()))

    def finish(
        self,
        data: dict[str, Any],
        coordinates: Floats,
        volumes: Floats,
        sums: DualSums,
        base: int,
    ) -> None:
        """Complete the numbers that need all edges."""
        from halocline.mesh.check_dual import closure

        edges = data["edge-->node"].shape[0]
        self.non_orthogonality_max_deg = math.degrees(math.acos(max(-1.0, 1.0 - self.skewness_max)))
        self.non_orthogonality_mean_deg /= max(edges, 1)
        connected = (sums.degree > 0) & (sums.shortest > 0.0)
        aspect = sums.longest[connected] / sums.shortest[connected]
        if len(aspect):
            self.aspect_ratio_max, self.aspect_ratio_mean = (
                float(aspect.max()),
                float(aspect.mean()),
            )
        self.volume_min, self.volume_max = float(volumes.min()), float(volumes.max())
        self.volume_sum = float(volumes.sum())
        self.edges_per_node_min = int(sums.degree.min())
        self.edges_per_node_max = int(sums.degree.max())
        self.edges_per_node_mean = 2.0 * edges / len(coordinates)
        self.closure_max = float(closure(sums).max())
        for _, part in chunks(data["edge-->node"]):
            ends = volumes[part.astype(np.int64) - base]
            low, high = ends.min(axis=1), ends.max(axis=1)
            ratio = (high[low > 0.0] / low[low > 0.0]).max(initial=0.0)
            self.volume_ratio_max = max(self.volume_ratio_max, float(ratio))


def group_areas(data: dict[str, Any]) -> dict[int, dict[str, float | int]]:
    """Entries and area of each boundary group; areas carry the factor of the mesh's scaling."""
    totals: dict[int, dict[str, float | int]] = {}
    for first, part in chunks(data["bnd_node-->group"]):
        vectors = data["bnd_node_weights"][first : first + len(part)]
        area = np.sqrt((vectors**2).sum(axis=1))
        for group in np.unique(part):
            mine = part[:, 0] == group
            total = totals.setdefault(int(group), {"entries": 0, "area": 0.0})
            total["entries"] += int(mine.sum())
            total["area"] += float(area[mine].sum())
    return dict(sorted(totals.items()))
