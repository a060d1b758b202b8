# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Comparing result files: which data sets belong together, and how far they are apart."""

from halocline.compare.difference import MGCFD_RULE, Difference, Limits
from halocline.compare.runs import Comparison, Meshes, compare

__all__ = ["MGCFD_RULE", "Comparison", "Difference", "Limits", "Meshes", "compare"]
