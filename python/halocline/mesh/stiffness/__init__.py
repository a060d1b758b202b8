# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Weights of a Laplacian on the edges of a mesh: linear finite elements on the primal cells."""
