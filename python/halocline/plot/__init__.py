# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures: meshes and fields drawn by VTK, and bar charts from run records."""
