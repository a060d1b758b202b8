# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline with` on ranks of both MPI libraries and of Slurm, at the start and later."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.preload import Family
from mpi_programs import compiled, sums

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]

CODES = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("sum %d env %s\\n", sum, getenv("WITH") ? getenv("WITH") : "none");
    fflush(stdout);
    if (argc > 2) sleep(atoi(argv[2]));
    MPI_Finalize();
    return argc > 1 ? atoi(argv[1]) : 0;
}
"""


@pytest.fixture(scope="module", params=list(Family))
def family(request: pytest.FixtureRequest) -> Family:
    found: Family = request.param
    if shutil.which(f"mpicc.{found}") is None or shutil.which(f"mpirun.{found}") is None:
        pytest.skip(f"{found.label} is not installed; `make test` installs it")
    return found


@pytest.fixture(scope="module")
def program(family: Family, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("codes"), "codes", CODES, f"mpicc.{family}")


@pytest.fixture
def launcher(family: Family, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Two ranks, however many cores there are."""
    monkeypatch.chdir(tmp_path)
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("OMPI_MCA_mpi_yield_when_idle", "1")
    more = ["--oversubscribe", "--bind-to", "none"] if family is Family.OPENMPI else []
    return [f"mpirun.{family}", *more, "-n", "2"]


def rows(folder: Path) -> dict[str, list[int]]:
    report = json.loads((folder / "with.json").read_text())
    return {tool["name"]: [row["rank"] for row in tool["rows"]] for tool in report["tools"]}


def test_each_rank_gets_its_tools_and_the_code_is_kept(
    halocline: Callable[..., Any], launcher: list[str], program: Path, tmp_path: Path
) -> None:
    """Rank 0 of the program sees the variable that its tool sets; both end with code 7."""
    (tmp_path / "only.sh").write_text('#!/bin/sh\necho "here {rank} $1"\nshift\nexec "$@"\n')
    (tmp_path / "only.sh").chmod(0o755)
    done = halocline(
        *("with", "--tool", "env WITH=yes:0", "--tool", "./only.sh {rank}:1"),
        *("--", *launcher, program, 7),
    )
    assert done.code == 7, done.err
    assert rows(tmp_path / "tools") == {"env": [0], "only.sh": [1]}
    assert (tmp_path / "tools" / "env.0.log").read_text() == "sum 1 env yes\n"
    assert (tmp_path / "tools" / "only.sh.1.log").read_text().endswith(" 1\n")


def test_programs_apart_by_colons_all_get_the_script(
    halocline: Callable[..., Any], launcher: list[str], program: Path, tmp_path: Path
) -> None:
    line = [*launcher[:-1], "1", program, ":", "-n", "1", program, "0", "0"]
    done = halocline("with", "--json", "--tool", "env A=b:all", "-o", "logs", "--", *line)
    assert done.code == 0, done.err
    assert rows(tmp_path / "logs") == {"env": [0, 1]}
    assert done.data["exit_code"] == 0


def test_exclusive_is_one_rank_of_a_host(
    halocline: Callable[..., Any], launcher: list[str], program: Path, tmp_path: Path
) -> None:
    done = halocline("with", "--tool", "env A=b:exclusive", "--", *launcher, program)
    assert done.code == 0, done.err
    assert rows(tmp_path / "tools") == {"env": [0]}


def test_a_rank_beyond_a_job_of_unknown_size_ends_it_at_once(
    halocline: Callable[..., Any], launcher: list[str], program: Path
) -> None:
    """The script finds out; no rank waits for the others in MPI_Init."""
    done = halocline("with", "--tool", "env:5000", "--", *launcher[:-2], program)
    assert done.code != 0
    assert "but the job has" in done.err


@pytest.mark.skipif(
    shutil.which("valgrind") is None, reason="no valgrind here; make test installs it"
)
def test_valgrind_names_the_line_of_an_invalid_write(
    halocline: Callable[..., Any], launcher: list[str], family: Family, tmp_path: Path
) -> None:
    source = CODES.replace("int rank, sum;", "int rank, sum; volatile int* p = malloc(36);")
    source = source.replace("MPI_Finalize();", "p[9] = 1; MPI_Finalize();")
    program = compiled(tmp_path, "faulty", source, f"mpicc.{family}")
    done = halocline("with", "--tool", "valgrind:1", "--", *launcher, program)
    assert done.code == 0, done.err
    assert "sum 1" in done.out
    report = json.loads((tmp_path / "tools" / "with.json").read_text())
    assert "Invalid write of size 4 at main" in report["tools"][0]["rows"][0]["said"]


@pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb here; make test installs it")
def test_gdb_of_one_rank_is_typed_to_through_the_launcher(
    launcher: list[str], program: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-P", "-m", "halocline", "with", "--tool", "gdb:1", "--"]
    done = subprocess.run(
        [*command, *launcher, str(program)],
        input="break main\nrun\nprint 6 * 7\ncontinue\nquit\n",
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "Breakpoint 1" in done.stdout
    assert "$1 = " in done.stdout
    assert "exited normally" in done.stdout


@pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb here; make test installs it")
def test_tools_attach_to_ranks_that_run(
    halocline: Callable[..., Any], launcher: list[str], program: Path, tmp_path: Path
) -> None:
    job = subprocess.Popen([*launcher, str(program), "0", "600"], stdout=subprocess.PIPE)
    try:
        assert job.stdout is not None
        job.stdout.readline()  # it computes now
        words = ("--attach", str(job.pid))
        assert halocline("with", "--tool", "gdb --batch:1", *words).code == 0
        assert rows(tmp_path / "tools") == {"gdb": [1]}
        text = (tmp_path / "tools" / "gdb.1.log").read_text()
        assert "main (" in text
        assert "names no rank that runs here" in halocline("with", "--tool", "env:9", *words).err
        assert job.poll() is None
    finally:
        job.terminate()
        job.communicate()


@pytest.mark.usefixtures("slurm")
@pytest.mark.timeout(600)
def test_srun_gives_one_rank_of_each_node_its_tool(
    halocline: Callable[..., Any],
    family: Family,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {
        "OMPI_MCA_btl": "self,tcp",
        "OMPI_MCA_btl_tcp_if_include": "lo",
        "OMPI_MCA_mpi_yield_when_idle": "1",
    }.items():
        monkeypatch.setenv(name, value)
    program = compiled(tmp_path, "app", sums(10, 1), f"mpicc.{family}")
    plugin = {Family.OPENMPI: "pmix", Family.MPICH: "pmi2"}[family]
    srun = ["srun", f"--mpi={plugin}", "-N", 2, "-n", 4]
    done = halocline("with", "--tool", "env A=b:exclusive", "--", *srun, program, "a word")
    assert done.code == 0, done.err
    assert rows(tmp_path / "tools") == {"env": [0, 2]}
    assert "sum 10 of 4" in done.out + (tmp_path / "tools" / "env.0.log").read_text()
    beyond = halocline("with", "--tool", "env:4", "--", *srun, program)
    assert (beyond.code, "4 ranks, 0 to 3" in beyond.err) == (2, True)


@pytest.mark.usefixtures("slurm")
@pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb here; make test installs it")
def test_tools_attach_to_ranks_of_a_slurm_job(
    halocline: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both nodes are this host; the batch script, which has a number too, is no rank."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job.sh").write_text("#!/bin/sh\nsrun -N 2 -n 2 sleep 600\n")
    words = ["sbatch", "--parsable", "-N", "2", "-n", "2", "job.sh"]
    job = subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()
    try:
        end = time.monotonic() + 120
        while True:
            done = halocline("with", "--tool", "gdb --batch:all", "--attach", f"job:{job}")
            if done.code == 0 and rows(tmp_path / "tools") == {"gdb": [0, 1]}:
                break
            assert time.monotonic() < end, done.err
            time.sleep(0.5)
        assert "nanosleep" in (tmp_path / "tools" / "gdb.1.log").read_text()
    finally:
        subprocess.run(["scancel", job], check=False)
    absent = halocline("with", "--tool", "gdb --batch:0", "--attach", "job:987654")
    assert (absent.code, len(absent.err.splitlines())) == (3, 1)


def test_a_job_runs_its_ranks_under_tools(
    halocline: Callable[..., Any],
    slurm: Any,
    family: Family,
    program: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By `submit`, on both nodes; the log of the job ends with the table of tools."""
    if family is not Family.OPENMPI:
        pytest.skip("the site of the tests speaks PMIx to ranks")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMPI_MCA_btl", "self,tcp")
    monkeypatch.setenv("OMPI_MCA_btl_tcp_if_include", "lo")
    words = ["--site", slurm.site, "--nodes", 2, "--ranks-per-node", 1, "--name", "tooled"]
    done = halocline(
        *("submit", *words, "--launcher", "srun", "--interval", "0.2", "--wait"),
        *("--tool", "env WITH=job:0", "--", program),
    )
    assert done.code == 0, done.err + (tmp_path / "tooled.job.log").read_text()
    folder = tmp_path / "tooled.tools"
    assert (folder / "env.0.log").read_text() == "sum 1 env job\n"
    assert rows(folder) == {"env": [0]}
    assert "Tools on ranks" in (tmp_path / "tooled.job.log").read_text()


def test_a_case_runs_under_a_tool(
    halocline: Callable[..., Any], stand_in: Path, case_file: Path
) -> None:
    done = halocline("run", case_file, "--tool", "env A=b:0")
    assert done.code == 0, done.err
    assert "Tools on ranks" in done.out
    folder = case_file.parent / "output" / "tools"
    assert (folder / "env.0.log").read_text() == "stand-in at work\n"
    assert json.loads(stand_in.read_text())["threads"] == "1"


def test_it_takes_no_longer_to_start_than_other_verbs(tmp_path: Path) -> None:
    """The script is plain sh: a rank without a tool loses what starting sh takes."""
    from halocline.rank_tools.numbering import ALONE
    from halocline.rank_tools.script import rank_script
    from halocline.rank_tools.tool import read_tools

    file = tmp_path / "rank.sh"
    file.write_text(rank_script(read_tools(["env:0"]), ALONE, tmp_path))
    start = time.process_time() + os.times().children_user + os.times().children_system
    for _ in range(20):
        subprocess.run(["sh", str(file), "true"], check=True)
    spent = time.process_time() + os.times().children_user + os.times().children_system - start
    assert spent < 2.0
