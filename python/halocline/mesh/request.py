# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a user asks of a mesh generator, and the check of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from halocline.errors import UsageError, suggestion
from halocline.mesh.elements import ELEMENTS, HEX, MIXED
from halocline.mesh.flat_elements import FLAT_ELEMENTS, QUAD
from halocline.mesh.perturb import LIMIT

ALL_ELEMENTS = (*dict.fromkeys(ELEMENTS + FLAT_ELEMENTS),)


@dataclass(frozen=True)
class Request:
    """Size and proportions of a mesh.

    `aspect` gives the proportions of the cell counts in the three directions; `stretch` says how
    many times finer than average the cells at walls are. `elements` is one of ALL_ELEMENTS, or
    empty for the shape's own. `perturb` is the largest displacement of inner nodes in units of the
    local spacing. `dimension` is 2, 3 or 0: as elements or the shape say. `laplacian` asks for the
    data that a Laplacian needs where it is not there anyway. `cells` gives the cells of each
    direction in place of `nodes`; `periodic` names the directions that wrap.
    """

    nodes: int
    levels: int
    aspect: tuple[float, ...] | None = None
    stretch: float = 1.0
    elements: str = ""
    perturb: float = 0.0
    dimension: int = 0
    laplacian: bool = False
    cells: tuple[int, ...] | None = None
    periodic: str = ""

    @property
    def flat(self) -> bool:
        """Whether a mesh in the plane is asked for; says nothing before `resolved`."""
        return self.dimension == 2

    def resolved(self, own_dimension: int) -> Request:
        """Return the request with dimension and elements filled in.

        Args:
            own_dimension: of the shape where nothing else is said.
        """
        dimension = (
            self.dimension or _dimension_of(self.elements) or len(self.cells or ()) or own_dimension
        )
        return replace(
            self,
            dimension=dimension,
            elements=self.elements or (QUAD if dimension == 2 else HEX),
        )

    def validate(self) -> None:
        """Stop with a sentence when a value makes no sense."""
        if self.nodes < 8:
            raise UsageError(f"--nodes {self.nodes}: a mesh needs at least 8 nodes.")
        if not 1 <= self.levels <= 20:
            raise UsageError(f"--levels {self.levels}: must lie between 1 and 20.")
        if not 1.0 <= self.stretch <= 1e6:
            raise UsageError(
                f"--stretch {self.stretch:g}: must lie between 1 (uniform) and 1e6; it says how"
                " many times finer than average the cells at walls are."
            )
        if self.aspect and not all(0.0 < part < 1e6 for part in self.aspect):
            raise UsageError("--aspect: proportions must be positive numbers. Give e.g. 4,2,1.")
        if self.cells and min(self.cells) < 1:
            raise UsageError("--cells: every direction needs at least one cell. Give e.g. 64,64.")
        self._validate_variants()

    def _validate_variants(self) -> None:
        if self.elements and self.elements not in ALL_ELEMENTS:
            raise UsageError(
                f"--elements {self.elements}: no such kind of element."
                f" {suggestion(self.elements, ALL_ELEMENTS)}"
            )
        self._validate_dimension()
        if not 0.0 <= self.perturb <= LIMIT:
            raise UsageError(
                f"--perturb {self.perturb:g}: must lie between 0 and {LIMIT:g}, because nodes that"
                " move further can turn elements inside out. Give e.g. 0.2."
            )

    def _validate_dimension(self) -> None:
        if self.dimension not in (0, 2, 3):
            raise UsageError(f"--dimension {self.dimension}: must be 2 or 3.")
        of_elements = _dimension_of(self.elements)
        if self.dimension and of_elements and self.dimension != of_elements:
            fitting = FLAT_ELEMENTS if self.dimension == 2 else ELEMENTS
            raise UsageError(
                f"--elements {self.elements} and --dimension {self.dimension} exclude each other:"
                f" {self.elements} cells are {of_elements}-D. Give one of {', '.join(fitting)}."
            )


def _dimension_of(elements: str) -> int:
    """2 or 3 where the elements say it, else 0."""
    if elements in ("", MIXED):
        return 0
    return 2 if elements in FLAT_ELEMENTS else 3
