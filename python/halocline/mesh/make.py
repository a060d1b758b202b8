# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a mesh folder: levels, slab by slab, under temporary names until everything is there."""

from __future__ import annotations

import math
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from halocline.errors import InvalidInputError, MissingEnvironmentError, UsageError, suggestion
from halocline.files.lock import Place, locked
from halocline.files.output_file import Draft, output_error
from halocline.mesh.arrays import Ints
from halocline.mesh.block_cells import cell_offsets
from halocline.mesh.cells import corners_of
from halocline.mesh.element_slab import make_element_slab
from halocline.mesh.elements import HEX
from halocline.mesh.layout import Layout
from halocline.mesh.level_file import LevelWriter
from halocline.mesh.request import Request
from halocline.mesh.rotor37 import make_rotor37
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
SCALINGS = {"natural": 1.0, "boosted": 1e18, "legacy": 1e7}
"""Factor on area vectors of a mesh with cells of size 1; what each is for: docs/meshes.md."""

INT32_MAX = 2**31 - 1
SLAB_NODES = 120_000
SLAB_PLANES = 4
BYTES_PER_NODE, BYTES_PER_EDGE = 54, 32
"""Disk space: coordinates, volume, parent, boundary of a node; ends and vector of an edge."""

Progress = Callable[[str, int, int], None]
"""Called with what is being done, nodes done and nodes in all."""


@dataclass(frozen=True)
class Output:
    """How a mesh is written: where, with which factor on areas, in which order."""

    folder: Path
    scaling: str = "natural"
    shuffle: bool = False
    seed: int = 1


@dataclass(frozen=True)
class LevelSummary:
    """What one level contains."""

    file: str
    nodes: int
    edges: int
    boundary_entries: int
    size_bytes: int


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
    _check_folder(output.folder, layouts[0])
    factor = area_factor(shape, layouts, output.scaling)
    passes = 2 if output.shuffle else 1
    counter = _Counter(passes * sum(layout.node_count() for layout in layouts), progress)
    place = Place(output.folder, "mesh", what=f"the mesh in {output.folder}")
    with locked(place), _drafts(output.folder, request.levels) as drafts:
        files = [draft.name for draft in drafts]
        for level in range(len(layouts)):
            _write_level(files[level], shape, layouts, level, (output.scaling, factor), counter)
        if output.shuffle:
            for level, layout in enumerate(layouts):
                shuffle_level(files, level, output.seed)
                counter.add(f"Shuffling level {level}", layout.node_count())
        summaries = [
            _summary(file, layout, level)
            for level, (file, layout) in enumerate(zip(files, layouts, strict=True))
        ]
        _publish(output.folder, drafts, input_dat(shape_name, layouts))
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


def input_dat(shape_name: str, layouts: list[Layout]) -> str:
    """Text of MG-CFD's input.dat."""
    mesh_name = "rotor37" if shape_name == "rotor37" else "m6wing"
    lines = [
        f"size = {layouts[0].node_count()}",
        f"num_levels = {len(layouts)}",
        "base_array_index = 0",
        f"mesh_name = {mesh_name}",
        "[levels]",
        *(f"{level} = {level_file_name(level)}" for level in range(len(layouts))),
    ]
    return "\n".join(lines) + "\n"


def level_file_name(level: int) -> str:
    """File name of a level."""
    return f"mesh.L{level}.h5"


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


def _check_folder(folder: Path, layout: Layout) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        free_bytes = shutil.disk_usage(folder).free
    except OSError as error:
        raise MissingEnvironmentError(_cannot_write(folder, error)) from error
    if not os.access(folder, os.W_OK):
        raise MissingEnvironmentError(
            f"{folder}: the folder is not writable. Choose another folder with -o."
        )
    needed_bytes = BYTES_PER_NODE * layout.node_count() + BYTES_PER_EDGE * layout.edge_count()
    for name, offsets in cell_offsets(layout).items():
        needed_bytes += 4 * (corners_of(name) or 0) * int(offsets[-1])
    if needed_bytes > free_bytes:
        raise MissingEnvironmentError(
            f"{folder}: the mesh needs about {needed_bytes / 1e9:.1f} GB, but only"
            f" {free_bytes / 1e9:.1f} GB are free. Free some space or choose another folder."
        )


def _cannot_write(folder: Path, error: OSError) -> str:
    reason = error.strerror or str(error).splitlines()[0]
    return f"{folder}: cannot write the mesh ({reason}). Choose another folder with -o."


@contextmanager
def _drafts(folder: Path, levels: int) -> Iterator[list[Draft]]:
    """Level files in the making; whatever is not published in the end is removed."""
    with ExitStack() as drafts:
        try:
            yield [
                drafts.enter_context(Draft(folder / level_file_name(level)))
                for level in range(levels)
            ]
        except OSError as error:
            raise output_error(folder, error) from error


def _publish(folder: Path, drafts: list[Draft], text: str) -> None:
    """Give the finished files their final names, the index last; drop an older mesh's levels."""
    with Draft(folder / "input.dat") as index:
        index.write(text.encode())
        for draft in (*drafts, index):
            draft.complete()
        for draft in (*drafts, index):
            draft.publish()
    for old in folder.glob("mesh.L*.h5"):
        if old.name not in {level_file_name(level) for level in range(len(drafts))}:
            old.unlink()


class _Counter:
    """Counts finished nodes and passes them on, not more often than anybody can read."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total = total
        self._done = 0
        self._progress = progress
        self._shown_s = 0.0

    def add(self, what: str, nodes: int) -> None:
        self._done += nodes
        now_s = time.monotonic()
        if self._progress and (now_s - self._shown_s > 0.1 or self._done == self._total):
            self._shown_s = now_s
            self._progress(what, self._done, self._total)


def _write_level(
    file: Path,
    shape: Shape,
    layouts: list[Layout],
    level: int,
    scaling: tuple[str, float],
    counter: _Counter,
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


def _summary(file: Path, layout: Layout, level: int) -> LevelSummary:
    import h5py

    with h5py.File(file, "r") as handle:
        entries = int(handle["bnd_node-->node"].shape[0])
    return LevelSummary(
        file=level_file_name(level),
        nodes=layout.node_count(),
        edges=layout.edge_count(),
        boundary_entries=entries,
        size_bytes=file.stat().st_size,
    )
