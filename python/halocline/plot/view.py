# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the user may choose about a picture, and how the choices are spelt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from halocline.errors import UsageError
from halocline.results.mesh import Floats

DIRECTIONS = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"


@dataclass(frozen=True)
class Slice:
    """A plane across one of the axes."""

    axis: str
    at: float | None
    """None: through the middle of the mesh."""


@dataclass(frozen=True)
class Iso:
    """A surface on which a quantity has a value."""

    quantity: str
    value: float


@dataclass(frozen=True)
class View:
    """What is drawn, and from where."""

    size: tuple[int, int] = (1800, 1200)
    passages: int | None = None
    lines: bool = True
    slices: tuple[Slice, ...] = ()
    isos: tuple[Iso, ...] = ()
    streamlines: str = ""
    cells: bool = False
    towards: tuple[float, float, float] | None = None
    """Direction from the mesh to the eye; None: chosen to suit what is drawn."""
    span: tuple[float, float] | None = None
    """Range of colours; None: chosen to suit the values."""
    level: int | None = None
    """Level of the mesh; None: the finest that has fields."""
    step: int | None = None
    time: float | None = None
    """Which step; the last one when neither is named."""
    title: str = ""
    """Instead of the made one."""

    @property
    def inside(self) -> bool:
        """Whether something inside the mesh is drawn, which takes cells."""
        return bool(self.slices or self.isos or self.streamlines or self.cells)


def parse_slices(words: Sequence[str]) -> tuple[Slice, ...]:
    """Read `x=0.5`, or `x` for the middle."""
    made = []
    for word in words:
        match = re.fullmatch(rf"([xyz])(?:=({NUMBER}))?", word)
        if match is None:
            raise UsageError(f"halocline plot: --slice {word} is not AXIS=PLACE, e.g. x=0.5.")
        made.append(Slice(match[1], None if match[2] is None else float(match[2])))
    return tuple(made)


def parse_isos(words: Sequence[str]) -> tuple[Iso, ...]:
    """Read `density=1.1`."""
    made = []
    for word in words:
        match = re.fullmatch(rf"([^=]+)=({NUMBER})", word)
        if match is None:
            raise UsageError(f"halocline plot: --iso {word} is not NAME=VALUE, e.g. density=1.1.")
        made.append(Iso(match[1], float(match[2])))
    return tuple(made)


def parse_pair(option: str, word: str) -> tuple[float, float] | None:
    """Read `0.8,1.2`; None where nothing is asked for."""
    if not word:
        return None
    match = re.fullmatch(rf"({NUMBER}),({NUMBER})", word)
    if match is None or not float(match[1]) < float(match[2]):
        raise UsageError(f"halocline plot: {option} {word} is not LOW,HIGH, e.g. 0.8,1.2.")
    return float(match[1]), float(match[2])


def parse_direction(word: str) -> tuple[float, float, float] | None:
    """Read `x`, `-z` or `1,1,0.5`; None where nothing is asked for."""
    if not word:
        return None
    named = re.fullmatch(r"([-+]?)([xyz])", word)
    if named is not None:
        sign = -1.0 if named[1] == "-" else 1.0
        x, y, z = (sign * part for part in DIRECTIONS[named[2]])
        return x, y, z
    parts = word.split(",")
    if len(parts) == 3 and all(re.fullmatch(NUMBER, part.strip()) for part in parts):
        x, y, z = (float(part) for part in parts)
        if any((x, y, z)):
            return x, y, z
    raise UsageError(f"halocline plot: --from {word} is not a direction. Say x, -z or 1,1,0.5.")


def upright(towards: Floats) -> Floats:
    """Return a direction that is up for who looks from `towards`: y, or z for who looks along y."""
    up = np.array(DIRECTIONS["y"])
    if np.linalg.norm(np.cross(up, towards)) <= 0.05 * np.linalg.norm(towards):
        up = np.array(DIRECTIONS["z"])
    return up
