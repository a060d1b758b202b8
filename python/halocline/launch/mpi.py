# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The words of mpirun and srun for a layout: binding, oversubscription, root, containers."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import MissingEnvironmentError
from halocline.launch.layout import Layout

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES")


@dataclass(frozen=True)
class MpiLauncher:
    """An mpirun of this machine."""

    path: Path
    family: str
    version: str


def find_mpirun(family: str | None) -> MpiLauncher | None:
    """Return an mpirun of `family` (`openmpi`, `mpich`; None: any), the default one first."""
    names = ["mpirun", "mpiexec", "mpirun.openmpi", "mpirun.mpich", "mpiexec.hydra"]
    for name in names:
        path = shutil.which(name)
        launcher = identify_mpirun(Path(path)) if path else None
        if launcher is not None and family in (None, launcher.family):
            return launcher
    return None


def identify_mpirun(path: Path) -> MpiLauncher | None:
    """Ask an mpirun what it is."""
    try:
        done = subprocess.run(
            [str(path), "--version"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    text = done.stdout
    if "Open MPI" in text or "OpenRTE" in text:
        return MpiLauncher(path, "openmpi", _word_after(text, ")"))
    if "Intel" in text:
        return MpiLauncher(path, "mpich", "Intel " + _word_after(text, "Version"))
    if "HYDRA" in text:
        return MpiLauncher(path, "mpich", _word_after(text, "Version:"))
    return None


def _word_after(text: str, mark: str) -> str:
    rest = text.partition(mark)[2].split()
    return rest[0] if rest else "unknown"


def launch_words(
    launcher: str,
    layout: Layout,
    family: str | None,
    more: Sequence[str],
    binding: str | None = None,
) -> list[str]:
    """Return the command that goes before the native program; empty for one plain process.

    `binding` is what each rank is bound to; None: to cores for its threads, if there are enough.
    """
    if launcher == "none" or (launcher == "auto" and layout.ranks == 1 and not more):
        if layout.ranks > 1:
            raise MissingEnvironmentError(
                f'{layout.ranks} ranks need a launcher (parallel.launcher is "none"). '
                'Set parallel.launcher = "auto" or parallel.ranks = 1.'
            )
        return []
    if launcher == "srun":
        return _srun_words(layout, family, more)
    found = find_mpirun(family)
    if found is None:
        raise MissingEnvironmentError(
            f"no mpirun of {family or 'any MPI'} was found ({layout.ranks} ranks need one). "
            "Install it, e.g. apt-get install openmpi-bin, or set parallel.ranks = 1."
        )
    by_family = _openmpi_words if found.family == "openmpi" else _mpich_words
    words = by_family(layout, more, binding)
    return [str(found.path), "-n", str(layout.ranks), *words, *more]


def _openmpi_words(layout: Layout, more: Sequence[str], binding: str | None) -> list[str]:
    words = ["--map-by", f"slot:PE={layout.threads}", "--bind-to", "core"]
    if layout.oversubscribed:
        words = ["--oversubscribe", "--bind-to", binding or "none"]
    elif binding is not None and binding != "core":
        words = ["--map-by", "slot", "--bind-to", binding]
    if os.geteuid() == 0:
        words.append("--allow-run-as-root")
    if not _can_read_other_processes():
        words += ["--mca", "btl_vader_single_copy_mechanism", "none"]
    if not more:  # on this machine alone the program's own sentence says what went wrong
        words.append("--quiet")
    else:  # other hosts may take part, and Open MPI sends them only what is named
        words += [word for name in THREAD_VARIABLES for word in ("-x", name)]
    return words


def _mpich_words(layout: Layout, _more: Sequence[str], binding: str | None) -> list[str]:
    if binding is not None and binding != "core":
        return ["-bind-to", binding]
    unbound = layout.oversubscribed and binding is None
    return ["-bind-to", "none" if unbound else f"core:{layout.threads}"]


def _srun_words(layout: Layout, family: str | None, more: Sequence[str]) -> list[str]:
    if shutil.which("srun") is None:
        raise MissingEnvironmentError(
            'srun was not found (parallel.launcher is "srun"). Set it to "mpirun".'
        )
    plugin = "pmi2" if family == "mpich" else "pmix"
    words = ["srun", f"--mpi={plugin}", "-n", str(layout.ranks), "-c", str(layout.threads)]
    return [*words, "--cpu-bind=cores", *more]


def _can_read_other_processes() -> bool:
    """Whether process_vm_readv works: containers often forbid it, and Open MPI then complains."""
    libc = ctypes.CDLL(None, use_errno=True)
    source, target = ctypes.create_string_buffer(b"x", 1), ctypes.create_string_buffer(1)

    class IoVec(ctypes.Structure):
        _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))

    local = IoVec(ctypes.addressof(target), 1)
    remote = IoVec(ctypes.addressof(source), 1)
    read = getattr(libc, "process_vm_readv", None)
    if read is None:
        return False
    count = read(os.getpid(), ctypes.byref(local), 1, ctypes.byref(remote), 1, 0)
    return int(count) == 1
