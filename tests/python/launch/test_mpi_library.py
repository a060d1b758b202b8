# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Whose MPI library a program will load, with small libraries that stand in for real ones."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from halocline.launch.mpi_library import mpi_library

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="no C compiler; `make test` installs one"
)


def build(folder: Path, output: str, source: str, *words: str) -> Path:
    """Compile a library or program of `folder`, which is searched at run time."""
    (folder / "source.c").write_text(source)
    line = ["cc", "-o", output, "source.c", f"-L{folder}", f"-Wl,-rpath,{folder}", *words]
    subprocess.run(line, cwd=folder, check=True)
    return folder / output


def library(folder: Path, name: str, source: str, *words: str) -> str:
    """Compile a library; return the word that links it."""
    build(folder, name, source, "-shared", "-fPIC", f"-Wl,-soname,{name}", *words)
    return f"-l:{name}"


def test_bindings_that_are_linked_alone_lead_to_the_library_behind_them(tmp_path: Path) -> None:
    """Intel MPI's mpif90 names libmpifort alone, which calls functions that only MPICH has."""
    mpi = library(
        tmp_path,
        "libmpi.so.12",
        "int MPIR_Dup_fn(void){return 0;} int MPIR_Err_create_code(void){return 0;}",
    )
    fortran = "int MPIR_Err_create_code(void); int mpi_init_(void){return MPIR_Err_create_code();}"
    bindings = library(tmp_path, "libmpifort.so.12", fortran, mpi)
    program = build(
        tmp_path, "app", "int mpi_init_(void); int main(void){return mpi_init_();}", bindings
    )
    found = mpi_library(program)
    assert found is not None
    assert (found.path.name, found.family, found.interface) == ("libmpi.so.12", "mpich", "mpich")


def test_the_standard_interface_is_known_before_what_it_is_made_of(tmp_path: Path) -> None:
    inner = library(tmp_path, "libmpi.so.12", "int MPIR_Dup_fn(void){return 0;}")
    source = "int MPIR_Dup_fn(void); int MPIR_Err_create_code(void){return MPIR_Dup_fn();}"
    standard = library(tmp_path, "libmpi_abi.so.1", source, inner)
    program = build(
        tmp_path,
        "app",
        "int MPIR_Err_create_code(void); int main(void){return MPIR_Err_create_code();}",
        standard,
    )
    found = mpi_library(program)
    assert found is not None
    assert (found.path.name, found.family, found.interface) == ("libmpi_abi.so.1", "mpich", None)
