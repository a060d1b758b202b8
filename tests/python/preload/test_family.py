# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The MPI family of launch lines, with programs and launchers that the tests make."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from halocline.errors import MissingEnvironmentError, UsageError
from halocline.preload import Family, family_of, tool_library

SOURCE = "#include <mpi.h>\nint main(void) { MPI_Init(0, 0); return MPI_Finalize(); }\n"
LAUNCHERS = {
    "openmpi": 'echo "mpirun (Open MPI) 4.1.4"',
    "mpich": 'printf "HYDRA build details:\\n    Version:           4.0.2\\n"',
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """A program linked to the MPI library of a family."""
    folder = tmp_path_factory.mktemp("programs")

    def make(family: str) -> str:
        compiler = shutil.which(f"mpicc.{family}")
        if compiler is None:
            pytest.skip(f"mpicc.{family} is not installed; `make test` installs it")
        source, made = folder / "main.c", folder / family
        source.write_text(SOURCE)
        subprocess.run([compiler, str(source), "-o", str(made)], check=True)
        return str(made)

    return make


@pytest.fixture
def launcher(tmp_path: Path) -> Callable[[str], str]:
    """A stand-in for the mpirun of a family."""

    def make(family: str) -> str:
        file = tmp_path / f"mpirun.{family}"
        file.write_text(f"#!/bin/sh\n{LAUNCHERS[family]}\n")
        file.chmod(0o755)
        return str(file)

    return make


@pytest.mark.parametrize("family", list(Family))
def test_the_program_decides(family: Family, program: Callable[[str], str]) -> None:
    made = program(family)
    assert family_of([made]) is family
    assert family_of(["srun", "-n", "2", made]) is family
    assert family_of(["env", "A=1", made]) is family


@pytest.mark.parametrize("family", list(Family))
def test_for_scripts_the_launcher_decides(family: Family, launcher: Callable[[str], str]) -> None:
    assert family_of([launcher(family), "-n", "2", "sh", "job.sh"]) is family


def test_a_launcher_of_the_other_family_is_refused(
    program: Callable[[str], str], launcher: Callable[[str], str]
) -> None:
    with pytest.raises(UsageError, match=r"linked to MPICH.*mpirun\.mpich"):
        family_of([launcher("openmpi"), "-n", "2", program("mpich")])


def test_programs_of_two_families_are_refused(
    program: Callable[[str], str], launcher: Callable[[str], str]
) -> None:
    line = [launcher("openmpi"), program("openmpi"), ":", program("mpich")]
    with pytest.raises(UsageError, match="Launch them apart"):
        family_of(line)


def test_the_users_word_decides_over_all(program: Callable[[str], str]) -> None:
    assert family_of([program("openmpi")], "mpich") is Family.MPICH
    with pytest.raises(UsageError, match="Did you mean 'mpich'"):
        family_of(["./app"], "mpch")


def test_what_cannot_be_told_is_asked_for() -> None:
    with pytest.raises(UsageError, match="--mpi openmpi or --mpi mpich"):
        family_of(["sh", "job.sh"])
    with pytest.raises(MissingEnvironmentError, match="not found"):
        family_of(["/nowhere/mpirun", "-n", "2", "sh"])


def test_libraries_are_found_or_the_way_to_get_them_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALOCLINE_TOOLS", str(tmp_path))
    (tmp_path / "libhalocline-probe-mpich.so").touch()
    assert tool_library("probe", Family.MPICH).parent == tmp_path
    with pytest.raises(MissingEnvironmentError, match=r"mpicc\.openmpi"):
        tool_library("probe", Family.OPENMPI)


def test_a_program_that_is_not_there_is_told() -> None:
    with pytest.raises(UsageError, match=r"there is no program '\./nope'"):
        family_of(["./nope"])
