# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Probes of GPUs, their driver, the CUDA compiler, and what this build can do with them."""

from __future__ import annotations

import ctypes
import functools
import json
import re
import shutil
from pathlib import Path
from typing import Any

from halocline.doctor.fact import Fact, State, ask
from halocline.launch.programs import find_program

FIELDS = "name,memory.total,driver_version,compute_cap"
CUDA_FOLDER = Path("/usr/local/cuda")  # the build searches it, too
TRANSFER_PROGRAM = "halocline-p2p"


def gpu_facts() -> list[Fact]:
    """Return GPUs with memory and capability, driver, nvcc, and the device back ends built."""
    return [*_gpus(), _driver_cuda_fact(), _driver_fact(), _compiler_fact(), _build_fact()]


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
    return [_gpu_fact(index, line) for index, line in enumerate(listing.strip().splitlines())]


def _gpu_fact(index: int, line: str) -> Fact:
    parts = [part.strip() for part in line.split(",")]
    if len(parts) != len(FIELDS.split(",")):  # "No devices were found", an error of the driver
        return Fact(f"GPU {index}", line.strip(), State.ABSENT, found_by="nvidia-smi")
    name, memory, driver, capability = parts
    value = {"name": name, "memory": memory, "driver": driver, "capability": capability}
    text = f"{name}, {memory}, compute capability {capability}, driver {driver}"
    return Fact(f"GPU {index}", text, value=value, found_by="nvidia-smi")


def _driver_cuda_fact() -> Fact:
    """Return the newest CUDA that the driver can run: older programs run, newer ones do not."""
    match = re.search(r"CUDA Version: *([\d.]+)", ask(["nvidia-smi"]) or "")
    if match:
        return Fact("CUDA of the driver", match[1], found_by="nvidia-smi")
    return Fact("CUDA of the driver", "none", State.ABSENT, found_by="nvidia-smi")


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
    path = shutil.which("nvcc") or str(CUDA_FOLDER / "bin" / "nvcc")
    listing = ask([path, "--version"])
    release = (listing or "").partition("release ")[2].partition(",")[0]
    if release:
        value = {"version": release, "path": path}
        return Fact("nvcc", f"{release}, {path}", value=value, found_by="nvcc --version")
    return Fact(
        "nvcc",
        "none",
        State.ABSENT,
        found_by=f"PATH, {CUDA_FOLDER}",
        remedy="only needed to build the CUDA backend",
    )


@functools.cache
def capabilities() -> dict[str, Any] | None:
    """Return what `halocline-p2p` finds out with MPI started; None: not built, or no answer."""
    program = find_program(TRANSFER_PROGRAM)
    try:
        answer = json.loads(ask([str(program), "--capabilities"]) or "") if program else None
    except json.JSONDecodeError:
        return None
    return answer if isinstance(answer, dict) else None


def _build_fact() -> Fact:
    found, source = capabilities(), f"{TRANSFER_PROGRAM} --capabilities"
    if found is None:
        return Fact(
            "device back ends",
            "unknown",
            State.ABSENT,
            found_by=f"{source} did not answer",
            remedy="make build",
        )
    if found["cuda_build"] is None:
        return Fact(
            "device back ends",
            "emulated",
            value=["emulated"],
            found_by=source,
            remedy="for GPUs, build with -DHALOCLINE_CUDA=ON",
        )
    text = f"cuda (CUDA {found['cuda_build']}; {found['gpus_evidence']}), emulated"
    return Fact("device back ends", text, value=["cuda", "emulated"], found_by=source)
