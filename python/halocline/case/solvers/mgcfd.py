# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`[solver]` of MG-CFD's multigrid Euler solver."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from halocline.case.solvers.common import AnySolver


class MgcfdSolver(AnySolver):
    """MG-CFD's multigrid Euler solver."""

    name: Literal["mgcfd"] = Field("mgcfd", description="solver")
    cycles: int = Field(25, ge=1, description="multigrid cycles")
    legacy_mode: bool = Field(False, description="read MG-CFD's older data set names and areas")
    validate_result: bool = Field(False, description="compare with the stored solution at the end")
    measure_mem_bound: bool = Field(False, description="also time a streaming twin of the flux")
