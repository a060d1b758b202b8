# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Probes of the processor and memory."""

from __future__ import annotations

import platform
from pathlib import Path

from halocline.doctor.fact import Fact, ask, read_text
from halocline.launch.cores import usable_cores

# Feature flags of the x86-64 micro-architecture levels (System V psABI), as the kernel names them.
X86_LEVELS = {
    "x86-64-v2": {"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"},
    "x86-64-v3": {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"},
    "x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
}
VECTOR_FLAGS = ("sse4_2", "avx", "avx2", "fma", "avx512f", "asimd", "sve", "sve2")


def machine_facts() -> list[Fact]:
    """Return what the processor and memory are."""
    info = _cpu_info()
    flags = set((info.get("flags") or info.get("Features") or "").split())
    cores = usable_cores()
    return [
        Fact("CPU", _model(info), found_by="/proc/cpuinfo"),
        _instruction_fact(flags),
        Fact(
            "cores",
            f"{cores.cores} cores, {cores.hardware_threads} hardware threads, "
            f"{cores.numa_nodes} NUMA node{'s' if cores.numa_nodes > 1 else ''}",
            value={
                "cores": cores.cores,
                "hardware_threads": cores.hardware_threads,
                "numa_nodes": cores.numa_nodes,
            },
            found_by="affinity mask, /sys, container quota",
        ),
        _cache_fact(),
        _memory_fact(),
    ]


def _cpu_info() -> dict[str, str]:
    first_cpu = read_text(Path("/proc/cpuinfo")).split("\n\n")[0]
    pairs = (line.partition(":") for line in first_cpu.splitlines())
    return {key.strip(): value.strip() for key, _, value in pairs}


def _model(info: dict[str, str]) -> str:
    if info.get("model name"):
        return info["model name"]
    for line in (ask(["lscpu"]) or "").splitlines():  # Arm kernels leave the name to lscpu
        if line.startswith("Model name:"):
            return line.partition(":")[2].strip()
    return platform.machine()


def x86_level(flags: set[str]) -> str | None:
    """Return the highest x86-64 level whose features, and those below, are all in `flags`."""
    level = None
    for name, needed in X86_LEVELS.items():
        if not needed <= flags:
            break
        level = name
    return level


def _instruction_fact(flags: set[str]) -> Fact:
    vectors = [flag for flag in VECTOR_FLAGS if flag in flags]
    level = x86_level(flags) or platform.machine()
    value = {"level": level, "vector_extensions": vectors}
    text = f"{level} ({', '.join(vectors) or 'no vector extensions'})"
    return Fact("instruction set", text, value=value, found_by="/proc/cpuinfo")


def _cache_fact() -> Fact:
    cache = Path("/sys/devices/system/cpu/cpu0/cache")
    sizes = {
        f"L{read_text(index / 'level')}": read_text(index / "size")
        for index in sorted(cache.glob("index*"))
        if read_text(index / "type") in ("Data", "Unified")
    }
    text = ", ".join(f"{level} {size}" for level, size in sizes.items()) or "unknown"
    return Fact("caches of core 0", text, value=sizes, found_by=str(cache))


def memory_bytes() -> tuple[int, int]:
    """Return the memory of this machine or container, and what of it can be had."""
    lines = read_text(Path("/proc/meminfo")).splitlines()
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines if ":" in line}
    total, free = (1024 * kilobytes.get(key, 0) for key in ("MemTotal", "MemAvailable"))
    limit = read_text(Path("/sys/fs/cgroup/memory.max"))
    if limit.isdigit():
        total, free = min(total, int(limit)), min(free, int(limit))
    return total, free


def _memory_fact() -> Fact:
    total, free = memory_bytes()
    text = f"{total / 2**30:.1f} GiB, {free / 2**30:.1f} GiB free"
    value = {"total_bytes": total, "available_bytes": free}
    return Fact("memory", text, value=value, found_by="/proc/meminfo, container limit")
