# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sections `[solver]`, one module a solver; a new one is added to `SOLVERS`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Discriminator, Tag

from halocline.case.solvers.advection_diffusion import AdvectionDiffusionSolver
from halocline.case.solvers.incompressible import IncompressibleSolver
from halocline.case.solvers.mgcfd import MgcfdSolver

SOLVERS: dict[str, type[BaseModel]] = {
    "mgcfd": MgcfdSolver,
    "advection_diffusion": AdvectionDiffusionSolver,
    "incompressible": IncompressibleSolver,
}
DEFAULT_SOLVER = "mgcfd"


def solver_name(section: Any) -> Any:
    """Return what a section says its solver is; of anything but a section the default."""
    if isinstance(section, dict):
        return section.get("name", DEFAULT_SOLVER)
    return getattr(section, "name", DEFAULT_SOLVER)


SolverSection = Annotated[
    Annotated[MgcfdSolver, Tag("mgcfd")]
    | Annotated[AdvectionDiffusionSolver, Tag("advection_diffusion")]
    | Annotated[IncompressibleSolver, Tag("incompressible")],
    Discriminator(solver_name),
]
