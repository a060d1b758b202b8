# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A result of halocline-p2p made by hand: every figure of a test is known."""

from __future__ import annotations

from typing import Any


def row(path: str, size: int, time_s: float) -> dict[str, Any]:
    return {
        "path": path,
        "pattern": "latency",
        "bytes": size,
        "window": 1,
        "buffers": "reused",
        "block_bytes": 0,
        "first_s": 2 * time_s,
        "samples": 10,
        "batch": 4,
        "min_s": time_s,
        "median_s": time_s,
        "p99_s": time_s,
        "max_s": time_s,
        "bytes_per_s": size / time_s,
        "percent_of_limit": None,
    }


def result() -> dict[str, Any]:
    """A result of two paths at two sizes with a sweep, as the native program writes it."""
    blocks = [{"block_bytes": 1024, "median_s": 2e-6}, {"block_bytes": 2048, "median_s": 1e-6}]
    sweep_row = {
        "bytes": 4096,
        "staged_s": 3e-6,
        "blocks": blocks,
        "best_block_bytes": 2048,
        "confirmed_staged_s": 3e-6,
        "confirmed_best_s": 1e-6,
        "default_s": None,
    }
    return {
        "format": "halocline-p2p-result",
        "version": 2,
        "code": {"version": "0", "git": "g"},
        "started": "2026-01-02T03:04:05Z",
        "command": ["halocline-p2p", "--json", "a b.json"],
        "host": "node<1>",
        "ranks": 2,
        "thread_level": "single",
        "one_host": True,
        "device": {"kind": "none", "note": "none"},
        "transport": [{"what": "library", "value": "Some MPI", "source": "asked"}],
        "gpu_aware_mpi": {"aware": False, "evidence": "no"},
        "gpudirect_rdma": {"verdict": "not available: x", "evidence": []},
        "topology": {"hwloc": "2", "numa_nodes": [], "gpus": [], "nics": []},
        "affinity": {"findings": [], "warnings": ["a warning"], "ranks_of_host": []},
        "limits": {
            "triad_bytes_per_s": 1e10,
            "memcpy": [{"bytes": 4096, "bytes_per_s": 2e10}],
            "device_to_host_bytes_per_s": None,
            "network_evidence": "not used",
        },
        "paths": [
            {
                "name": "direct",
                "state": "refused",
                "reason": "because",
                "traffic": None,
                "limit": None,
            }
        ],
        "rows": [row(path, size, 1e-6) for path in ("host", "staged") for size in (1, 4096)],
        "judge": [{"bytes": 1, "plain_s": 1e-6, "host_s": 1.05e-6, "ratio": 1.05}],
        "sweep": {"rows": [sweep_row], "written_to": None},
    }
