# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Meshes: generators, the files of a mesh folder, and checks."""
