# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks any mesh in MG-CFD's format, reading it piece by piece.

What is held in memory are about 80 bytes a node of one level, never the edges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from halocline import hdf5
from halocline.mesh import groups
from halocline.mesh.check_cells import check_cells
from halocline.mesh.check_dual import DualSums, check_boundary, check_dual, check_edges
from halocline.mesh.check_flow import (
    check_boundary_areas,
    check_dimension,
    check_wall_distance,
)
from halocline.mesh.check_laplacian import LaplacianReport, check_laplacian
from halocline.mesh.findings import Findings, Violation
from halocline.mesh.folder import (
    REQUIRED,
    SHAPES,
    MeshFolder,
    OpenLevel,
    chunks,
    find_dataset,
    form_of,
    has_form,
    open_folder,
    open_level,
)
from halocline.mesh.periodic import check_periodic
from halocline.mesh.quality import Quality, group_areas

TOLERANCE = 1e-10
"""Largest residual of a closed dual cell, relative to the area of its surface."""

Progress = Callable[[str, int, int], None]


@dataclass
class LevelReport:
    """What was found on one level."""

    file: str
    nodes: int = 0
    edges: int = 0
    quality: Quality | None = None
    groups: dict[int, dict[str, float | int]] = field(default_factory=dict)
    children: tuple[int, float, int] | None = None
    cells: dict[str, int] = field(default_factory=dict)
    laplacian: LaplacianReport | None = None
    wall_distance: float | None = None
    violations: list[Violation] = field(default_factory=list)


@dataclass
class MeshReport:
    """Result of a check: one report a level, finest first."""

    folder: str
    levels: list[LevelReport]

    @property
    def ok(self) -> bool:
        """True when no rule is violated."""
        return not any(level.violations for level in self.levels)


def check_mesh(
    path: Path, tolerance: float = TOLERANCE, progress: Progress | None = None
) -> MeshReport:
    """Check all levels of a mesh folder.

    Args:
        path: the folder, or an input file in it.
        tolerance: largest relative residual of a dual cell that counts as closed.
        progress: called with the level that is being read.

    Raises:
        InvalidInputError: input.dat or a level file cannot be read at all.
    """
    folder = open_folder(path)
    reports = []
    for level, file in enumerate(folder.files):
        if progress is not None:
            progress(f"Checking {file.name}", level, len(folder.files))
        reports.append(check_level(folder, level, tolerance))
    _check_coarsening(reports)
    return MeshReport(str(path), reports)


def check_level(folder: MeshFolder, level: int, tolerance: float) -> LevelReport:
    """Check one level of a mesh, 0 the finest."""
    file = folder.files[level]
    findings = Findings(file.name)
    report = LevelReport(file.name)
    with open_level(file) as handle:
        data = _datasets(handle, findings, needs_parents=level + 1 < len(folder.files))
        if data is not None:
            report.nodes, report.edges = _rows(data["node_coordinates"]), _rows(data["edge-->node"])
            if _check_values(data, folder.base, findings):
                opened = OpenLevel(handle, hdf5.attributes(handle))
                _check_geometry(data, opened, folder.base, tolerance, findings, report)
            if level + 1 < len(folder.files):
                report.children = _check_parents(data, folder, level, findings)
    report.violations = findings.violations
    return report


def _datasets(
    handle: h5py.File, findings: Findings, *, needs_parents: bool
) -> dict[str, Any] | None:
    """Find all datasets; None when one that the rest needs is missing or has a wrong form."""
    found = {name: find_dataset(handle, name) for name in SHAPES}
    data = {name: dataset for name, dataset in found.items() if dataset is not None}
    required = (*REQUIRED, "node-->mg_node") if needs_parents else REQUIRED
    complete = True
    for name in required:
        if name not in data:
            findings.add(name, "the dataset exists")
            complete = False
    for name, dataset in list(data.items()):
        if not has_form(name, dataset):
            findings.add(name, form_of(name))
            complete = complete and name not in required
            del data[name]
        else:
            hdf5.require_numbers(dataset)
    if not complete:
        return None
    return data if _check_lengths(data, findings) else None


def _check_lengths(data: dict[str, Any], findings: Findings) -> bool:
    same = (
        ("areas", "node_coordinates"),
        ("node-->mg_node", "node_coordinates"),
        ("edge_weights", "edge-->node"),
        ("bnd_node-->group", "bnd_node-->node"),
        ("bnd_node_weights", "bnd_node-->node"),
        ("edge_stiffness", "edge-->node"),
        ("edge_vectors", "edge-->node"),
        ("diagonal_stiffness", "diagonal-->node"),
        ("diagonal_vectors", "diagonal-->node"),
        ("edge_faces", "edge-->node"),
        ("diagonal_faces", "diagonal-->node"),
        ("wall_distance", "node_coordinates"),
        ("nearest_wall_node", "node_coordinates"),
        ("bnd_quad_group", "bnd_quads"),
    )
    fine = True
    for name, partner in same:
        both = name in data and partner in data
        if both and _rows(data[name]) != _rows(data[partner]):
            findings.add(name, f"as many rows as {partner}")
            fine = False
    if _rows(data["node_coordinates"]) == 0:
        findings.add("node_coordinates", "at least one node")
        fine = False
    return fine


