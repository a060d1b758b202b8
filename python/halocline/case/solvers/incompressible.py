# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`[solver]` of the incompressible solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BeforeValidator, Field, WithJsonSchema

from halocline.case.names import one_of
from halocline.case.section import AutoCount, Section
from halocline.case.solvers.common import AnySolver

if TYPE_CHECKING:
    Method: TypeAlias = str
    Preconditioner: TypeAlias = str
    Smoother: TypeAlias = str
else:
    Method = one_of("incompressible.method")
    Preconditioner = one_of("incompressible.preconditioner")
    Smoother = one_of("incompressible.smoother")


def _as_text(value: Any) -> Any:
    """Return a number as the formula that it is; leave all else to pydantic."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return repr(value) if is_number else value


Formula = Annotated[
    str,
    Field(min_length=1),
    BeforeValidator(_as_text),
    WithJsonSchema({"type": ["string", "number"], "minLength": 1}),
]
"""Of x, y, z and t; `halocline-solve` reads it."""
FormulaVector = Annotated[list[Formula], Field(min_length=2, max_length=3)]
Vector = Annotated[list[float], Field(min_length=2, max_length=3)]
ZERO = ["0", "0", "0"]


class FlowSection(Section):
    """A flow, by formulae of x, y, z and t."""

    velocity: FormulaVector = Field(ZERO, description="components along x, y and z")
    pressure: Formula = Field("0", description="over density")


class BoundarySection(Section):
    """What holds on one group of the mesh's boundary."""

    kind: Literal["wall", "inlet", "outlet", "slip"] = Field("wall", description="what it is")
    velocity: FormulaVector = Field(ZERO, description="of a wall or an inlet")
    pressure: Formula = Field("0", description="of an outlet, over density")
    scalar: Formula | None = Field(None, description="value of the scalar; none: no flux of it")
    corners: bool = Field(
        False, description="nodes that belong to other groups, too, have this velocity"
    )


class ScalarSection(Section):
    """A quantity that the flow carries and that does not act on it."""

    diffusivity: float = Field(0.0, ge=0.0, description="how fast it spreads; 0: not at all")
    initial: Formula = Field("0", description="where it starts from")


class PressureSection(Section):
    """How the pressure equation is solved."""

    method: Method = Field("flexible", description="conjugate gradients")
    preconditioner: Preconditioner = Field("multigrid", description="of conjugate gradients")
    smoother: Smoother = Field("jacobi", description="of multigrid")
    sweeps: int = Field(1, ge=1, le=16, description="smoothing before and after a coarse level")
    damping: float = Field(0.76, gt=0.0, lt=1.0, description="of Jacobi smoothing")
    degree: int = Field(4, ge=1, le=16, description="of the preconditioner chebyshev")
    k_levels: Annotated[int, Field(ge=0)] | Literal["auto"] = Field(
        "auto", description="coarse levels with a K-cycle; V below"
    )
    k_nodes: int = Field(500, ge=0, description="nodes that a level with a K-cycle has at least")
    storage: Literal["float", "double"] = Field("float", description="of coarse levels")
    most_replicated: AutoCount = Field(
        "auto", description="nodes of coarse levels that every rank has whole, at most"
    )
    tolerance: float = Field(
        1e-6, gt=0.0, description="mass that a step may leave, of what it would leave unsolved"
    )
    absolute_tolerance: float = Field(
        0.0, ge=0.0, description="of the residual's norm; a solve ends when either is reached"
    )
    most_iterations: int = Field(1000, ge=1, description="of one solve")


class IncompressibleSolver(AnySolver):
    """Incompressible flow by pressure correction; density is 1."""

    needs_laplacian: ClassVar[bool] = True

    name: Literal["incompressible"] = Field("incompressible", description="solver")
    viscosity: float = Field(1e-3, ge=0.0, description="kinematic; 0: none")
    scheme: Literal["bdf2", "rk3"] = Field("bdf2", description="in time")
    upwind: float = Field(
        0.0, ge=0.0, le=1.0, description="share of upwind in convection; 0 conserves energy"
    )
    body_force: Vector = Field([0.0, 0.0, 0.0], description="on all of the fluid, over density")
    end_time: float = Field(1.0, gt=0.0, description="when the run ends")
    courant: float = Field(0.5, gt=0.0, le=1.0, description="largest Courant number of a step")
    time_step: float = Field(0.0, ge=0.0, description="0: as long as `courant` allows")
    steps: AutoCount = Field("auto", description="most time steps; auto: until `end_time`")
    steady: bool = Field(False, description="end when nothing changes any more")
    steady_tolerance: float = Field(
        1e-6, gt=0.0, description="root mean square of du/dt at which `steady` ends"
    )
    initial: FlowSection = Field(default_factory=FlowSection, description="where the run starts")
    exact: FlowSection | None = Field(None, description="what the result is compared with")
    boundaries: dict[str, BoundarySection] = Field(
        default_factory=dict, description="a section for each group of the mesh's boundary"
    )
    scalar: ScalarSection | None = Field(None, description="a quantity that the flow carries")
    pressure: PressureSection = Field(
        default_factory=PressureSection, description="how the pressure equation is solved"
    )
