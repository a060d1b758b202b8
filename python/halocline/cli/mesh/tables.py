# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables that the `halocline mesh` verbs print."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from halocline.cli.output import console, table
from halocline.mesh.groups import kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from halocline.mesh.check import LevelReport, MeshReport
    from halocline.mesh.findings import Place
    from halocline.mesh.imports.run import Imported
    from halocline.mesh.info import LevelInfo, MeshInfo
    from halocline.mesh.quality import Quality

# Attributes of the finest level that other tables of `mesh info` have.
SHOWN_ELSEWHERE = ("bnd_group_names", "level", "levels")


def print_levels(title: str, levels: list[dict[str, Any]]) -> None:
    """Print sizes of the levels; rows as `LevelSummary` or `LevelInfo` name them."""
    numbers = ("Level", "Nodes", "Ratio", "Edges", "Boundary entries", "MB")
    made = table(title, "File", *numbers, right=numbers)
    finer = None
    for number, level in enumerate(levels):
        made.add_row(
            level["file"],
            str(number),
            f"{level['nodes']:,}",
            f"{finer / level['nodes']:.1f}" if finer else "",
            f"{level['edges']:,}",
            f"{level['boundary_entries']:,}",
            f"{level['size_bytes'] / 1e6:.1f}",
        )
        finer = level["nodes"]
    console().print(made)


def print_info(info: MeshInfo) -> None:
    """Print what `mesh info` found."""
    print_levels(f"Mesh in {info.folder} (maps count from {info.base})", asdict(info)["levels"])
    groups = table("Boundary entries", "Group", "Name", "In MG-CFD", *_level_titles(info.levels))
    for group, name in info.group_names.items():
        counts = [f"{level.groups.get(group, 0):,}" for level in info.levels]
        groups.add_row(str(group), name, info.group_kinds[group], *counts)
    facts = table("Finest level", "Fact", "Value")
    low, high = info.levels[0].box
    for axis, start, end in zip("xyz", low, high, strict=True):
        facts.add_row(f"{axis} from, to", f"{start:.6g}, {end:.6g}")
    facts.add_row("periodic pairs", f"{info.levels[0].periodic_pairs:,}")
    diagonals = info.levels[0].diagonals
    facts.add_row("Laplacian", "no" if diagonals is None else f"yes, {diagonals:,} diagonals")
    for name, value in info.origin.items():
        if name not in SHOWN_ELSEWHERE:
            facts.add_row(name.replace("_", " "), _fact(value))
    console().print(groups, *_cells(info.levels), facts)


def _fact(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _cells(levels: Sequence[LevelInfo]) -> list[Any]:
    """Table of cells by kind; none where no level keeps its cells."""
    kinds = list(dict.fromkeys(kind for level in levels for kind in level.cells))
    if not kinds:
        return []
    made = table("Cells", "Kind", *_level_titles(levels), right=tuple(_level_titles(levels)))
    for each in kinds:
        counts = [level.cells.get(each, 0) for level in levels]
        made.add_row(each.replace("_", " "), *(f"{count:,}" if count else "" for count in counts))
    return [made]


def print_imported(title: str, imported: Imported) -> None:
    """Print what `mesh import` made."""
    right = ("Faces",)
    made = table("Boundaries", "Name", "Faces", "Group", "In MG-CFD", "Said by", right=right)
    for entry in imported.boundaries:
        if entry.faces:
            word = kind(entry.group)
            made.add_row(entry.name, f"{entry.faces:,}", str(entry.group), word, entry.by)
    cells = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in imported.cells.items())
    console().print(made)
    print_levels(title, [asdict(level) for level in imported.levels])
    console().print(f"{imported.format}, {imported.dimension}-D, cells: {cells}", markup=False)
    worst = ", ".join(f"{value:.1e}" for value in imported.closure)
    console().print(
        f"Every rule of `mesh check` holds on every level. Dual cells are closed, and a uniform "
        f"flow is kept, to {worst} of their surface.",
        markup=False,
    )


def print_report(report: MeshReport) -> None:
    """Print what `mesh check` found."""
    _print_quality(report)
    _print_violations(report)


def _level_titles(levels: Sequence[object]) -> list[str]:
    return [f"L{number}" for number in range(len(levels))]


