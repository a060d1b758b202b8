# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Probes of HDF5, graph partitioners and Python packages."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from halocline.doctor.fact import Fact, State, ask, find_library

PARTITIONERS = {
    "PT-Scotch": (("libptscotch-", "libptscotch.so"), "apt-get install libptscotch-dev"),
    "ParMETIS interface": (
        ("libparmetis", "libptscotchparmetis"),
        "PT-Scotch's compatibility library serves it: apt-get install libptscotch-dev",
    ),
    "METIS": (("libmetis.so", "libmetis-"), "apt-get install libmetis-dev"),
}
PACKAGES = ("typer", "rich", "pydantic", "numpy", "scipy", "h5py", "matplotlib")


def library_facts() -> list[Fact]:
    """Return HDF5, partitioners and the OpenMP runtime."""
    return [_hdf5_fact(), *_partitioner_facts(), _openmp_fact()]


def _hdf5_fact() -> Fact:
    parallel = find_library("libhdf5_openmpi.so", "libhdf5_mpich.so")
    serial = find_library("libhdf5_serial.so", "libhdf5.so")
    if parallel:
        version = _config_version("h5pcc") or _config_version("h5pcc.openmpi")
        value = {"parallel": True, "library": parallel, "version": version}
        return Fact(
            "HDF5",
            f"parallel, {version or Path(parallel).name}",
            value=value,
            found_by="ldconfig, h5pcc -showconfig",
        )
    configuration = ask(["h5cc", "-showconfig"]) or ""
    if "Parallel HDF5: yes" in configuration:
        return Fact(
            "HDF5",
            "parallel",
            value={"parallel": True, "library": serial},
            found_by="h5cc -showconfig",
        )
    remedy = "apt-get install libhdf5-openmpi-dev"
    text = f"serial only, {serial}" if serial else "none"
    value = {"parallel": False, "library": serial, "version": None}
    return Fact("HDF5", text, State.MISSING, value, "ldconfig, h5cc -showconfig", remedy)


def _config_version(compiler: str) -> str | None:
    for line in (ask([compiler, "-showconfig"]) or "").splitlines():
        if "HDF5 Version:" in line:
            return line.partition(":")[2].strip()
    return None


def _partitioner_facts() -> list[Fact]:
    facts = []
    for name, (starts, remedy) in PARTITIONERS.items():
        path = find_library(*starts)
        if path:
            facts.append(Fact(name, Path(path).name, value=path, found_by="ldconfig"))
        else:
            state = State.MISSING if name == "PT-Scotch" else State.ABSENT
            facts.append(Fact(name, "none", state, found_by="ldconfig", remedy=remedy))
    return facts


def _openmp_fact() -> Fact:
    path = find_library("libgomp.so", "libomp.so")
    if path:
        return Fact("OpenMP runtime", Path(path).name, value=path, found_by="ldconfig")
    return Fact(
        "OpenMP runtime",
        "none",
        State.MISSING,
        found_by="ldconfig",
        remedy="apt-get install libgomp1",
    )


def python_facts() -> list[Fact]:
    """Return versions of the Python packages that the commands load."""
    return [_package_fact(name) for name in PACKAGES]


def _package_fact(name: str) -> Fact:
    try:
        return Fact(name, metadata.version(name), found_by="package metadata")
    except metadata.PackageNotFoundError:
        remedy = f"pip install {name}"
        return Fact(name, "none", State.MISSING, found_by="package metadata", remedy=remedy)
