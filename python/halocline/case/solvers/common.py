# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Keys of `[solver]` that every solver has."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from halocline.case.section import Section


class AnySolver(Section):
    """Solvers derive their section from this one and give it a `name`.

    `needs_laplacian` says whether meshes made for them have what a Laplacian needs.
    """

    needs_laplacian: ClassVar[bool] = False

    name: str = Field(description="solver")
    mesh_check: Literal["auto", "strict", "warn", "off"] = Field(
        "auto", description="what happens on dual cells that are not closed; auto: the program's"
    )
    measure_triad: Literal["auto", "on", "off"] = Field(
        "auto", description="measure memory bandwidth; auto: after a second or more on cores"
    )
