# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What halos took of the run of a solver, from run records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from halocline.errors import InvalidInputError
from halocline.record.model import Record
from halocline.record.outcome import Loop
from halocline.record.store import find_record, read_record


def share_of(path: Path) -> dict[str, Any]:
    """Return the halo seconds of a record beside the seconds of its cycles or steps."""
    file = find_record(path)
    record = read_record(file)
    if record.results.compute_s <= 0.0:
        raise InvalidInputError(
            f"{file}: tells of no cycle or step (results.compute_s is 0), so halos have no share "
            "of it. Name the record of a run that computed."
        )
    halo = record.halo
    return {
        "file": str(path),
        "program": f"{record.program} ({record.settings.solver})",
        "mesh": _mesh_of(record),
        "scheme": halo.scheme,
        "ranks": record.layout.ranks,
        "exchanges": halo.exchanges,
        "exchange_s": halo.total_s,
        "exposed_s": halo.exposed_s,
        "kernels_s": _kernels_s(record.loops),
        "run_s": record.results.compute_s,
    }


def require_alike(shares: Sequence[Mapping[str, Any]]) -> None:
    """Raise InvalidInputError unless all shares are of one solver on one mesh.

    Ranks, schemes and steps are what such runs differ in. Shares that older results hold do not say
    which mesh they are of.
    """
    for what, word in (("program", "programs"), ("mesh", "meshes")):
        known = [share for share in shares if share.get(what)]
        for share in known[1:]:
            first = known[0]
            if share[what] != first[what]:
                raise InvalidInputError(
                    f"{first['file']} and {share['file']}: are records of different {word} "
                    f"({first[what]}; {share[what]}), whose shares cannot be compared. Name runs "
                    "of one case, and make a page for each case."
                )


def _mesh_of(record: Record) -> str:
    """Return nodes by level, and what tells a mesh from another one of the same sizes."""
    nodes = ", ".join(str(level.nodes) for level in record.mesh.levels)
    return f"{nodes} nodes" + (f", {record.mesh.hash}" if record.mesh.hash else "")


def _kernels_s(loops: Sequence[Loop]) -> float | None:
    """Return the seconds of all loops' kernels; None unless all ran on a device and were timed.

    On hosts the seconds of a loop hold its waiting for halos.
    """
    known = all(loop.ran_on == "device" and loop.timed_calls for loop in loops if loop.calls)
    return sum(loop.seconds for loop in loops) if known and loops else None
