# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A result of the halo experiment made by hand: every figure of a test is known."""

from __future__ import annotations

from typing import Any

#: S1, S2, what is sent [bytes], neighbours and directions of the rank that has most, by domains.
SIZES = {2: (8000, 1600, 800, 1, 2), 4: (4800, 1760, 880, 3, 6)}


def row(scheme: str, fields: int, domains: int, time_s: float) -> dict[str, Any]:
    whole, halo, sent, neighbours, directions = SIZES[domains]
    copies = {"whole": 2 * fields, "neighbour": fields * directions, "packed": 2}
    size = {"whole": 2 * fields * whole, "neighbour": fields * halo, "packed": fields * halo}
    return {
        "scheme": scheme,
        "fields": fields,
        "link_copies": copies.get(scheme, 0),
        "link_bytes": size.get(scheme, 0),
        "messages": neighbours,
        "message_bytes": fields * sent,
        "checked_values": 1000,
        "min_s": 0.5 * time_s,
        "lower_s": 0.75 * time_s,
        "median_s": time_s,
        "upper_s": 1.25 * time_s,
        "max_s": 2 * time_s,
    }


def run(domains: int) -> dict[str, Any]:
    """Runs in which whole takes 8 ms a field and domain, neighbour 4 ms, packed 2 ms, host 1 ms."""
    times_s = {"whole": 8e-3, "neighbour": 4e-3, "packed": 2e-3, "host": 1e-3}
    whole, halo, sent, neighbours, directions = SIZES[domains]
    return {
        "started": "2026-01-02T03:04:05Z",
        "command": ["halocline-halo", "--json", "a b.json"],
        "host": "node<1>",
        "one_host": True,
        "mpi": "Some MPI",
        "domains": domains,
        "device": {"kind": "emulated", "name": "emulated device", "details": "", "note": "none"},
        "partitioner": "inertial",
        "repetitions": 5,
        "refused": [{"scheme": "direct", "reason": "because"}],
        "meshes": [
            {
                "vertices": 1000000,
                "whole_bytes": whole,
                "halo_bytes": halo,
                "sent_bytes": sent,
                "sent_to": neighbours,
                "directions": directions,
                "all_are_neighbours": True,
                "rows": [
                    row(scheme, fields, domains, fields * domains * time_s)
                    for fields in (1, 9)
                    for scheme, time_s in times_s.items()
                ],
            }
        ],
    }


def result(*domains: int) -> dict[str, Any]:
    """A result as the native program writes it, of one number of domains or several."""
    return {
        "format": "halocline-halo-result",
        "version": 1,
        "code": {"version": "0", "git": "g"},
        "runs": [run(count) for count in domains or (2, 4)],
        "records": [],
    }
