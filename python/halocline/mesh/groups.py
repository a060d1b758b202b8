# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Boundary group numbers and their names, as MG-CFD interprets the numbers.

MG-CFD takes groups up to 2 as solid walls, 3 to 7 as far field, and leaves larger ones without
flux. Periodic sides are 6 and 7: a solver without periodicity sees a far field there, which keeps
the free stream and closes the flux; a solver with periodicity reads `periodic_node_pairs`.
"""

from __future__ import annotations

HUB = LOWER_WALL = 0
SHROUD = UPPER_WALL = LID = 1
BLADE = SIDE_WALL = 2
FAR_FIELD = 3
INLET = 4
OUTLET = 5
PERIODIC_LOWER = 6
PERIODIC_UPPER = 7

LAST_WALL = 2
LAST_FAR_FIELD = 7


def kind(group: int) -> str:
    """What MG-CFD does with a boundary group: `wall`, `far field` or `no flux`."""
    if group <= LAST_WALL:
        return "wall"
    return "far field" if group <= LAST_FAR_FIELD else "no flux"
