# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is asked of an import, and whether it can be."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from halocline.errors import UsageError, suggestion
from halocline.mesh.scaling import SCALINGS

METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001, "um": 1e-6, "in": 0.0254, "ft": 0.3048}


@dataclass(frozen=True)
class ImportRequest:
    """What is asked for.

    `boundaries` gives groups by name, `default` that of all other boundaries, `scale` a factor on
    coordinates or the unit of length of the file, `merge` the distance of nodes to be joined as a
    part of the extent (None: joined are none), `symmetry` are names of planes of symmetry.
    """

    levels: int = 4
    boundaries: dict[str, int] = field(default_factory=dict)
    default: int | None = None
    scale: str = "1"
    scaling: str = "natural"
    merge: float | None = None
    symmetry: frozenset[str] = frozenset()


def length_of(scale: str) -> tuple[float, str]:
    """Return the factor on coordinates and the unit of length of the result."""
    if scale in METRES:
        return METRES[scale], "m"
    try:
        factor = float(scale)
    except ValueError:
        factor = math.nan
    if not 0.0 < factor < math.inf:
        raise UsageError(
            f"--scale {scale}: is neither a positive number nor a unit of length. Give e.g. 0.001 "
            f"or one of {', '.join(METRES)}."
        )
    return factor, "1"


def require_possible(request: ImportRequest) -> None:
    """Refuse what no mesh could be imported with."""
    if not 1 <= request.levels <= 20:
        raise UsageError(f"--levels {request.levels}: must lie between 1 and 20.")
    if request.scaling not in SCALINGS:
        raise UsageError(
            f"--scaling {request.scaling}: no such scaling. {suggestion(request.scaling, SCALINGS)}"
        )
    if request.merge is not None and not 0.0 <= request.merge <= 0.1:
        raise UsageError(
            f"--merge-nodes {request.merge:g}: must lie between 0 and 0.1; it is a part of the "
            "extent of the mesh. Give e.g. 1e-9."
        )
