# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a user asks of a mesh generator, and the check of it."""

from __future__ import annotations

from dataclasses import dataclass

from halocline.errors import UsageError, suggestion
from halocline.mesh.elements import ELEMENTS, HEX
from halocline.mesh.perturb import LIMIT


@dataclass(frozen=True)
class Request:
    """Size and proportions of a mesh.

    `aspect` gives the proportions of the cell counts in the three directions; `stretch` says how
    many times finer than average the cells at walls are. `elements` is one of ELEMENTS. `perturb`
    is the largest displacement of inner nodes in units of the local spacing.
    """

    nodes: int
    levels: int
    aspect: tuple[float, float, float] | None = None
    stretch: float = 1.0
    elements: str = HEX
    perturb: float = 0.0

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
        self._validate_variants()

    def _validate_variants(self) -> None:
        if self.elements not in ELEMENTS:
            raise UsageError(
                f"--elements {self.elements}: no such kind of element."
                f" {suggestion(self.elements, ELEMENTS)}"
            )
        if not 0.0 <= self.perturb <= LIMIT:
            raise UsageError(
                f"--perturb {self.perturb:g}: must lie between 0 and {LIMIT:g}, because nodes that"
                " move further can turn elements inside out. Give e.g. 0.2."
            )
