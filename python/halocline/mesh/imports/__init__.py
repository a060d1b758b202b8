# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Meshes of others: readers of their files, the median dual of any cells, coarse levels."""
