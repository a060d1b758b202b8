# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks what flow solvers need besides duals: the dimension, boundary areas, wall distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from halocline import hdf5
from halocline.mesh.arrays import Bools, Floats
from halocline.mesh.cells import KINDS, cell_counts
from halocline.mesh.edge_ways import images_near, periods_of, unwrapped
from halocline.mesh.findings import Findings
from halocline.mesh.folder import OpenLevel, chunks

ROUND_OFF = 1e-12
"""Of a distance, relative to the extent of the mesh."""


def check_dimension(
    data: dict[str, Any], level: OpenLevel, coordinates: Floats, findings: Findings
) -> None:
    """A mesh that says it is flat lies in a plane z = constant, vectors and cells included."""
    said = hdf5.numbers_of(level.attributes, "dimension", 1)
    if said is None:
        return
    dimension = said[0]
    if dimension not in (2, 3):
        findings.add("dimension", "the attribute is 2 or 3")
        return
    wrong = [
        name for name in cell_counts(level.handle)
        if f"cells_{name}" in KINDS and KINDS[f"cells_{name}"].dimension != dimension
    ]  # fmt: skip
    for name in wrong:
        findings.add(f"cells_{name}", f"no cells of this kind, as `dimension` is {dimension:g}")
    if dimension == 3:
        return
    rule = "vectors in the x-y plane, as `dimension` is 2"
    bad = coordinates[:, 2] != coordinates[0, 2]
    findings.add_rows(
        "node_coordinates", "nodes at one z, as `dimension` is 2", bad, coordinates
    )  # fmt: skip
    for name in ("edge_weights", "bnd_node_weights"):
        for first, part in chunks(data[name]):
            findings.add_rows(name, rule, part[:, 2] != 0.0, part, first=first)


def check_boundary_areas(
    data: dict[str, Any],
    level: OpenLevel,
    coordinates: Floats,
    base: int,
    tolerance: float,
    findings: Findings,
) -> None:
    """The boundary faces of a group have the area vector of its entries."""
    factor = hdf5.numbers_of(level.attributes, "area_factor", 1)
    if not {"bnd_quads", "bnd_quad_group"} <= data.keys():
        return
    if factor is None or not factor[0] > 0.0:
        return
    periods = periods_of(level.attributes)
    of_faces = _face_sums(data, coordinates, base, periods)
    of_entries = _sums(data["bnd_node-->group"], data["bnd_node_weights"], -1.0 / factor[0])
    for group in sorted(of_faces.keys() | of_entries.keys()):
        area, vector = of_faces.get(group, (0.0, np.zeros(3)))
        other = of_entries.get(group, (0.0, np.zeros(3)))[1]
        if not np.abs(vector - other).max() <= tolerance * max(area, 1e-300):
            findings.add(
                "bnd_quads",
                f"faces of group {group} with the area vector of its entries ({_show(other)}),"
                f" not {_show(vector)}",
            )


def _face_sums(
    data: dict[str, Any], coordinates: Floats, base: int, periods: Floats | None
) -> dict[int, tuple[float, Floats]]:
    total: dict[int, tuple[float, Floats]] = {}
    for first, part in chunks(data["bnd_quads"]):
        corners = unwrapped(coordinates[part.astype(np.int64) - base], periods)
        area = 0.5 * np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
        along = corners[:, 1] - corners[:, 0]
        line = (part[:, 1] == part[:, 2]) & (part[:, 2] == part[:, 3])
        area[line] = np.stack([along[:, 1], -along[:, 0], np.zeros(len(along))], axis=1)[line]
        _add(total, np.ravel(data["bnd_quad_group"][first : first + len(part)]), area)
    return total


def _sums(group: Any, vectors: Any, factor: float) -> dict[int, tuple[float, Floats]]:
    total: dict[int, tuple[float, Floats]] = {}
    for first, part in chunks(group):
        _add(total, part[:, 0], vectors[first : first + len(part)] * factor)
    return total


def _add(total: dict[int, tuple[float, Floats]], group: Any, vectors: Floats) -> None:
    for number in np.unique(group):
        mine = vectors[group == number]
        size, vector = total.get(int(number), (0.0, np.zeros(3)))
        size += float(np.sqrt((mine * mine).sum(axis=1)).sum())
        total[int(number)] = (size, vector + mine.sum(axis=0))


def check_wall_distance(
    data: dict[str, Any], level: OpenLevel, coordinates: Floats, base: int, findings: Findings
) -> float | None:
    """Distances are zero at walls alone and never above the way to the nearest wall node.

    Returns:
        The largest distance; None where the level has none.
    """
    if "wall_distance" not in data or "nearest_wall_node" not in data:
        return None
    on_boundary = _boundary_nodes(data, base, len(coordinates))
    extent = float(np.ptp(coordinates, axis=0).max())
    periods = periods_of(level.attributes)
    largest = 0.0
    for first, part in chunks(data["wall_distance"]):
        distance = part[:, 0]
        nearest = np.ravel(data["nearest_wall_node"][first : first + len(part)]).astype(int) - base
        here = coordinates[first : first + len(part)]
        there = images_near(coordinates[nearest], here, periods)
        way = np.sqrt(((there - here) ** 2).sum(axis=1))
        own = nearest == np.arange(first, first + len(part))
        walls = on_boundary[nearest]
        findings.add_rows("nearest_wall_node", "nodes of the boundary", ~walls, nearest + base,
                          first=first, coordinates=coordinates)  # fmt: skip
        findings.add_rows("wall_distance", "zero at nodes that are their own wall node alone",
                          own != (distance == 0.0), distance, first=first,
                          coordinates=coordinates)  # fmt: skip
        findings.add_rows("wall_distance", "at most the way to the nearest wall node",
                          ~((distance >= 0.0) & (distance <= way + ROUND_OFF * extent)), distance,
                          first=first, coordinates=coordinates)  # fmt: skip
        largest = max(largest, float(distance.max(initial=0.0)))
    return largest


def _boundary_nodes(data: dict[str, Any], base: int, nodes: int) -> Bools:
    found = np.zeros(nodes, dtype=bool)
    for _, part in chunks(data["bnd_node-->node"]):
        found[part[:, 0].astype(np.int64) - base] = True
    return found


def _show(vector: Floats) -> str:
    return ", ".join(f"{part:.6g}" for part in vector)
