# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Chooses ranks × threads where the case says `auto`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from halocline.launch.cores import CoreCount
from halocline.wording import layout_words

if TYPE_CHECKING:
    from halocline.case.model import ParallelSection

# Threads of a rank execute edges on their cut twice and share one NIC queue; groups of about
# eight cores keep that share small and stay within one last-level cache on current CPUs.
THREADS_PER_RANK = 8
SERIAL_BACKENDS = ("serial", "check")
# A rank has a device to itself; how many there are is the user's to say.
DEVICE_BACKENDS = ("cuda", "emulated")


@dataclass(frozen=True)
class Layout:
    """How a run is spread."""

    ranks: int
    threads: int
    oversubscribed: bool

    def __str__(self) -> str:
        return layout_words(self.ranks, self.threads)


def choose_layout(parallel: ParallelSection, cores: CoreCount) -> Layout:
    """Fill in what is `auto`, so that all cores work and each rank stays in one NUMA node."""
    available = _allocated_cores() or cores.cores
    wanted = None if parallel.threads == "auto" else parallel.threads
    if parallel.backend in SERIAL_BACKENDS:
        wanted = wanted or 1
    if parallel.ranks != "auto":
        ranks = parallel.ranks
    elif parallel.backend in DEVICE_BACKENDS:
        ranks = 1
    elif wanted is not None:
        ranks = max(1, available // wanted)
    else:
        ranks = auto_ranks(available, cores.numa_nodes)
    threads = wanted or max(1, available // ranks)
    return Layout(ranks, threads, oversubscribed=ranks * threads > available)


def auto_ranks(available: int, numa_nodes: int) -> int:
    """Return how many ranks share `available` cores, each rank within one NUMA node."""
    per_node = max(1, available // numa_nodes)
    groups = max(1, round(per_node / THREADS_PER_RANK))
    return min(available, numa_nodes * groups)


def _allocated_cores() -> int | None:
    """Cores of a Slurm job over all its hosts, when this process runs in one."""
    nodes = os.environ.get("SLURM_JOB_NUM_NODES")
    per_node = os.environ.get("SLURM_CPUS_ON_NODE")
    if nodes and per_node and nodes.isdigit() and per_node.isdigit() and int(nodes) > 1:
        return int(nodes) * int(per_node)
    return None
