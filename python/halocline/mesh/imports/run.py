# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline mesh import`: from somebody's file to a mesh folder, checked before it is there."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from halocline import __version__
from halocline.errors import InvalidInputError
from halocline.files.hdf5_sink import Hdf5Output
from halocline.files.lock import Place, locked
from halocline.mesh.arrays import Ints
from halocline.mesh.check import LevelReport, check_level
from halocline.mesh.folder import MeshFolder
from halocline.mesh.imports.agglomerate import coarsened
from halocline.mesh.imports.blocks import (
    Block,
    Resources,
    most_in_block,
    require_memory,
    resources_of,
)
from halocline.mesh.imports.boundaries import Assignment, assign_groups
from halocline.mesh.imports.cell_dual import Dual, dual_of, edges_of_cells
from halocline.mesh.imports.cell_repair import (
    drop_unused,
    flatten,
    merge_nodes,
    orient,
    plain_sides,
    require_sane,
)
from halocline.mesh.imports.edge_parts import cell_dual, edge_counts
from halocline.mesh.imports.face_faults import NAMELESS, BoundaryFaces, require_named
from halocline.mesh.imports.faces import boundary_faces
from halocline.mesh.imports.flow_data import stiffness_of_import, walls_of_import
from halocline.mesh.imports.formats import reader_of
from halocline.mesh.imports.polyhedra import OtherCells, separate_plain_cells
from halocline.mesh.imports.request import ImportRequest, length_of, require_possible
from halocline.mesh.imports.source import Source, broken
from halocline.mesh.imports.write import LevelArrays, boundary_quads, write_level
from halocline.mesh.level_file import FORMAT_VERSION
from halocline.mesh.publication import (
    OTHER_MESH_NAME,
    LevelSummary,
    drafts_of,
    input_dat,
    publish,
    require_room,
    summary,
)
from halocline.mesh.scaling import SCALINGS
from halocline.mesh.wall_distance import WallRows, add_wall_distance

INT32_MAX = 2**31 - 1
TOLERANCE = 1e-10
NODE_SHARE = 8
"""Memory of a node, as a multiple of its coordinates: sums, groups, copies."""
EDGE_BYTES = 60
"""Memory that an edge takes while the next level is made."""

Phase = Callable[[str], None]
"""Called with what is being done."""


@dataclass(frozen=True)
class Imported:
    """What became of a file."""

    format: str
    dimension: int
    cells: dict[str, int]
    boundaries: list[Assignment]
    levels: list[LevelSummary]
    closure: list[float]
    notes: list[str]


def import_mesh(
    path: Path,
    folder: Path,
    request: ImportRequest,
    phase: Phase = lambda _: None,
    resources: Resources | None = None,
) -> Imported:
    """Read a mesh file and write a mesh folder.

    Args:
        path: the file, or an OpenFOAM folder.
        folder: where the mesh goes; nothing is there until all of it is.
        request: levels, groups of boundaries, scale.
        phase: called with what is being done.
        resources: memory and processes; what the machine has when None. The result is the same.

    Raises:
        HaloclineError: the file is wrong, a boundary has no group, or there is no place to write.
    """
    factor, unit = length_of(request.scale)
    require_possible(request)
    reader = reader_of(path)
    require_room(folder, 0)
    resources = resources or resources_of("", 0, folder)
    phase(f"Reading {path.name} ({reader.format})")
    source = reader.read(path, resources.processes)
    phase("Checking cells")
    _prepare(source, request, factor, resources.processes)
    rest = separate_plain_cells(source, resources.processes)
    blocks = blocks_of(source, resources)
    phase("Joining faces")
    faces = boundary_faces(source, blocks, resources.processes)
    require_named(source, faces, request.default is not None or NAMELESS in request.boundaries)
    boundaries = assign_groups(source, faces, request.boundaries, request.default, request.symmetry)
    groups = np.array([entry.group for entry in boundaries], dtype=np.int64)
    phase("Making the median dual")
    joined = Joined(source, rest, faces, blocks)
    levels = [finest_level(joined, groups, resources, phase)]
    finest, cells = levels[0].dual, levels[0].cells
    walls = walls_of_import(finest, faces, [entry.wall for entry in boundaries])
    dimension, notes, name = source.dimension, source.notes, reader.format
    del source, joined, faces, rest
    if request.levels > 1:
        require_memory(
            resources, finest.points.nbytes * NODE_SHARE + len(finest.edges) * EDGE_BYTES
        )
    for number in range(1, request.levels):
        phase(f"Making level {number}")
        levels.append(next_level(path, levels[-1], groups, number, dimension))
    attributes = _attributes(path, name, request, boundaries, (levels[0].dual, unit))
    attributes["dimension"] = dimension
    summaries, reports = _write(path, folder, (levels, walls), attributes, phase)
    return Imported(
        format=name,
        dimension=dimension,
        cells={kind.removeprefix("cells_"): len(rows) for kind, rows in cells.items()},
        boundaries=boundaries,
        levels=summaries,
        closure=[report.quality.closure_max for report in reports if report.quality is not None],
        notes=notes,
    )


