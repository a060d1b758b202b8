# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Launch lines with a library preloaded."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from halocline.errors import UsageError
from halocline.preload import Family, preloaded

LIBRARY = Path("/opt/tool.so")


@pytest.fixture(autouse=True)
def _no_preload(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LD_PRELOAD", raising=False)


def composed(text: str, family: Family = Family.OPENMPI, **variables: str) -> str:
    return " ".join(preloaded(text.split(), LIBRARY, variables, family))


def test_open_mpi_gets_x_before_each_program() -> None:
    made = composed("mpirun -n 1 ./a : -n 2 ./b", K="v")
    words = "-x LD_PRELOAD=/opt/tool.so -x K=v"
    assert made == f"mpirun {words} -n 1 ./a : {words} -n 2 ./b"


def test_hydra_gets_genv_once() -> None:
    made = composed("mpirun.mpich -n 1 ./a : -n 2 ./b", Family.MPICH, K="v")
    assert made == ("mpirun.mpich -genv LD_PRELOAD /opt/tool.so -genv K v -n 1 ./a : -n 2 ./b")


def test_srun_exports_everything_and_ours() -> None:
    made = composed("srun -n 2 ./a", K="v")
    assert made == "srun --export=ALL,LD_PRELOAD=/opt/tool.so,K=v -n 2 ./a"


def test_srun_keeps_what_the_user_exports() -> None:
    made = composed("srun --export=HOME,LD_PRELOAD=/x.so -n 2 ./a --export=no")
    assert made == "srun --export=HOME,LD_PRELOAD=/opt/tool.so:/x.so -n 2 ./a --export=no"


def test_a_program_alone_starts_with_env() -> None:
    assert composed("./a b", K="v") == "env LD_PRELOAD=/opt/tool.so K=v ./a b"


def test_words_before_the_launcher_stay_first() -> None:
    assert composed("nice mpirun ./a").startswith("nice mpirun -x LD_PRELOAD=")


def test_the_users_libraries_follow_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    assert composed("mpirun -x LD_PRELOAD=/x.so ./a") == (
        "mpirun -x LD_PRELOAD=/opt/tool.so:/x.so ./a"
    )
    made = composed("mpiexec -env LD_PRELOAD /x.so ./a", Family.MPICH)
    assert made.endswith("-env LD_PRELOAD /opt/tool.so:/x.so ./a")
    monkeypatch.setenv("LD_PRELOAD", "/y.so")
    assert composed("mpirun ./a") == "mpirun -x LD_PRELOAD=/opt/tool.so:/y.so ./a"


def test_what_cannot_work_is_refused() -> None:
    with pytest.raises(UsageError, match="comma"):
        composed("srun ./a", K="1,2")
    with pytest.raises(UsageError, match="mca_base_env_list"):
        composed("mpirun --mca mca_base_env_list A=1 ./a")
    with pytest.raises(UsageError, match="blank"):
        preloaded(["./a"], Path("/my tools/x.so"))


@pytest.mark.mpi
@pytest.mark.parametrize("launcher", ["mpirun.openmpi", "mpirun.mpich"])
def test_real_launchers_pass_the_variables_on(launcher: str) -> None:
    if shutil.which(launcher) is None:
        pytest.skip(f"{launcher} is not installed; `make test` installs it")
    family = Family(launcher.partition(".")[2])
    library = Path("/lib/none.so")  # the loader warns and goes on
    line = [launcher, "-n", "1", "sh", "-c", "echo a $LD_PRELOAD $K"]
    words = preloaded([*line, ":", "-n", "1", *line[3:]], library, {"K": "x;y"}, family)
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(
        words,
        env={**os.environ, **root, "OMPI_MCA_rmaps_base_oversubscribe": "1"},
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    assert done.stdout.splitlines() == ["a /lib/none.so x;y"] * 2


def test_a_program_whose_path_looks_like_a_variable_is_started(tmp_path: Path) -> None:
    """A relative path of this form has the shape of an assignment from its first letter on."""
    folder = tmp_path / "run=3"
    folder.mkdir()
    program = folder / "app"
    program.write_text('#!/bin/sh\necho "$0 $1 $K"\n')
    program.chmod(0o755)
    for word in (str(program), "run=3/app"):
        line = preloaded_in(tmp_path, [word, "a b"])
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.stdout == f"{word} a b v\n", done.stderr
    assert preloaded(["K=v", "true"], LIBRARY, {})[-2:] == ["K=v", "true"]
    assert "sh" not in preloaded(["K=v", "true"], LIBRARY, {})


def preloaded_in(folder: Path, words: list[str]) -> list[str]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        return preloaded(words, LIBRARY, {"K": "v"})
    finally:
        os.chdir(before)
