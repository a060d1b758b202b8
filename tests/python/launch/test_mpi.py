# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The words before the native program, for launchers that tests put on the PATH."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from halocline.errors import MissingEnvironmentError
from halocline.launch.layout import Layout
from halocline.launch.mpi import find_mpirun, launch_words
from halocline.launch.process import table_exit_code
from halocline.launch.programs import find_program, require_program

OPEN_MPI = 'echo "mpirun (Open MPI) 4.1.4"'
HYDRA = 'printf "HYDRA build details:\\n    Version:           4.0.2\\n"'


@pytest.fixture
def path_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Make the PATH a folder with the given scripts and nothing else."""

    def make(**scripts: str) -> Path:
        for name, body in scripts.items():
            file = tmp_path / name.replace("_", ".")
            file.write_text(f"#!/bin/sh\n{body}\n")
            file.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        return tmp_path

    return make


def words(layout: Layout, family: str | None = None, *more: str) -> str:
    return " ".join(launch_words("auto", layout, family, more))


def test_one_rank_needs_no_launcher(path_with: Callable[..., Path]) -> None:
    path_with()
    assert launch_words("auto", Layout(1, 8, oversubscribed=False), None, []) == []


def test_open_mpi_binds_each_rank_to_its_cores(path_with: Callable[..., Path]) -> None:
    folder = path_with(mpirun=OPEN_MPI)
    made = words(Layout(4, 2, oversubscribed=False))
    assert made.startswith(f"{folder}/mpirun -n 4 --map-by slot:PE=2 --bind-to core")
    assert ("--allow-run-as-root" in made) == (os.geteuid() == 0)
    assert "--oversubscribe" not in made


def test_too_many_ranks_are_allowed_and_not_bound(path_with: Callable[..., Path]) -> None:
    path_with(mpirun=OPEN_MPI)
    made = words(Layout(4, 2, oversubscribed=True))
    assert "--oversubscribe --bind-to none" in made
    assert "PE=" not in made


def test_words_of_the_user_come_last_and_thread_settings_travel(
    path_with: Callable[..., Path],
) -> None:
    path_with(mpirun=OPEN_MPI)
    made = words(Layout(4, 2, oversubscribed=False), None, "--hostfile", "hosts")
    assert made.endswith("--hostfile hosts")
    assert "-x OMP_NUM_THREADS" in made
    assert "--quiet" not in made


def test_the_launcher_fits_the_library_of_the_program(path_with: Callable[..., Path]) -> None:
    folder = path_with(mpirun=OPEN_MPI, mpirun_mpich=HYDRA)
    assert find_mpirun(None).family == "openmpi"
    found = find_mpirun("mpich")
    assert (found.path, found.version) == (folder / "mpirun.mpich", "4.0.2")
    assert words(Layout(2, 3, oversubscribed=False), "mpich").endswith("-n 2 -bind-to core:3")


def test_no_launcher_is_a_sentence(path_with: Callable[..., Path]) -> None:
    path_with()
    with pytest.raises(MissingEnvironmentError, match="no mpirun"):
        words(Layout(2, 1, oversubscribed=False))
    with pytest.raises(MissingEnvironmentError, match="srun was not found"):
        launch_words("srun", Layout(2, 1, oversubscribed=False), None, [])
    with pytest.raises(MissingEnvironmentError, match="need a launcher"):
        launch_words("none", Layout(2, 1, oversubscribed=False), None, [])


def test_srun_gets_the_plugin_of_the_mpi_family(path_with: Callable[..., Path]) -> None:
    path_with(srun="true")
    made = launch_words("srun", Layout(4, 2, oversubscribed=False), "mpich", ["--exact"])
    assert made == ["srun", "--mpi=pmi2", "-n", "4", "-c", "2", "--cpu-bind=cores", "--exact"]


def test_a_program_is_found_in_the_named_folder_first(
    path_with: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = path_with(mgcfd="true")
    monkeypatch.setenv("HALOCLINE_BIN", str(folder))
    assert find_program("mgcfd") == folder / "mgcfd"
    with pytest.raises(MissingEnvironmentError, match="make build"):
        require_program("no-such-program")


@pytest.mark.parametrize(
    ("raw", "expected"), [(0, 0), (3, 3), (75, 75), (1, 5), (134, 5), (-9, 5), (6, 6)]
)
def test_codes_of_the_table_pass_and_others_are_failed_runs(raw: int, expected: int) -> None:
    assert table_exit_code(raw) == expected
