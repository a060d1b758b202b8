# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Probes of MPI libraries and whether they take device pointers."""

from __future__ import annotations

import shutil
from pathlib import Path

from halocline.doctor.accelerators import TRANSFER_PROGRAM, capabilities
from halocline.doctor.fact import Fact, State, ask, find_library
from halocline.launch.mpi import find_mpirun

FAMILIES = {"openmpi": "Open MPI", "mpich": "MPICH"}
SONAMES = {"openmpi": "libmpi.so.", "mpich": "libmpich.so."}
STAGED = "without it, messages are staged through host memory; or use an MPI built --with-cuda"
PACKAGES = {"openmpi": "openmpi-bin libopenmpi-dev", "mpich": "mpich libmpich-dev"}


def mpi_facts() -> list[Fact]:
    """Return the MPI libraries found, which is the default, and what they can do."""
    found = [_family_fact(family) for family in FAMILIES]
    if any(fact.state is State.OK for fact in found):
        facts = [fact for fact in found if fact.state is State.OK]
    else:
        facts = [_no_mpi_fact()]
    return [*facts, _default_fact(), _compiler_fact(), _threads_fact(), _gpu_aware_fact()]


def _family_fact(family: str) -> Fact:
    launcher = find_mpirun(family)
    library = find_library(SONAMES[family])
    if launcher is None and library is None:
        return Fact(FAMILIES[family], "not found", State.ABSENT)
    version = launcher.version if launcher else "library only, no mpirun"
    value = {
        "version": launcher.version if launcher else None,
        "mpirun": str(launcher.path) if launcher else None,
        "library": library,
    }
    text = f"{version}, {launcher.path if launcher else library}"
    return Fact(FAMILIES[family], text, value=value, found_by="mpirun --version, ldconfig")


def _no_mpi_fact() -> Fact:
    return Fact("MPI", "none found", State.MISSING, remedy=f"apt-get install {PACKAGES['openmpi']}")


def _default_fact() -> Fact:
    default = shutil.which("mpirun")
    launcher = find_mpirun(None)
    if default is None or launcher is None:
        return Fact("default mpirun", "none", State.ABSENT, found_by="PATH")
    text = f"{FAMILIES[launcher.family]} {launcher.version}, {Path(default).resolve()}"
    return Fact("default mpirun", text, value=launcher.family, found_by="PATH")


def _compiler_fact() -> Fact:
    compiler = shutil.which("mpicxx") or shutil.which("mpic++")
    if compiler:
        return Fact("MPI compiler", compiler, found_by="PATH")
    remedy = "to build: apt-get install libopenmpi-dev"
    return Fact("MPI compiler", "none", State.ABSENT, found_by="PATH", remedy=remedy)


def _open_mpi_listing() -> str:
    return ask(["ompi_info", "--parsable", "--all"]) or ""


def _threads_fact() -> Fact:
    name, mark = "MPI_THREAD_MULTIPLE", "MPI_THREAD_MULTIPLE: "
    listing = _open_mpi_listing()
    if mark in listing:
        able = listing.partition(mark)[2].startswith("yes")
        state = State.OK if able else State.ABSENT
        return Fact(name, "yes" if able else "no", state, able, "ompi_info")
    if "MPICH Version" in (ask(["mpichversion"]) or ""):
        return Fact(name, "yes (MPICH's default)", value=True, found_by="mpichversion")
    source = "neither ompi_info nor mpichversion answered"
    return Fact(name, "unknown", State.ABSENT, found_by=source)


def _gpu_aware_fact() -> Fact:
    """What a running MPI says, else what it was built with; only a checked transfer proves it."""
    asked_mpi = capabilities()
    if asked_mpi is not None:
        aware = bool(asked_mpi["mpi_takes_device_pointers"])
        text = f"{'yes' if aware else 'no'}: {asked_mpi['mpi_evidence']}"
        source = f"{TRANSFER_PROGRAM} --capabilities, in an MPI program of one rank"
        state = State.OK if aware else State.ABSENT
        return Fact("GPU-aware MPI", text, state, aware, source, "" if aware else STAGED)
    listing = _open_mpi_listing()
    transports = ask(["ucx_info", "-d"])
    through_ucx = "cuda_copy" in (transports or "")
    if not listing and transports is None:
        return Fact(
            "GPU-aware MPI",
            "unknown",
            State.ABSENT,
            found_by="neither ompi_info nor ucx_info answered",
        )
    built_in = "built_with_cuda_support:value:true" in listing
    asked = [name for name, text in (("ompi_info", listing), ("ucx_info -d", transports)) if text]
    if built_in or through_ucx:
        how = "built with CUDA" if built_in else "where messages go through UCX (--mca pml ucx)"
        return Fact("GPU-aware MPI", f"yes, {how}", value=True, found_by=", ".join(asked))
    return Fact("GPU-aware MPI", "no", State.ABSENT, False, ", ".join(asked), STAGED)
