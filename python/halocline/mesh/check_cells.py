# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the cells that a level keeps: corners, orientation, and volumes against the dual's."""

from __future__ import annotations

from typing import Any

import numpy as np

from halocline import hdf5
from halocline.mesh.arrays import Bools, Floats, Ints
from halocline.mesh.cells import (
    CONVEX,
    KINDS,
    cell_datasets,
    cell_volumes,
    corners_of,
    pieces,
    repeats_no_node,
)
from halocline.mesh.edge_ways import periods_of, unwrapped
from halocline.mesh.findings import Findings
from halocline.mesh.folder import OpenLevel

VOLUME_TOLERANCE = 1e-10
"""Least relative difference of two sums of volumes that counts as one: sums of round-off."""


def check_cells(
    level: OpenLevel,
    coordinates: Floats,
    volumes: Floats | None,
    tolerance: float,
    findings: Findings,
) -> dict[str, int]:
    """Check all cells of a level; a level without any is fine.

    Args:
        level: its file.
        coordinates: of its nodes (N, 3).
        volumes: dual volumes (N,), None where the file has none.
        tolerance: largest relative difference between the sums of both volumes.
        findings: gets what is wrong.

    Returns:
        Cells by kind.
    """
    used = np.zeros(len(coordinates), dtype=bool)
    periods = periods_of(level.attributes)
    counts: dict[str, int] = {}
    total, fine = 0.0, True
    for name, dataset in cell_datasets(level.handle).items():
        if not _has_form(name, dataset, findings):
            fine = False
            continue
        counts[name.removeprefix("cells_")] = int(dataset.shape[0])
        volume = _check_kind((name, dataset), coordinates, periods, used, findings)
        fine = fine and volume is not None
        total += volume or 0.0
    if not counts or not fine:
        return counts
    findings.add_rows(
        "cells", "every node is a corner of a cell (rows: nodes)", ~used, used.astype(int),
        coordinates=coordinates,
    )  # fmt: skip
    if volumes is not None and not any(f"cells_{kind}".startswith(CONVEX) for kind in counts):
        _check_sum(total, float(volumes.sum()), tolerance, findings)
    return counts


def _has_form(name: str, dataset: Any, findings: Findings) -> bool:
    corners = corners_of(name)
    if corners is None:
        findings.add(name, f"a known kind of cell: {', '.join(KINDS)} or {CONVEX}<corners>")
        return False
    if hdf5.kind(dataset) != "i" or dataset.shape is None or dataset.shape[1:] != (corners,):
        findings.add(name, f"{corners} columns of integer numbers")
        return False
    hdf5.require_numbers(dataset)
    return True


def _check_kind(
    named: tuple[str, Any],
    coordinates: Floats,
    periods: Floats | None,
    used: Bools,
    findings: Findings,
) -> float | None:
    """Check the cells of one dataset; their volume, None where corners are out of range."""
    name, dataset = named
    nodes, total, fine = len(coordinates), 0.0, True
    kind = KINDS.get(name)
    for first, cells in pieces(dataset):
        outside = np.asarray(((cells < 0) | (cells >= nodes)).any(axis=1))
        findings.add_rows(name, f"corners from 0 to {nodes - 1}", outside, cells, first=first)
        if outside.any():
            fine = False
            continue
        used[cells.ravel()] = True
        if kind is None:
            _check_convex(name, cells, first, findings)
            continue
        volumes = cell_volumes(kind, unwrapped(coordinates[cells], periods))
        what = "volume" if kind.dimension == 3 else "area"
        rule = f"cells of {what} above zero (corners in VTK's order)"
        findings.add_rows(name, rule, ~(volumes > 0.0), volumes, first=first)
        total += float(volumes.sum())
    return total if fine else None


def _check_convex(name: str, cells: Ints, first: int, findings: Findings) -> None:
    findings.add_rows(
        name, "corners that are all different", ~repeats_no_node(cells), cells, first=first
    )


def _check_sum(cells: float, duals: float, tolerance: float, findings: Findings) -> None:
    if not abs(cells - duals) <= max(tolerance, VOLUME_TOLERANCE) * abs(duals):
        findings.add(
            "cells", f"cells of the volume of all dual cells ({duals:.9g}), not {cells:.9g}"
        )
