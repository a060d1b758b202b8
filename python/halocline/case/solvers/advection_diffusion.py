# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`[solver]` of the advection–diffusion solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import Field

from halocline.case.names import one_of
from halocline.case.section import AutoCount
from halocline.case.solvers.common import AnySolver

if TYPE_CHECKING:
    Flux: TypeAlias = str
    Limiter: TypeAlias = str
    Problem: TypeAlias = str
else:
    Flux = one_of("advection_diffusion.flux")
    Limiter = one_of("advection_diffusion.limiter")
    Problem = one_of("advection_diffusion.problem")
Vector = Annotated[list[float], Field(min_length=3, max_length=3)]


class AdvectionDiffusionSolver(AnySolver):
    """A scalar that is carried and spreads, against exact solutions."""

    name: Literal["advection_diffusion"] = Field("advection_diffusion", description="solver")
    velocity: Vector = Field([1.0, 0.5, 0.25], description="what carries the scalar")
    diffusivity: float = Field(0.0, ge=0.0, description="how fast it spreads; 0: not at all")
    flux: Flux = Field("upwind", description="advective flux")
    limiter: Limiter = Field(
        "none", description="what keeps values at faces between those of neighbours"
    )
    problem: Problem = Field(
        "wave", description="exact solution: start, boundary values, and what is compared with"
    )
    waves_per_length: Vector = Field(
        [1.0, 1.0, 1.0], description="of the wave: waves in a unit of length along x, y and z"
    )
    centre: Vector = Field([0.5, 0.5, 0.5], description="of the pulse: where it starts")
    width: float = Field(0.1, gt=0.0, description="of the pulse: distance at which it is 1/e")
    end_time: float = Field(0.25, gt=0.0, description="when the run ends")
    cfl: float = Field(0.8, gt=0.0, description="time step ÷ the longest stable one, estimated")
    steps: AutoCount = Field("auto", description="time steps; auto: as few as `cfl` allows")
