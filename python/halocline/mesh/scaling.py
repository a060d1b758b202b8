# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Factors on area vectors by name."""

from __future__ import annotations

SCALINGS = {"natural": 1.0, "boosted": 1e18, "legacy": 1e7}
"""Factor on area vectors of a mesh with cells of size 1; what each is for: docs/meshes.md."""
