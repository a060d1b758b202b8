# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Every verb that writes: on a full disk, and beside another one in the same folder."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from halocline.errors import RunFailedError
from halocline.files.lock import InUseError, Place, locked
from halocline.files.output_file import write_text
from halocline.launch.case_run import make_mesh
from halocline.launch.mesh_recipe import mesh_job
from halocline.launch.programs import find_program

RECORD = Path(__file__).parents[1] / "data" / "record.example.json"
LIMITED = (
    "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit})); "
    "from halocline.cli.app import main; main(sys.argv[1:])"
)


def names(folder: Path) -> set[str]:
    """All names of a folder, those with a dot in front, too."""
    return {file.name for file in folder.iterdir()}


def run_limited(limit: int, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a command none of whose files may grow beyond `limit` bytes."""
    line = [sys.executable, "-P", "-c", LIMITED.format(limit=limit), *map(str, words)]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def said_once(done: subprocess.CompletedProcess[str], *expected: str) -> None:
    """The command failed with one sentence, which has these words."""
    (sentence,) = [line for line in done.stderr.splitlines() if line.strip()]
    assert [word for word in ("halocline: ", *expected) if word not in sentence] == []


# --- no space left --------------------------------------------------------------------------------


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB without a free block, but for what files in it free."""
    folder = tmp_path / "disk"
    folder.mkdir()
    options = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if subprocess.run(options, capture_output=True, check=False).returncode != 0:
        pytest.skip("only root may mount a small file system: `make test` as root runs it")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=False)


def fill(folder: Path) -> None:
    """Take what is free."""
    status = os.statvfs(folder)
    (folder / "ballast").write_bytes(bytes(status.f_bavail * status.f_frsize))


def test_a_mesh_that_does_not_fit_leaves_the_older_one(full_disk: Path) -> None:
    words = ("mesh", "make", "box", "--levels", 1, "-o", full_disk / "m")
    assert run_limited(resource.RLIM_INFINITY, *words, "--nodes", 20).returncode == 0
    before = {file.name: file.read_bytes() for file in (full_disk / "m").iterdir()}
    done = run_limited(resource.RLIM_INFINITY, *words, "--nodes", 250)
    assert done.returncode == 5, done.stderr
    said_once(done, "No space left", "Make free space")
    assert {file.name: file.read_bytes() for file in (full_disk / "m").iterdir()} == before


@pytest.mark.parametrize("name", ["scaling.html", "page.html", "picture.png"])
def test_a_text_that_does_not_fit_leaves_the_older_one(full_disk: Path, name: str) -> None:
    (full_disk / name).write_text("older")
    fill(full_disk)
    with pytest.raises(RunFailedError, match=rf"{name}: cannot be written \(No space left"):
        write_text(full_disk / name, "x" * 10000)
    assert (full_disk / name).read_text() == "older"
    assert names(full_disk) == {name, "ballast"}


@pytest.fixture
def meshtool() -> None:
    """Skips a test where the native tool is not built."""
    if find_program("halocline-meshtool") is None:
        pytest.skip("halocline-meshtool is not built here; `make test` builds it first")


@pytest.mark.usefixtures("meshtool")
def test_a_partition_that_does_not_fit_leaves_the_older_one(
    full_disk: Path, tmp_path: Path
) -> None:
    make = ("mesh", "make", "box", "--nodes", 100, "--levels", 1, "-o", tmp_path / "m")
    assert run_limited(resource.RLIM_INFINITY, *make).returncode == 0
    older = full_disk / "box.part.2"
    older.write_text("older")
    fill(full_disk)
    words = ("mesh", "partition", tmp_path / "m", "-n", 2, "-m", "block", "-o", older)
    done = run_limited(resource.RLIM_INFINITY, *words, "--ranks", 1)
    assert done.returncode == 5, done.stderr
    assert f"'{older}' cannot be" in done.stderr
    assert "No space left" in done.stderr
    assert older.read_text() == "older"
    assert names(full_disk) == {"box.part.2", "ballast"}


