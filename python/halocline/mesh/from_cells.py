# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the levels of a shape that is given by its cells, as imported meshes are.

The mesh lies in memory; coarse levels are groups of dual cells.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from halocline import __version__
from halocline.files.hdf5_sink import Hdf5Output
from halocline.mesh.arrays import Ints
from halocline.mesh.imports.blocks import resources_of
from halocline.mesh.imports.boundaries import Assignment, assign_groups
from halocline.mesh.imports.faces import boundary_faces
from halocline.mesh.imports.flow_data import walls_of_import
from halocline.mesh.imports.polyhedra import separate_plain_cells
from halocline.mesh.imports.run import Joined, blocks_of, finest_level, next_level
from halocline.mesh.imports.source import Source
from halocline.mesh.imports.write import LevelArrays, write_level
from halocline.mesh.level_file import FORMAT_VERSION
from halocline.mesh.scaling import SCALINGS
from halocline.mesh.wall_distance import WallRows, add_wall_distance


@dataclass(frozen=True)
class CellLevels:
    """Levels of a shape, finest first, its walls, and the attributes of all files."""

    levels: list[LevelArrays]
    walls: WallRows
    attributes: dict[str, object]


def levels_from_cells(
    source: Source, folder: Path, levels: int, scaling: str, parameters: dict[str, object]
) -> CellLevels:
    """Make all levels.

    Args:
        source: cells, and named boundaries with the words of their groups.
        folder: where the mesh goes.
        levels: how many.
        scaling: name of the factor on area vectors.
        parameters: what to store of the request.
    """
    shape = source.path.name
    resources = resources_of("", 0, folder)
    blocks = blocks_of(source, resources)
    faces = boundary_faces(source, blocks, resources.processes)
    boundaries = assign_groups(source, faces, {}, None)
    groups = np.array([entry.group for entry in boundaries], dtype=np.int64)
    joined = Joined(source, separate_plain_cells(source), faces, blocks)
    finest = finest_level(joined, groups, resources, lambda _: None)
    walls = walls_of_import(finest.dual, faces, [entry.wall for entry in boundaries])
    made = [finest]
    for number in range(1, levels):
        made.append(next_level(Path(shape), made[-1], groups, number, source.dimension))
    attributes = {
        "format": "halocline-mesh",
        "format_version": FORMAT_VERSION,
        "code_version": __version__,
        "shape": shape,
        "levels": levels,
        "parameters": json.dumps(parameters),
        "scaling": scaling,
        "area_factor": _factor(scaling, finest),
        "length_unit": "m",
        "bnd_group_names": _names(boundaries, groups),
        "shuffled": False,
        "dimension": source.dimension,
    }
    return CellLevels(made, walls, attributes)


def write_cell_level(file: Path, made: CellLevels, number: int) -> None:
    """Write one level; distances from walls need add_walls afterwards."""
    factor = float(str(made.attributes["area_factor"]))
    write_level(file, made.levels[number], factor, made.attributes | {"level": number})


def add_walls(file: Path, made: CellLevels) -> None:
    """Add the distance from walls to the finest level, whose boundary is in its own order."""
    with Hdf5Output(file, create=False) as handle:
        add_wall_distance(handle, made.walls)


def _factor(scaling: str, finest: LevelArrays) -> float:
    factor = SCALINGS[scaling]
    if scaling == "boosted":
        factor = float(10.0 ** round(math.log10(factor * float(finest.dual.volumes.min()))))
    return factor


def _names(boundaries: list[Assignment], groups: Ints) -> str:
    found = {str(group): entry.name for group, entry in zip(groups, boundaries, strict=True)}
    return json.dumps({group: found[group] for group in sorted(found)})