def _prepare(source: Source, request: ImportRequest, factor: float, processes: int) -> None:
    require_sane(source)
    if request.merge is not None:
        merge_nodes(source, request.merge)
    plain_sides(source)
    drop_unused(source)
    if factor != 1.0:
        source.points *= factor
    flatten(source)
    orient(source, processes)


@dataclass(frozen=True)
class Joined:
    """A mesh with what is known of it once its faces are joined."""

    source: Source
    rest: OtherCells
    faces: dict[int, BoundaryFaces]
    blocks: list[Block]


def finest_level(joined: Joined, groups: Ints, resources: Resources, phase: Phase) -> LevelArrays:
    """Return the level of the mesh itself: its dual, cells, boundary faces and Laplacian."""
    source, faces = joined.source, joined.faces
    parts = cell_dual(source, joined.rest.centres)
    dual = dual_of(parts, faces, edges_of_cells(parts, joined.blocks, resources))
    _require_index_range(source.path, len(dual.points), len(dual.edges))
    _require_positive(source.path, dual)
    phase("Making the Laplacian")
    quads, quad_groups = boundary_quads(faces, groups)
    return LevelArrays(
        dual,
        groups,
        cells=source.cells | joined.rest.cells,
        quads=quads,
        quad_groups=quad_groups,
        stiffness=stiffness_of_import(source, dual.edges),
    )


def blocks_of(source: Source, resources: Resources) -> list[Block]:
    """Divide the nodes so that joining what belongs to a block fits into memory."""
    held = source.points.nbytes * NODE_SHARE + sum(rows.nbytes for rows in source.cells.values())
    if source.polyhedra is not None:
        held += sum(rows.nbytes for rows in source.polyhedra.nodes.values())
        held += sum(rows.nbytes for rows in source.polyhedra.cells.values())
    return edge_counts(source).blocks(most_in_block(resources, held))


def _require_index_range(path: Path, nodes: int, edges: int) -> None:
    if max(nodes, edges) > INT32_MAX:
        raise broken(
            path,
            f"{nodes} nodes and {edges} edges are more than 32-bit numbers can name",
            "Import a smaller mesh.",
        )


def _require_positive(path: Path, dual: Dual) -> None:
    bad = np.flatnonzero(~(dual.volumes > 0.0))
    if len(bad):
        x, y, z = dual.points[bad[0]]
        raise broken(
            path,
            f"the dual cells of {len(bad):,} nodes have no positive volume, the first at "
            f"({x:.6g}, {y:.6g}, {z:.6g}), because cells there are badly bent",
            "Repair the mesh there.",
        )