def _check_values(data: dict[str, Any], base: int, findings: Findings) -> bool:
    """Finite numbers and maps in range; true when geometry can be computed."""
    fine = True
    nodes = _rows(data["node_coordinates"])
    for name, dataset in data.items():
        if name == "node-->mg_node":
            continue
        if name in ("bnd_node-->group", "bnd_quad_group"):
            _check_groups(name, dataset, findings)
            continue
        real = SHAPES[name][1] == "f"
        rule = f"node indices from {base} to {nodes - 1 + base}"
        for first, part in chunks(dataset):
            good = np.isfinite(part) if real else (part >= base) & (part < nodes + base)
            bad = np.logical_not(good.all(axis=1))
            findings.add_rows(name, "finite numbers" if real else rule, bad, part, first=first)
            fine = fine and not bad.any()
    return fine


def _check_groups(name: str, dataset: Any, findings: Findings) -> None:
    rule = f"boundary groups from {groups.FIRST} to {groups.LAST}"
    for first, part in chunks(dataset):
        bad = np.asarray(((part < groups.FIRST) | (part > groups.LAST)).any(axis=1))
        findings.add_rows(name, rule, bad, part, first=first)


def _check_geometry(
    data: dict[str, Any],
    level: OpenLevel,
    base: int,
    tolerance: float,
    findings: Findings,
    report: LevelReport,
) -> None:
    coordinates = data["node_coordinates"][...]
    sums = DualSums(len(coordinates))
    quality = Quality()
    check_edges(data, coordinates, base, sums, quality, findings)
    check_boundary(data, base, sums)
    volumes = data["areas"][...].ravel() if "areas" in data else sums.edge_volumes
    check_dual(coordinates, volumes, sums, tolerance, findings)
    quality.finish(data, coordinates, volumes, sums, base)
    check_dimension(data, level, coordinates, findings)
    check_boundary_areas(data, level, coordinates, base, tolerance, findings)
    report.laplacian = check_laplacian(data, level, coordinates, base, tolerance, findings)
    report.wall_distance = check_wall_distance(data, level, coordinates, base, findings)
    check_periodic(data, base, level.attributes, coordinates, findings)
    areas = volumes if "areas" in data else None
    report.cells = check_cells(level, coordinates, areas, tolerance, findings)
    report.quality = quality
    report.groups = group_areas(data)


def _check_parents(
    data: dict[str, Any], folder: MeshFolder, level: int, findings: Findings
) -> tuple[int, float, int] | None:
    """Parents in range and every coarse node with a child; fewest, mean and most children."""
    with open_level(folder.files[level + 1]) as coarse:
        coarse_nodes = find_dataset(coarse, "node_coordinates")
        if coarse_nodes is None or not has_form("node_coordinates", coarse_nodes):
            return None
        hdf5.require_numbers(coarse_nodes)
        count = _rows(coarse_nodes)
        children = np.zeros(count, dtype=np.int64)
        for first, part in chunks(data["node-->mg_node"]):
            parent = part[:, 0].astype(np.int64) - folder.base
            bad = (parent < 0) | (parent >= count)
            rule = f"indices of level {level + 1}, from {folder.base} to {count - 1 + folder.base}"
            findings.add_rows(
                "node-->mg_node",
                rule,
                bad,
                part,
                first=first,
                coordinates=data["node_coordinates"],
            )
            children += np.bincount(parent[~bad], minlength=count)
        findings.add_rows(
            "node-->mg_node",
            f"every node of level {level + 1} has a child (rows: its nodes)",
            children == 0,
            children,
            coordinates=coarse_nodes,
        )
    return int(children.min()), float(children.mean()), int(children.max())


def _check_coarsening(reports: list[LevelReport]) -> None:
    for fine, coarse in pairwise(reports):
        if fine.nodes and coarse.nodes and coarse.nodes >= fine.nodes:
            findings = Findings(coarse.file)
            findings.add("node_coordinates", f"fewer nodes than {fine.file} ({fine.nodes})")
            coarse.violations.extend(findings.violations)


def _rows(dataset: Any) -> int:
    return int(dataset.shape[0])