def _print_quality(report: MeshReport) -> None:
    made = table(f"Quality of {report.folder}", "Measure", *_level_titles(report.levels))
    rows: list[tuple[str, Callable[[LevelReport, Quality], str]]] = [
        ("nodes", lambda level, _: f"{level.nodes:,}"),
        ("edges", lambda level, _: f"{level.edges:,}"),
        ("cells", lambda level, _: f"{sum(level.cells.values()):,}" if level.cells else ""),
        ("closure, largest residual", lambda _, q: f"{q.closure_max:.1e}"),
        ("dual volume, smallest", lambda _, q: f"{q.volume_min:.3e}"),
        ("dual volume, sum", lambda _, q: f"{q.volume_sum:.6g}"),
        ("volume ratio at an edge, largest", lambda _, q: f"{q.volume_ratio_max:.2f}"),
        ("non-orthogonality, mean", lambda _, q: f"{q.non_orthogonality_mean_deg:.1f} deg"),
        ("non-orthogonality, largest", lambda _, q: f"{q.non_orthogonality_max_deg:.1f} deg"),
        ("skewness, largest", lambda _, q: f"{q.skewness_max:.3f}"),
        ("edges against their face", lambda _, q: f"{q.reversed_edges:,}"),
        ("aspect ratio, mean", lambda _, q: f"{q.aspect_ratio_mean:.1f}"),
        ("aspect ratio, largest", lambda _, q: f"{q.aspect_ratio_max:.1f}"),
        ("edges per node", lambda _, q: f"{q.edges_per_node_min} to {q.edges_per_node_max}"),
        ("children per coarse node", lambda level, _: _children(level)),
        *_flow_rows(report),
    ]
    for name, value in rows:
        cells = [value(level, level.quality) if level.quality else "" for level in report.levels]
        made.add_row(name, *cells)
    groups = table(
        "Boundary area (with the factor of the mesh)",
        "Group",
        "In MG-CFD",
        *_level_titles(report.levels),
    )
    for group in sorted({group for level in report.levels for group in level.groups}):
        areas = [level.groups.get(group) for level in report.levels]
        groups.add_row(str(group), kind(group), *(f"{a['area']:.6g}" if a else "" for a in areas))
    console().print(made, groups)


def _flow_rows(
    report: MeshReport,
) -> list[tuple[str, Callable[[LevelReport, Quality], str]]]:
    """Rows about the data of a Laplacian, where any level has them."""
    rows: list[tuple[str, Callable[[LevelReport, Quality], str]]] = []
    if any(level.laplacian for level in report.levels):
        rows += [
            ("Laplacian: residual of linear fields", lambda v, _: _of(v, "residual", ".1e")),
            ("Laplacian: worst node", lambda v, _: _of(v, "worst_node", ",")),
            ("Laplacian: negative weights", lambda v, _: _of(v, "negative", ",")),
            ("Laplacian: diagonals", lambda v, _: _of(v, "diagonals", ",")),
        ]
    if any(level.wall_distance is not None for level in report.levels):
        rows.append(("wall distance, largest", lambda level, _: _distance(level)))
    return rows


def _of(level: LevelReport, name: str, form: str) -> str:
    return format(getattr(level.laplacian, name), form) if level.laplacian else ""


def _distance(level: LevelReport) -> str:
    return "" if level.wall_distance is None else f"{level.wall_distance:.6g}"


def _children(level: LevelReport) -> str:
    if level.children is None:
        return ""
    fewest, mean, most = level.children
    return f"{fewest} to {most}, mean {mean:.1f}"


def _print_violations(report: MeshReport) -> None:
    if report.ok:
        console().print("The mesh is sound: every rule holds on every level.")
        _print_laplacian(report)
        return
    made = table(
        "Violated rules", "File", "Dataset", "Should hold", "Rows", "Row", "x, y, z", "Value"
    )
    for level in report.levels:
        for violation in level.violations:
            head = [violation.file, violation.dataset, violation.rule, f"{violation.count:,}"]
            places: list[Place | None] = [*violation.places] or [None]
            for place in places:
                made.add_row(*head, *_place_cells(place))
                head = ["", "", "", ""]
    console().print(made)


def _print_laplacian(report: MeshReport) -> None:
    """Say what the Laplacian was found to be, and where it is worst."""
    found = next((level for level in report.levels if level.laplacian), None)
    if found is None or found.laplacian is None:
        return
    x, y, z = found.laplacian.worst_place
    console().print(
        "Its Laplacian is symmetric, its rows sum to zero, and linear fields have none: in "
        f"{found.file} at most {found.laplacian.residual:.1e} of what flows along the edges of a "
        f"node, at node {found.laplacian.worst_node} ({x:.6g}, {y:.6g}, {z:.6g}).",
        markup=False,
    )


def _place_cells(place: Place | None) -> list[str]:
    if place is None:
        return ["", "", ""]
    where = place.coordinates
    position = ", ".join(f"{part:.6g}" for part in where) if where else ""
    return [str(place.index), position, place.value]
