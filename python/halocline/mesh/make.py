# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a mesh folder: levels, slab by slab, under temporary names until everything is there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from halocline.errors import InvalidInputError, UsageError, suggestion
from halocline.files.hdf5_sink import Hdf5Output
from halocline.files.lock import Place, locked
from halocline.mesh.block_cells import cell_offsets
from halocline.mesh.cells import corners_of
from halocline.mesh.from_cells import add_walls, levels_from_cells, write_cell_level
from halocline.mesh.imports.source import Source
from halocline.mesh.layout import Layout
from halocline.mesh.level_file import LevelWriter
from halocline.mesh.publication import (
    OTHER_MESH_NAME,
    Counter,
    LevelSummary,
    Progress,
    drafts_of,
    input_dat,
    publish,
    require_room,
    summary,
)
from halocline.mesh.request import Request
from halocline.mesh.scaling import SCALINGS
from halocline.mesh.shape import Shape, level_layouts, parents
from halocline.mesh.shapes import SHAPES, FromCells
from halocline.mesh.shuffle import shuffle_level
from halocline.mesh.slab_maker import SlabMaker
from halocline.mesh.variants import with_variants
from halocline.mesh.wall_distance import add_wall_distance, walls_by_group

INT32_MAX = 2**31 - 1
SLAB_NODES = 120_000
SLAB_PLANES = 4
BYTES_PER_NODE, BYTES_PER_EDGE = 54, 32
"""Disk space: coordinates, volume, parent, boundary of a node; ends and vector of an edge."""


@dataclass(frozen=True)
class Output:
    """How a mesh is written: where, with which factor on areas, in which order."""

    folder: Path
    scaling: str = "natural"
    shuffle: bool = False
    seed: int = 1


def make_mesh(
    shape_name: str, request: Request, output: Output, progress: Progress | None = None
) -> list[LevelSummary]:
    """Make a mesh folder in MG-CFD's format.

    Args:
        shape_name: a key of SHAPES.
        request: size, levels and proportions.
        output: where and how to write.
        progress: called several times a second with the share that is done.

    Returns:
        One summary a level, finest first.

    Raises:
        HaloclineError: bad request, index overflow, or no place to write.
    """
    request = _validated(shape_name, request, output)
    maker = SHAPES[shape_name]
    if isinstance(maker, FromCells):
        return _make_from_cells(maker.make(request, output.seed), request, output, progress)
    shape = with_variants(maker.make(request), request, output.seed)
    laplacian = request.laplacian or shape.layout.by_cells
    layouts = level_layouts(shape, request.levels)
    for layout in layouts:
        _check_index_range(layout, laplacian)
    require_room(output.folder, _needed_bytes(layouts[0], laplacian))
    factor = area_factor(shape, layouts, output.scaling)
    passes = 2 if output.shuffle else 1
    counter = Counter(passes * sum(layout.node_count() for layout in layouts), progress)
    place = Place(output.folder, "mesh", what=f"the mesh in {output.folder}")
    with locked(place), drafts_of(output.folder, request.levels) as drafts:
        files = [draft.name for draft in drafts]
        for level in range(len(layouts)):
            rows = SlabMaker(shape, layouts[level], laplacian)
            _write_level(files[level], rows, layouts, level, (output.scaling, factor), counter)
        if output.shuffle:
            for level, layout in enumerate(layouts):
                shuffle_level(files, level, output.seed)
                counter.add(f"Shuffling level {level}", layout.node_count())
        for file in files if laplacian else []:
            with Hdf5Output(file, create=False) as handle:
                add_wall_distance(handle, walls_by_group(handle))
        summaries = [summary(file, level) for level, file in enumerate(files)]
        mesh_name = "rotor37" if shape_name == "rotor37" else OTHER_MESH_NAME
        publish(output.folder, drafts, input_dat(mesh_name, layouts[0].node_count(), len(layouts)))
    return summaries


def _make_from_cells(
    source: Source, request: Request, output: Output, progress: Progress | None
) -> list[LevelSummary]:
    """Make a mesh folder of a shape that is given by its cells."""
    nodes = len(source.points)
    counter = Counter(nodes, progress)
    parameters: dict[str, object] = {"elements": request.elements, "stretch": request.stretch}
    if request.perturb:
        parameters |= {"perturb": request.perturb, "seed": output.seed}
    require_room(output.folder, 500 * nodes)
    made = levels_from_cells(source, output.folder, request.levels, output.scaling, parameters)
    place = Place(output.folder, "mesh", what=f"the mesh in {output.folder}")
    with locked(place), drafts_of(output.folder, request.levels) as drafts:
        files = [draft.name for draft in drafts]
        for level, file in enumerate(files):
            write_cell_level(file, made, level)
        add_walls(files[0], made)
        for level in range(len(files)) if output.shuffle else ():
            shuffle_level(files, level, output.seed)
        counter.add("Making all levels", nodes)
        summaries = [summary(file, level) for level, file in enumerate(files)]
        publish(output.folder, drafts, input_dat(OTHER_MESH_NAME, nodes, len(files)))
    return summaries


