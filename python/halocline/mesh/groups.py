# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Boundary group numbers and their names, as MG-CFD interprets the numbers.

MG-CFD knows 0 to 2 as solid walls and 3 to 7 as far field. Other numbers have no meaning there: it
takes negative ones for walls and leaves larger ones without flux; here they are refused. Periodic
sides are 6 and 7: a solver without periodicity sees a far field there, which keeps
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

FIRST = 0
LAST_WALL = 2
LAST = 7

WORDS = {
    "wall": LOWER_WALL,
    "far-field": FAR_FIELD,
    "inlet": INLET,
    "outlet": OUTLET,
    "symmetry": SIDE_WALL,
    "lower-wall": LOWER_WALL,
    "upper-wall": UPPER_WALL,
    "side-wall": SIDE_WALL,
    "hub": HUB,
    "shroud": SHROUD,
    "casing": SHROUD,
    "lid": LID,
    "blade": BLADE,
    "periodic-lower": PERIODIC_LOWER,
    "periodic-upper": PERIODIC_UPPER,
}
"""Words for groups on a command line. Walls let no gas through and do not hold it back along
them, so that a plane of symmetry is one."""


def kind(group: int) -> str:
    """What a boundary group is to a run: `wall`, `far field` or, outside 0 to 7, `refused`."""
    if not FIRST <= group <= LAST:
        return "refused"
    return "wall" if group <= LAST_WALL else "far field"
