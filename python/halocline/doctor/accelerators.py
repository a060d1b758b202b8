# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Probes of GPUs, their driver and the CUDA compiler."""

from __future__ import annotations

import ctypes

from halocline.doctor.fact import Fact, State, ask

FIELDS = "name,memory.total,driver_version,compute_cap"


def gpu_facts() -> list[Fact]:
    """Return GPUs with memory and capability, the driver library and nvcc."""
    return [*_gpus(), _driver_fact(), _compiler_fact()]


def _gpus() -> list[Fact]:
    listing = ask(["nvidia-smi", f"--query-gpu={FIELDS}", "--format=csv,noheader"])
    if not listing or not listing.strip():
        return [
            Fact(
                "GPU",
                "none",
                State.ABSENT,
                value=[],
                found_by="nvidia-smi",
                remedy="runs on CPUs do not need one",
            )
        ]
    facts = []
    for index, line in enumerate(listing.strip().splitlines()):
        name, memory, driver, capability = (part.strip() for part in line.split(","))
        value = {"name": name, "memory": memory, "driver": driver, "capability": capability}
        text = f"{name}, {memory}, compute capability {capability}, driver {driver}"
        facts.append(Fact(f"GPU {index}", text, value=value, found_by="nvidia-smi"))
    return facts


def _driver_fact() -> Fact:
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return Fact("CUDA driver library", "none", State.ABSENT, found_by="loading libcuda.so.1")
    count = ctypes.c_int(0)
    started = driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
    if not started:
        return Fact(
            "CUDA driver library",
            "present, but it does not start",
            State.ABSENT,
            found_by="cuInit",
            remedy="check that the kernel module is loaded: nvidia-smi",
        )
    return Fact(
        "CUDA driver library",
        f"sees {count.value} GPUs",
        value=count.value,
        found_by="cuDeviceGetCount",
    )


def _compiler_fact() -> Fact:
    listing = ask(["nvcc", "--version"])
    release = (listing or "").partition("release ")[2].partition(",")[0]
    if release:
        return Fact("nvcc", release, found_by="nvcc --version")
    return Fact(
        "nvcc",
        "none",
        State.ABSENT,
        found_by="PATH",
        remedy="only needed to build the CUDA backend",
    )
