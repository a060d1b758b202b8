# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a mesh folder: levels, slab by slab, under temporary names until everything is there."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from halocline.errors import InvalidInputError, UsageError, suggestion
from halocline.files.lock import Place, locked
from halocline.mesh.arrays import Ints
from halocline.mesh.block_cells import cell_offsets
from halocline.mesh.cells import corners_of
from halocline.mesh.element_slab import make_element_slab
from halocline.mesh.elements import HEX
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
from halocline.mesh.rotor37 import make_rotor37
from halocline.mesh.scaling import SCALINGS
from halocline.mesh.shape import Shape, level_layouts, parents
from halocline.mesh.shuffle import shuffle_level
from halocline.mesh.simple_shapes import make_box, make_bump, make_cavity, make_sector
from halocline.mesh.slab import Slab, SurfacePlan, make_slab, plan_surface
from halocline.mesh.variants import with_variants

SHAPES: dict[str, Callable[[Request], Shape]] = {
    "box": make_box,
    "sector": make_sector,
    "rotor37": make_rotor37,
    "bump": make_bump,
    "cavity": make_cavity,
}

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
        progress: told how far the work is, several times a second.

    Returns:
        One summary a level, finest first.

    Raises:
        HaloclineError: bad request, index overflow, or no place to write.
    """
    _validate(shape_name, request, output)
    shape = with_variants(SHAPES[shape_name](request), request, output.seed)
    layouts = level_layouts(shape, request.levels)
    for layout in layouts:
        _check_index_range(layout)
    require_room(output.folder, _needed_bytes(layouts[0]))
    factor = area_factor(shape, layouts, output.scaling)
    passes = 2 if output.shuffle else 1
    counter = Counter(passes * sum(layout.node_count() for layout in layouts), progress)
    place = Place(output.folder, "mesh", what=f"the mesh in {output.folder}")
    with locked(place), drafts_of(output.folder, request.levels) as drafts:
        files = [draft.name for draft in drafts]
        for level in range(len(layouts)):
            _write_level(files[level], shape, layouts, level, (output.scaling, factor), counter)
        if output.shuffle:
            for level, layout in enumerate(layouts):
                shuffle_level(files, level, output.seed)
                counter.add(f"Shuffling level {level}", layout.node_count())
        summaries = [summary(file, level) for level, file in enumerate(files)]
        mesh_name = "rotor37" if shape_name == "rotor37" else OTHER_MESH_NAME
        publish(output.folder, drafts, input_dat(mesh_name, layouts[0].node_count(), len(layouts)))
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
    slab = _slab(shape, layout, _plans(shape, layout), layout.plane_offsets(), (0, layout.shape[0]))
    smallest = float(slab.volumes.min()) * layout.node_count() / layouts[0].node_count()
    return float(10.0 ** round(math.log10(factor * smallest)))


def _slab(
    shape: Shape, layout: Layout, plans: list[SurfacePlan], offsets: Ints, planes: tuple[int, int]
) -> Slab:
    """Rows of some planes; blocks of hexahedra alone, with or without a blade, have a maker."""
    maker = make_slab if layout.elements == HEX else make_element_slab
    return maker(layout, shape.coordinates, plans, offsets, planes)


def _plans(shape: Shape, layout: Layout) -> list[SurfacePlan]:
    return [plan_surface(layout, family) for family in shape.families(layout)]


def _needed_bytes(layout: Layout) -> int:
    """Return about how much space the finest level takes on the disk."""
    needed = BYTES_PER_NODE * layout.node_count() + BYTES_PER_EDGE * layout.edge_count()
    for name, offsets in cell_offsets(layout).items():
        needed += 4 * (corners_of(name) or 0) * int(offsets[-1])
    return needed


def _validate(shape_name: str, request: Request, output: Output) -> None:
    if shape_name not in SHAPES:
        raise UsageError(f"No shape '{shape_name}'. {suggestion(shape_name, SHAPES)}")
    if output.scaling not in SCALINGS:
        raise UsageError(
            f"--scaling {output.scaling}: no such scaling. {suggestion(output.scaling, SCALINGS)}"
        )
    request.validate()


def _check_index_range(layout: Layout) -> None:
    for what, count in (("nodes", layout.node_count()), ("edges", layout.edge_count())):
        if count > INT32_MAX:
            raise InvalidInputError(
                f"--nodes: this mesh would have {count} {what}, but the file format numbers them"
                f" with 32 bits (at most {INT32_MAX}). Ask for fewer nodes."
            )


def _write_level(
    file: Path,
    shape: Shape,
    layouts: list[Layout],
    level: int,
    scaling: tuple[str, float],
    counter: Counter,
) -> None:
    layout = layouts[level]
    coarse = layouts[level + 1] if level + 1 < len(layouts) else None
    coarse_offsets = coarse.plane_offsets() if coarse else None
    offsets = layout.plane_offsets()
    plans = _plans(shape, layout)
    ni, nj, nk = layout.shape
    step = max(SLAB_PLANES, SLAB_NODES // (nj * nk))
    with LevelWriter(
        file, layout, plans, has_parents=coarse is not None, periodic=shape.periodic is not None
    ) as writer:
        writer.describe(shape, level, len(layouts), scaling)
        for first in range(0, ni, step):
            planes = (first, min(first + step, ni))
            slab = _slab(shape, layout, plans, offsets, planes)
            writer.write_slab(slab, planes, scaling[1])
            if coarse is not None and coarse_offsets is not None:
                i = np.arange(*planes)
                writer.write_parents(parents(layout, coarse, i, coarse_offsets), planes)
            counter.add(f"Making level {level}", len(slab.volumes))
