# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The shapes that `mesh make` knows, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from halocline.mesh.cylinder import make_cylinder
from halocline.mesh.flow_shapes import make_channel, make_periodic_box, make_step
from halocline.mesh.imports.source import Source
from halocline.mesh.request import Request
from halocline.mesh.rotor37 import make_rotor37
from halocline.mesh.shape import Shape
from halocline.mesh.simple_shapes import make_box, make_bump, make_cavity, make_sector


@dataclass(frozen=True)
class FromBlock:
    """Makes a shape of one block; its dimension where nothing is said, and all it can have."""

    make: Callable[[Request], Shape]
    dimension: int = 3
    dimensions: tuple[int, ...] = (2, 3)


@dataclass(frozen=True)
class FromCells:
    """The same of a shape that is given by its cells; the second argument is the seed."""

    make: Callable[[Request, int], Source]
    dimension: int = 2
    dimensions: tuple[int, ...] = (2, 3)


SHAPES: dict[str, FromBlock | FromCells] = {
    "box": FromBlock(make_box),
    "sector": FromBlock(make_sector, dimensions=(3,)),
    "rotor37": FromBlock(make_rotor37, dimensions=(3,)),
    "bump": FromBlock(make_bump),
    "cavity": FromBlock(make_cavity),
    "channel": FromBlock(make_channel, dimension=2),
    "step": FromBlock(make_step, dimension=2),
    "cylinder": FromCells(make_cylinder),
    "periodic-box": FromBlock(make_periodic_box, dimension=2),
}