def next_level(
    path: Path, fine: LevelArrays, groups: Ints, number: int, dimension: int
) -> LevelArrays:
    """Return the level below `fine`, which gets its parents.

    Raises:
        InvalidInputError: it has too few nodes.
    """
    dual, parents = coarsened(fine.dual, 3 if dimension == 3 else 2)
    alone = np.bincount(dual.edges.ravel(), minlength=len(dual.points)) == 0
    if alone.any() or len(dual.points) >= len(fine.dual.points):
        raise InvalidInputError(
            f"{path}: --levels: level {number - 1} has only {len(fine.dual.points)} nodes and "
            f"cannot be coarsened. Ask for at most {number} levels."
        )
    fine.parents = parents
    return LevelArrays(dual, groups)


def _attributes(
    path: Path,
    name: str,
    request: ImportRequest,
    boundaries: list[Assignment],
    of: tuple[Dual, str],
) -> dict[str, object]:
    dual, unit = of
    factor = SCALINGS[request.scaling]
    if request.scaling == "boosted":
        factor = float(10.0 ** round(math.log10(factor * float(dual.volumes.min()))))
    names: dict[int, list[str]] = {}
    for entry in boundaries:
        if entry.faces:
            names.setdefault(entry.group, []).append(entry.name)
    parameters = {
        "file": path.name,
        "file_format": name,
        "scale": request.scale,
        "boundaries": {entry.name: entry.group for entry in boundaries if entry.faces},
    }
    return {
        "format": "halocline-mesh",
        "format_version": FORMAT_VERSION,
        "code_version": __version__,
        "shape": "import",
        "levels": request.levels,
        "parameters": json.dumps(parameters),
        "scaling": request.scaling,
        "area_factor": factor,
        "length_unit": unit,
        "bnd_group_names": json.dumps({str(g): ", ".join(names[g]) for g in sorted(names)}),
        "shuffled": False,
    }


def _write(
    path: Path,
    folder: Path,
    made: tuple[list[LevelArrays], WallRows],
    attributes: dict[str, object],
    phase: Phase,
) -> tuple[list[LevelSummary], list[LevelReport]]:
    """Write all levels, check them, and publish them when they are sound."""
    levels, walls = made
    factor = float(str(attributes["area_factor"]))
    needed = sum(112 * len(each.dual.points) + 40 * len(each.dual.edges) for each in levels)
    needed += sum(rows.nbytes for rows in levels[0].cells.values())
    require_room(folder, needed)
    nodes = len(levels[0].dual.points)
    place = Place(folder, "mesh", what=f"the mesh in {folder}")
    with locked(place), drafts_of(folder, len(levels)) as drafts:
        files = tuple(draft.name for draft in drafts)
        for number, file in enumerate(files):
            phase(f"Writing level {number}")
            write_level(file, levels[number], factor, attributes | {"level": number})
        levels.clear()
        phase("Measuring the distance from walls")
        with Hdf5Output(files[0], create=False) as handle:
            add_wall_distance(handle, walls)
        reports = []
        for number in range(len(files)):
            phase(f"Checking level {number}")
            reports.append(check_level(MeshFolder(folder, files, 0), number, TOLERANCE))
            _require_sound(path, reports[-1], number)
        summaries = [summary(file, number) for number, file in enumerate(files)]
        publish(folder, drafts, input_dat(OTHER_MESH_NAME, nodes, len(files)))
    return summaries, reports


def _require_sound(path: Path, report: LevelReport, number: int) -> None:
    if not report.violations:
        return
    first = report.violations[0]
    where = ""
    if first.places:
        at = first.places[0].coordinates
        where = f", first at row {first.places[0].index}"
        where += f", ({at[0]:.6g}, {at[1]:.6g}, {at[2]:.6g})" if at else ""
    raise broken(
        path,
        f"its dual mesh is not sound on level {number}: {first.dataset} should hold "
        f"'{first.rule}', {first.count:,} rows do not{where}",
        "Repair the mesh there" + (" or ask for fewer --levels." if number else "."),
    )
