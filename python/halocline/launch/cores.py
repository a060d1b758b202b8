# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What this process may use of the machine: cores, hardware threads, NUMA nodes, caches."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

MOST_CPUS = 1 << 20
CPU_ROOT = Path("/sys/devices/system/cpu")
NODE_ROOT = Path("/sys/devices/system/node")
CGROUP_QUOTA = Path("/sys/fs/cgroup/cpu.max")


@dataclass(frozen=True)
class CoreCount:
    """Usable parts of the machine, after affinity masks and container limits."""

    hardware_threads: int
    cores: int
    numa_nodes: int


def usable_cores() -> CoreCount:
    """Count what this process may run on; never less than one of each."""
    cpus = os.sched_getaffinity(0)
    siblings = {_siblings(cpu) for cpu in cpus}
    quota = _quota_cores(len(cpus))
    nodes = [node for node in NODE_ROOT.glob("node[0-9]*") if cpus & parse_cpu_list(_cpus_of(node))]
    return CoreCount(
        hardware_threads=min(len(cpus), quota),
        cores=max(1, min(len(siblings), quota)),
        numa_nodes=max(1, len(nodes)),
    )


def parse_cpu_list(text: str) -> set[int]:
    """Read the kernel's list format, e.g. `0-3,8,10-11`; raises ValueError for anything else."""
    cpus: set[int] = set()
    for item in filter(None, text.strip().split(",")):
        first, _, last = item.partition("-")
        if int(last or first) >= MOST_CPUS:
            raise ValueError(f"cpu {item} is beyond any machine")
        cpus.update(range(int(first), int(last or first) + 1))
    return cpus


def _siblings(cpu: int) -> str:
    return _read(CPU_ROOT / f"cpu{cpu}/topology/thread_siblings_list", str(cpu))


def _cpus_of(node: Path) -> str:
    return _read(node / "cpulist", "")


def _quota_cores(limit: int) -> int:
    """Cores that a container's CPU quota amounts to (rounded up), or `limit` without one."""
    quota, _, period = _read(CGROUP_QUOTA, "max 100000").partition(" ")
    if quota == "max" or not period:
        return limit
    return max(1, math.ceil(int(quota) / int(period)))


def _read(path: Path, default: str) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:
        return default