def test_a_mesh_beyond_a_limit_leaves_the_older_one(tmp_path: Path) -> None:
    words = ("mesh", "make", "box", "--levels", 2, "-o", tmp_path / "m", "--nodes")
    assert run_limited(resource.RLIM_INFINITY, *words, 200).returncode == 0
    before = {file.name: file.read_bytes() for file in (tmp_path / "m").iterdir()}
    done = run_limited(20000, *words, 3000)
    assert done.returncode == 5, done.stderr
    said_once(done, "File too large", "Make free space")
    assert {file.name: file.read_bytes() for file in (tmp_path / "m").iterdir()} == before


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A folder with older files of all names that verbs write."""
    folder = tmp_path / "older"
    folder.mkdir()
    for name in ("picture.png", "case.job.sh"):
        (folder / name).write_text("older")
    return folder


def test_a_picture_beyond_a_limit_leaves_the_older_one(older: Path) -> None:
    done = run_limited(4096, "plot", "--record", RECORD, "-o", older / "picture.png")
    assert done.returncode == 5, done.stderr
    said_once(done, "picture.png: cannot be written (File too large)")
    assert (older / "picture.png").read_text() == "older"
    assert names(older) == {"picture.png", "case.job.sh"}


def test_a_script_beyond_a_limit_is_not_submitted(tmp_path: Path) -> None:
    words = ("submit", "--scheduler", "local", "--ranks-per-node", 1, "--output", tmp_path)
    done = run_limited(100, *words, "--name", "j", "--", "touch", tmp_path / "ran")
    assert done.returncode == 5, done.stderr
    said_once(done, "j.job.sh: cannot be written (File too large)")
    assert names(tmp_path) == set()


# --- another one in the same folder ---------------------------------------------------------------


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("verb", ["run", ""], ids=["halocline run", "the program"])
def test_a_run_into_a_folder_in_use_touches_nothing(
    halocline: Callable[..., Any], case_file: Path, verb: str
) -> None:
    output = case_file.parent / "output"
    output.mkdir()
    (output / "record.json").write_text("of the other run")
    with locked(Place(output, verb)):
        before = names(output)
        refused = halocline("run", case_file)
        assert refused.code == 4
        assert "another command writes results" in refused.err
        assert names(output) == before
        assert halocline("run", case_file, "--set", "output.prefix=b.").code == 0
    assert (output / "record.json").read_text() == "of the other run"
    assert halocline("run", case_file).code == 0
    assert not [name for name in names(output) if name.startswith(".")]


def test_a_mesh_that_somebody_makes_is_not_made_twice_at_once(
    halocline: Callable[..., Any], tmp_path: Path
) -> None:
    words = ("mesh", "make", "box", "--nodes", 100, "--levels", 1, "-o", tmp_path)
    with locked(Place(tmp_path, "mesh")):
        refused = halocline(*words)
        assert refused.code == 4
        assert f"another command writes the mesh in {tmp_path}" in refused.err
        assert names(tmp_path) == {".halocline.mesh.lock"}
    assert halocline(*words).code == 0


def test_a_case_waits_for_a_mesh_that_another_case_makes(
    case_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from halocline.case.load import load_case

    recipe = ("mesh.directory=made", "mesh.make.shape=box", "mesh.make.nodes=200")
    case = load_case(case_file, recipe)
    job = mesh_job(case, case_file.parent, str(case_file))
    assert job is not None
    with locked(Place(job.folder, "recipe")) as _:
        pass
    other = locked(Place(job.folder, "recipe"))
    other.__enter__()

    def make_and_leave(_: float) -> None:
        (job.folder / "input.dat").write_text("made by the other")
        other.__exit__(None, None, None)

    monkeypatch.setattr("time.sleep", make_and_leave)
    monkeypatch.setattr("halocline.launch.case_run.run_foreground", lambda *_: pytest.fail("made"))
    make_mesh(job)
    assert (job.folder / "input.dat").read_text() == "made by the other"


def test_a_snapshot_into_a_folder_in_use_leaves_its_files(
    tmp_path: Path,
) -> None:
    from halocline.snapshot.recording import Plan, record

    folder = tmp_path / "snap"
    (folder / "ranks").mkdir(parents=True)
    (folder / "ranks" / "rank-0.json").write_text("of the other")
    plan = Plan(["true"], ["true"], folder, Path("none"), None)  # type: ignore[arg-type]
    with locked(Place(folder, "snapshot")), pytest.raises(InUseError, match="the snapshot"):
        record(plan)
    assert (folder / "ranks" / "rank-0.json").read_text() == "of the other"


@pytest.mark.parametrize(("verb", "count"), [("p2p", 1), ("halo", 2)])
def test_measurements_into_a_folder_in_use_leave_its_files(
    halocline: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    verb: str,
    count: int,
) -> None:
    program = tmp_path / "bin" / f"halocline-{verb}"
    program.parent.mkdir()
    shutil.copy("/bin/true", program)
    monkeypatch.setenv("HALOCLINE_BIN", str(program.parent))
    folder = tmp_path / verb
    folder.mkdir()
    (folder / f"{verb}.json").write_text("of the other")
    with locked(Place(folder, verb)):
        refused = halocline(verb, "-n", count, "-o", folder)
        assert refused.code == 4, refused.err
    assert (folder / f"{verb}.json").read_text() == "of the other"


def test_a_job_that_is_just_submitted_is_not_submitted_twice(
    halocline: Callable[..., Any], tmp_path: Path
) -> None:
    words = ("submit", "--scheduler", "local", "--ranks-per-node", 1, "--output", tmp_path)
    with locked(Place(tmp_path, "submit", "j")):
        refused = halocline(*words, "--name", "j", "--", "true")
        assert refused.code == 4
        assert f"another command writes the job files of {tmp_path / 'j.job.json'}" in refused.err
        assert names(tmp_path) == {".halocline.submit.lock.j"}
        assert halocline(*words, "--name", "k", "--wait", "--", "true").code == 0


def test_the_lock_of_a_native_program_is_understood(tmp_path: Path) -> None:
    """Keys as src/halocline/io/output_lock.cpp writes them."""
    with locked(Place(tmp_path)):
        text = json.loads((tmp_path / ".halocline.lock").read_text())
    keys = "format version host machine pid start user since command"
    assert list(text) == keys.split()