def area_factor(shape: Shape, layouts: list[Layout], scaling: str) -> float:
    """Factor on the area vectors of all levels.

    In MG-CFD's default mode a step grows with (factor / cell volume)^(1/3), so that `boosted`
    follows the smallest dual volume, rounded to a power of ten. On large meshes that volume is
    taken from a coarser level, each coarsening being a factor of 8.
    """
    factor = SCALINGS[scaling]
    if scaling != "boosted" or shape.unit_cells:
        return factor
    level = next((n for n, layout in enumerate(layouts) if layout.node_count() <= 500_000), -1)
    layout = layouts[level]
    slab = SlabMaker(shape, layout).rows((0, layout.planes))
    smallest = float(slab.volumes.min()) * layout.node_count() / layouts[0].node_count()
    return float(10.0 ** round(math.log10(factor * smallest)))


def _needed_bytes(layout: Layout, laplacian: bool) -> int:
    """Return about how much space the finest level takes on the disk."""
    needed = BYTES_PER_NODE * layout.node_count() + BYTES_PER_EDGE * layout.edge_count()
    for name, offsets in cell_offsets(layout).items():
        needed += 4 * (corners_of(name) or 0) * int(offsets[-1])
    if laplacian:
        diagonals = int(layout.row_counts.diagonal_offsets[-1])
        ways = 24 if any(layout.wraps) else 0
        needed += 12 * layout.node_count() + (8 + ways) * layout.edge_count()
        needed += (40 + ways) * diagonals + (24 * layout.edge_count() if diagonals else 0)
    return needed


def _validated(shape_name: str, request: Request, output: Output) -> Request:
    """Return the request with what it leaves to the shape."""
    if shape_name not in SHAPES:
        raise UsageError(f"No shape '{shape_name}'. {suggestion(shape_name, SHAPES)}")
    if output.scaling not in SCALINGS:
        raise UsageError(
            f"--scaling {output.scaling}: no such scaling. {suggestion(output.scaling, SCALINGS)}"
        )
    request.validate()
    maker = SHAPES[shape_name]
    resolved = request.resolved(maker.dimension)
    if resolved.dimension not in maker.dimensions:
        able = [name for name, each in SHAPES.items() if 2 in each.dimensions]
        raise UsageError(
            f"{shape_name} has no 2-D form. Leave out --elements {request.elements or 'quad'} and"
            f" --dimension 2, or choose {', '.join(able)}."
        )
    return resolved


def _check_index_range(layout: Layout, laplacian: bool) -> None:
    counts = {"nodes": layout.node_count(), "edges": layout.edge_count()}
    if laplacian and counts["nodes"] <= INT32_MAX:
        counts["diagonals"] = int(layout.row_counts.diagonal_offsets[-1])
    for what, count in counts.items():
        if count > INT32_MAX:
            raise InvalidInputError(
                f"--nodes: this mesh would have {count} {what}, but the file format numbers them"
                f" with 32 bits (at most {INT32_MAX}). Ask for fewer nodes."
            )


def _write_level(
    file: Path,
    rows: SlabMaker,
    layouts: list[Layout],
    level: int,
    scaling: tuple[str, float],
    counter: Counter,
) -> None:
    layout = layouts[level]
    coarse = layouts[level + 1] if level + 1 < len(layouts) else None
    coarse_offsets = coarse.plane_offsets() if coarse else None
    _, nj, nk = layout.shape
    step = max(SLAB_PLANES, SLAB_NODES // (nj * nk))
    if layout.wraps[0]:  # so that sums run in one order, however large slabs are
        step = min(step, layout.planes - 1)
    with LevelWriter(
        file,
        layout,
        rows.plans,
        has_parents=coarse is not None,
        periodic=rows.shape.periodic is not None,
        laplacian=rows.laplacian,
    ) as writer:
        writer.describe(rows.shape, level, len(layouts), scaling)
        for first in range(0, layout.planes, step):
            planes = (first, min(first + step, layout.planes))
            slab = rows.rows(planes)
            writer.write_slab(slab, planes, scaling[1])
            if coarse is not None and coarse_offsets is not None:
                i = np.arange(*planes)
                writer.write_parents(parents(layout, coarse, i, coarse_offsets), planes)
            counter.add(f"Making level {level}", len(slab.volumes))
