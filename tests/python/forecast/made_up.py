# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Records and divisions made up from a machine that is known exactly.

A loop over edges costs EDGE_S an element and CALL_S a call on every level; level 0 has NODES nodes
in a row, cut into equal pieces, so that each inner part has two neighbours and sends each one node.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from halocline.documents.store import parse
from halocline.forecast.measured import Run, measured
from halocline.forecast.parts import Division, LevelParts
from halocline.record.model import Record

EXAMPLE = Path(__file__).parents[1] / "data" / "record.example.json"
NODES = 1 << 20
COARSE = 1 << 14
EDGE_S = 2e-9
CALL_S = 1e-6
CYCLES = 10
CALLS = 3
WIDTH = 5
LATENCY_S, BYTES_PER_S = 2e-6, 1e9


def chain(parts: int, nodes: int = NODES) -> LevelParts:
    """A row of nodes in equal pieces; an edge a node, cut edges executed on both sides."""
    own = np.full(parts, nodes / parts)
    ends = np.zeros(parts) if parts == 1 else np.full(parts, 2.0)
    if parts > 1:
        ends[[0, -1]] = 1.0
    right = np.arange(parts - 1)
    senders = np.concatenate([right, right + 1]).astype(np.int64)
    receivers = np.concatenate([right + 1, right]).astype(np.int64)
    return LevelParts(
        nodes=own,
        shared=ends,
        edges=own,
        own_edges=own,
        boundary=np.zeros(parts),
        halo=ends,
        senders=senders,
        receivers=receivers,
        link_nodes=np.ones(len(senders)),
    )


def division(parts: int) -> Division:
    """Two levels of such rows."""
    return Division("made-up", "none", parts, (chain(parts), chain(parts, COARSE)))


def call_s(nodes: float, parts: int, slower: float = 1.0) -> float:
    """Seconds of a call on each part."""
    return slower * (CALL_S + EDGE_S * nodes / parts)


def cycle_s(parts: int, slower: float = 1.0) -> float:
    """Seconds of a cycle: calls, each with an exchange of WIDTH doubles where there are parts."""
    neighbours = min(2, parts - 1)
    wait = neighbours * (LATENCY_S + WIDTH * 8 / BYTES_PER_S)
    return CALLS * sum(call_s(nodes, parts, slower) + wait for nodes in (NODES, COARSE))


def record(parts: int, slower: float = 1.0, edge_bytes: int = 0, **changes: Any) -> Record:
    """The record of a run of that machine with a core for each rank.

    Args:
        parts: ranks, all on one host.
        slower: factor on computing, since so many cores are busy.
        edge_bytes: that an edge moves.
        changes: of parts of the record.
    """
    data = json.loads(EXAMPLE.read_text())
    links, seconds = 2 * (parts - 1), cycle_s(parts, slower) * CYCLES
    neighbours = min(2, parts - 1)
    wait = neighbours * (LATENCY_S + WIDTH * 8 / BYTES_PER_S)
    count = CALLS * CYCLES
    data["mesh"]["levels"] = [
        {"level": level, "nodes": nodes, "edges": nodes, "boundary_entries": 0}
        for level, nodes in enumerate((NODES, COARSE))
    ]
    data["layout"] |= {"ranks": parts, "threads_per_rank": 1, "gpus": 0}
    data["hosts"] = [{"name": "n", "ranks": parts, "cores": 64, "cpu": None, "memory_bytes": None}]
    data["loops"] = [
        {
            "name": "flux",
            "level": level,
            "set": "edges",
            "calls": count,
            "seconds": count * (call_s(nodes, parts, slower) + wait),
            "elements": count * nodes,
            "bytes": count * nodes * edge_bytes,
            "halo": None
            if parts == 1
            else {
                "exchanges": count,
                "messages": count * links,
                "bytes": count * links * WIDTH * 8,
                "overlapped": 0,
                "total_s": count * wait,
                "hidden_s": 0.0,
                "exposed_s": count * wait,
            },
        }
        for level, nodes in enumerate((NODES, COARSE))
    ]
    data["linear_solvers"] = []
    data["halo"] |= {
        "network_model": None,
        "bytes": 0,
        "packing_s": 0.0,
        "trials": [],
        "levels": [{"level": level, "messages": links, "elements": links} for level in (0, 1)]
        if parts > 1
        else [],
    }
    data["partition"]["prediction"] |= {"latency_s": LATENCY_S, "bytes_per_s": BYTES_PER_S}
    for level in data["partition"]["levels"]:
        level["import_exec"] = 0
    data["results"] |= {"cycles": CYCLES, "compute_s": seconds}
    held = (NODES + COARSE + (2 * links if parts > 1 else 0)) / parts
    data["memory"] |= {
        "peak_rss_bytes": dict.fromkeys(("min", "mean", "max"), 1e7 + 100.0 * held),
        "fixed_bytes": dict.fromkeys(("min", "mean", "max"), 1e7),
    }
    if parts == 1:
        data["partition"] = None
    for name, value in changes.items():
        data[name] |= value
    return parse(Record, data, f"made up, {parts}")


def run(parts: int, slower: float = 1.0, edge_bytes: int = 0, **changes: Any) -> Run:
    """The same as a measured point."""
    return measured(record(parts, slower, edge_bytes, **changes), f"made up, {parts}")
