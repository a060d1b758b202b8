# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Verbs that start other programs, in a folder whose files bear the names of Python modules."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

MODULES = (
    *("halocline", "numpy", "random", "json", "re", "h5py", "pydantic", "tomllib", "typing"),
    *("pathlib", "subprocess", "typer", "rich", "shutil", "sitecustomize", "usercustomize"),
)
CASE = """\
[solver]
cycles = 3
[parallel]
ranks = 1
threads = 1
[mesh.make]
shape = "box"
nodes = 200
levels = 1
"""


@pytest.fixture
def marker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder is full of traps; each leaves its name in the file returned."""
    marker = tmp_path / "marker"
    folder = tmp_path / "hostile"
    folder.mkdir()
    for module in MODULES:
        (folder / f"{module}.py").write_text(
            f"with open({str(marker)!r}, 'a') as marker: marker.write(__name__ + ' ')\n"
        )
    (folder / "case.toml").write_text(CASE)
    monkeypatch.chdir(folder)
    return marker


@pytest.fixture
def started(tmp_path: Path, stand_in: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand-ins for all programs that verbs start; each notes its name in the file returned."""
    started = tmp_path / "started"
    for name in (
        "halocline-p2p",
        "halocline-halo",
        "halocline-cores",
        "halocline-meshtool",
        "halocline-affinity",
        "app",
    ):
        _program(tmp_path / "bin" / name, f'echo {name} >> "{started}"; exit 5')
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("snapshot-openmpi", "endpoints-openmpi", "binding-probe"):
        (tools / f"libhalocline-{tool}.so").touch()
    monkeypatch.setenv("HALOCLINE_TOOLS", str(tools))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert stand_in.parent == tmp_path
    return started


def _program(path: Path, body: str) -> None:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def _halocline(*words: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "halocline"), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def _trapped(marker: Path) -> str:
    return marker.read_text() if marker.exists() else ""


def test_a_run_makes_its_mesh_with_modules_of_its_own(marker: Path, started: Path) -> None:
    done = _halocline("run", "case.toml")
    assert _trapped(marker) == ""
    assert done.returncode == 0, done.stderr
    assert Path("mesh/input.dat").is_file()
    assert not started.exists()


def test_a_job_script_makes_mesh_and_record_with_modules_of_its_own(
    marker: Path, started: Path
) -> None:
    done = _halocline("submit", "case.toml", "--scheduler", "local", "--wait", "--interval", "0.1")
    assert _trapped(marker) == ""
    assert done.returncode == 0, done.stderr + Path("output/case.job.log").read_text()
    assert '"hash": "sha256:' in Path("output/record.json").read_text()
    assert not started.exists()


@pytest.mark.parametrize(
    ("words", "program"),
    [
        (("snapshot", "--mpi", "openmpi", "--", "app"), "app"),
        (("endpoints", "--mpi", "openmpi", "--", "app"), "app"),
        (("p2p", "--ranks", "1"), "halocline-p2p"),
        (("halo", "--domains", "2"), "halocline-halo"),
        (("cores",), "halocline-cores"),
        (("mesh", "partition", ".", "-n", "2", "--ranks", "1"), "halocline-meshtool"),
        (("doctor", "--affinity"), "halocline-affinity"),
        (("doctor",), ""),
    ],
)
def test_other_verbs_start_programs_with_modules_of_their_own(
    marker: Path, started: Path, words: tuple[str, ...], program: str
) -> None:
    _halocline(*words)
    assert _trapped(marker) == ""
    assert program in (started.read_text() if program else "")


def test_python_itself_may_be_told_to_run_the_package(marker: Path) -> None:
    Path("halocline.py").unlink()  # Python looks for this one before we can say anything
    command = [sys.executable, "-m", "halocline", "mesh", "make", "box", "--nodes", "200"]
    subprocess.run([*command, "--levels", "1", "-o", "made"], check=True, timeout=120)
    assert _trapped(marker) == ""


def test_pictures_do_not_depend_on_settings_that_lie_about(
    passage: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("plot", str(passage), "--size", "300x200", "-o")
    assert _halocline(*words, "a.png").returncode == 0
    Path("matplotlibrc").write_text("font.size: 40\nsavefig.facecolor: red\nsavefig.dpi: 10\n")
    assert _halocline(*words, "b.png").returncode == 0
    assert Path("a.png").read_bytes() == Path("b.png").read_bytes()


def test_no_module_starts_python_in_a_way_of_its_own() -> None:
    package = Path(__file__).parents[3] / "python" / "halocline"
    users = {
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if "sys.executable" in path.read_text(encoding="utf-8")
    }
    assert users == {"launch/ourselves.py", "launch/programs.py"}  # the latter names its folder
