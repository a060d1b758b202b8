# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Preloading a tool library into the ranks of any MPI launch line."""

from halocline.preload.compose import preloaded
from halocline.preload.family import Family, family_of
from halocline.preload.libraries import tool_library

__all__ = ["Family", "family_of", "preloaded", "tool_library"]
