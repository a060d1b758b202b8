# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The MPI library that a program will load, and whose it is: judged by its symbols, not its name.

`libmpi.so.12` is MPICH's, Intel MPI's and MVAPICH's, `libmpi.so.40` Open MPI's, and other MPI
libraries are called `libmpi.so`, too. The dynamic loader says which file a program gets (RPATH,
LD_LIBRARY_PATH and the cache of the system are its business); that file says what it is.
"""

from __future__ import annotations

import mmap
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

OPEN_MPI, MPICH = "openmpi", "mpich"
#: Symbols of the binary interface of a family; each is part of what its mpi.h expands to.
MARKS = {b"MPIR_Dup_fn": MPICH, b"ompi_mpi_comm_world": OPEN_MPI}
#: Functions that only implementations derived from MPICH have, whatever interface they offer.
MADE_FROM_MPICH = b"MPIR_Err_create_code"
#: The name that MPI 5 gives to libraries of its own binary interface.
STANDARD_NAME = "libmpi_abi.so"
#: Where the file is not there to be looked at, e.g. without the modules that a job will load.
FILE_NAMES = {
    "libmpi.so.40": OPEN_MPI,
    "libmpi.so.20": OPEN_MPI,
    "libmpi.so.12": MPICH,
    "libmpich": MPICH,
    "libmpi_cray": MPICH,
    "libmpi_gnu": MPICH,
}
_LINE = re.compile(r"^\s*(?P<name>\S+) => (?P<path>/\S.*?)?(?:not found)?(?: \(0x[0-9a-f]+\))?$")


@dataclass(frozen=True)
class MpiLibrary:
    """An MPI library: `family` made it (and launches it), `interface` is that of its handles."""

    path: Path
    family: str | None
    interface: str | None


def mpi_library(program: Path) -> MpiLibrary | None:
    """Return the MPI library that the dynamic loader will give to `program`; None: none.

    Bindings of other languages come before it where a program is linked to them alone. They name
    MPICH's functions, which they call, but have no interface of handles.
    """
    others = None
    for name, path in _loaded_libraries(program):
        if not name.startswith(("libmpi", "libmpt")):
            continue
        found = _look_at(name, path)
        if found.interface is not None or name.startswith(STANDARD_NAME):
            return found
        if others is None or others.family is None:
            others = found
    return others


def mpi_family(program: Path) -> str | None:
    """Return `openmpi` or `mpich` for the MPI library of `program`; None: another, or none."""
    found = mpi_library(program)
    return found.family if found else None


def _loaded_libraries(program: Path) -> Iterator[tuple[str, Path | None]]:
    """Yield what the loader looks for and the file it takes, in its order."""
    try:
        done = subprocess.run(
            ["ldd", str(program)], capture_output=True, text=True, errors="replace", check=False
        )
    except OSError:
        return
    for line in done.stdout.splitlines():
        match = _LINE.match(line)
        if match:
            path = match["path"]
            yield Path(match["name"]).name, Path(path) if path else None


def _look_at(name: str, path: Path | None) -> MpiLibrary:
    file = path or Path(name)
    try:
        with (
            file.open("rb") as stream,
            mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data,
        ):
            interface = next((of for mark, of in MARKS.items() if _names(data, mark)), None)
            family = interface or (MPICH if _names(data, MADE_FROM_MPICH) else None)
    except (OSError, ValueError):
        family = next((of for start, of in FILE_NAMES.items() if name.startswith(start)), None)
        return MpiLibrary(file, family, family)
    if name.startswith(STANDARD_NAME):
        interface = None
    return MpiLibrary(file, family, interface)


def _names(library: mmap.mmap, symbol: bytes) -> bool:
    """Whether the library has the symbol: its string table ends each name with a zero byte.

    The table lies near the head of the file, so what is there is found at once.
    """
    return library.find(symbol + b"\0") >= 0
