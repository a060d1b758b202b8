# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Blade passage of NASA Rotor 37."""

from __future__ import annotations

from halocline.errors import UsageError
from halocline.mesh.shape import Shape
from halocline.mesh.request import Request


def make_rotor37(request: Request) -> Shape:
    raise UsageError("rotor37 is being built.")
