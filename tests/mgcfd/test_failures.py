# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs that fail on the way: divergence, a full disk, a lost rank."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest
from mgcfd_support import (
    environment,
    launcher,
    make_box,
    patience_s,
    program,
    result,
    run,
    run_words,
    wait_for,
)

data = Path(os.environ["HALOCLINE_TEST_DATA_DIR"]) / "mgcfd-reference"


# --- divergence ---------------------------------------------------------------------------------


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize(
    "backend",
    [["serial"], ["openmp"], ["emulated"], ["emulated", "--halo-scheme", "peer"]],
    ids=["serial", "openmp", "emulated", "emulated-peer"],
)
def test_divergence_names_cycle_level_loop_node_and_place(
    tmp_path: Path, ranks: int, backend: list[str]
) -> None:
    """The consistent case with four levels diverges after cycle 24 to 40, as MG-CFD itself does."""
    words = [
        "-d",
        str(data / "legacy"),
        "-l",
        "-g",
        "60",
        "--backend",
        *backend,
        "--output-variables",
    ]
    done = run(tmp_path, *words, ranks=ranks)
    assert done.code == 5, done.err
    assert len(done.messages) == 1, done.err
    found = re.search(
        r"cycle (\d+), level (\d), loop '(\w+)'.* node (\d+) .*at \([-\d.]+, [-\d.]+, [-\d.]+\)",
        done.messages[0],
    )
    assert found, done.messages[0]
    assert 24 < int(found[1]) <= 41
    assert done.files() == set()
    record = done.record()
    assert record["status"]["state"] == "diverged"
    assert record["status"]["exit_code"] == 5
    failure = record["status"]["failure"]
    assert failure["cycle"] == int(found[1])
    assert failure["level"] == int(found[2])
    assert failure["loop"] == found[3]
    assert failure["node"] == int(found[4])
    assert len(failure["coordinates"]) == 3


def test_what_is_said_of_a_divergence_does_not_depend_on_ranks_and_back_ends(
    tmp_path: Path,
) -> None:
    """Count, node, place and density are those of the visit that went wrong, wherever it ran."""
    said = {}
    mixed = "emulated --device mixed --device-ranks 1 --weights 1,1,1"
    for backend in ("serial", "openmp", "emulated", "emulated --halo-scheme peer", mixed):
        for ranks in (1, 2, 3) if backend != mixed else (3,):
            folder = tmp_path / f"{backend} {ranks}"
            folder.mkdir()
            words = ["-d", str(data / "legacy"), "-l", "-g", "60", "--backend", *backend.split()]
            done = run(folder, *words, ranks=ranks)
            assert done.code == 5, (backend, ranks, done.err)
            said[backend, ranks] = done.messages
    first = said["serial", 1]
    assert len(first) == 1
    assert {key: words for key, words in said.items() if words != first} == {}


# --- no space left ------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB; needs the right to mount."""
    yield from mounted_disk(tmp_path / "disk", "64k")


@pytest.fixture
def medium_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system for a mesh and some steps."""
    yield from mounted_disk(tmp_path / "disk", "2m")


def mounted_disk(folder: Path, size: str) -> Iterator[Path]:
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip(
            "only root may mount a small file system: `make test` as root runs it; "
            "the next test, with a limit on the size of files, runs everywhere"
        )
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=False)


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("words", [("--output-variables",), ("-I", "1")])
def test_a_full_disk_is_one_sentence_and_leaves_no_half_result(
    tmp_path: Path, small_disk: Path, ranks: int, words: tuple[str, ...]
) -> None:
    case = make_box(tmp_path / "case", (20, 20, 10), 1)  # 160 kB of variables
    done = run(small_disk, "-d", str(case), "-g", "1", *words, ranks=ranks)
    assert done.code == 5, done.err
    assert len(done.messages) == 1, done.err
    assert "variables.L0.cycle" in done.messages[0]
    assert "space" in done.messages[0]
    assert done.files() == set()


@pytest.mark.parametrize("ranks", [1, 3])
def test_a_record_that_cannot_be_written_does_not_hide_why_a_run_failed(
    tmp_path: Path, small_disk: Path, ranks: int
) -> None:
    words = ["-d", str(data / "legacy"), "-l", "-g", "60", "--record", str(small_disk / "r.json")]
    (small_disk / "full").write_bytes(bytes(13 * 4096))  # of 16 pages; a record takes more than 3
    done = run(tmp_path, *words, ranks=ranks)
    assert done.code == 5, done.err
    assert len(done.messages) == 1, done.err
    assert re.search(r"cycle \d+, level \d, loop", done.messages[0]), done.err
    assert {path.name for path in small_disk.iterdir()} == {"full"}
    # A run that does not fail says what is wrong with the record.
    done = run(tmp_path, *words, "-g", "5", ranks=ranks)
    assert done.code == 5, done.err
    assert len(done.messages) == 1, done.err
    assert "r.json" in done.messages[0]


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("io", ["async", "sync"])
@pytest.mark.parametrize("what", ["-I", "--checkpoint-interval", "--output-interval"])
def test_a_disk_that_gets_full_ends_a_long_run(
    tmp_path: Path, small_disk: Path, ranks: int, io: str, what: str
) -> None:
    case = make_box(tmp_path / "case", (20, 20, 10), 1)
    done = run(small_disk, "-d", str(case), "-g", "1000000", what, "1", "--io", io, ranks=ranks)
    assert done.code == 5, done.err
    assert len(done.messages) == 1, done.err
    assert "space" in done.messages[0]
    assert not list(small_disk.glob("*.partial")) + list(small_disk.glob(".*.partial"))
    whole = {*small_disk.glob("*.h5")}  # those before were complete
    assert all(path.stat().st_size > 160_000 for path in whole)


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("words", [["--output-files", "step"], ["--output-compression", "deflate"]])
def test_a_disk_that_gets_full_keeps_the_complete_steps(
    tmp_path: Path, medium_disk: Path, ranks: int, words: list[str]
) -> None:
    case = make_box(tmp_path / "case", (20, 20, 10), 1)  # 64 kB of densities and energies
    fields = ["--output-fields", "density,energy"]
    asked = ["-d", str(case), "-g", "400", "--output-interval", "1", *fields, *words]
    done = run(medium_disk, *asked, ranks=ranks)
    assert done.code == 5, done.err
    assert len(done.messages) == 1, done.err
    assert "space" in done.messages[0]
    assert not list(medium_disk.glob(".*.partial"))
    whole = sorted(medium_disk.glob("flow*.vtkhdf"))
    assert whole
    for path in whole:
        with h5py.File(path, "r") as file:
            block = file["VTKHDF/level_0"]
            steps = int(block["Steps"].attrs["NSteps"])
            assert steps >= (0 if "mesh" in path.name else 1), path
            if "PointData/density" in block:
                assert np.all(block["PointData/density"][: 4000 * min(steps, 1)] > 0.0)


def test_a_limit_on_file_size_is_one_sentence_and_keeps_the_older_result(tmp_path: Path) -> None:
    case = make_box(tmp_path / "case", (70, 60, 55), 1)  # 9.2 MB of variables
    older = tmp_path / "variables.L0.cycles=1.h5"
    older.write_text("an older result")

    # Memory that MPI shares through files stays below the limit.
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (9_000_000, 9_000_000))

    done = run(tmp_path, "-d", str(case), "-g", "1", "--output-variables", before=limit)
    assert done.code == 5, done.err
    assert len(done.messages) == 1, done.err
    assert "variables.L0.cycles=1.h5" in done.messages[0]
    assert done.files() == {older.name}
    assert older.read_text() == "an older result"


@pytest.mark.parametrize("ranks", [2, 3])
def test_full_shared_memory_is_not_the_fault_of_the_mesh(tmp_path: Path, ranks: int) -> None:
    """Ranks that read by themselves need none of it; MPI-IO did, and the mesh was said damaged."""
    full = "mount -t tmpfs -o size=4k tmpfs /dev/shm"
    allowed = subprocess.run(["unshare", "-m", "sh", "-c", full], capture_output=True, check=False)
    if allowed.returncode != 0:
        pytest.skip("only root may mount over /dev/shm: `make test` as root runs it")
    case = make_box(tmp_path / "case", (8, 6, 5), 2)
    words = [*launcher(ranks), program(), "-d", str(case), "-g", "1", "--output-variables"]
    line = ["unshare", "-m", "sh", "-c", f'{full} && exec "$@"', "sh", *words]
    done = run_words(tmp_path, line)
    assert done.code == 0, done.err
    assert "mgcfd: " not in done.err


# --- lost ranks ---------------------------------------------------------------------------------


def children_of(parent: int) -> list[int]:
    """Processes started by `parent` that run the program."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if int(stat[1]) == parent and words[0].endswith(b"mgcfd"):
            found.append(int(entry.name))
    return found


@pytest.mark.parametrize("victim", [0, 2])
def test_a_killed_rank_brings_the_job_down(tmp_path: Path, victim: int) -> None:
    case = make_box(tmp_path / "case", (12, 12, 10), 2)
    command = [*launcher(3), program(), "-d", str(case), "-g", "1000000", "--output-variables"]
    log = tmp_path / "log"
    with log.open("w") as out:
        job = subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=out, stderr=out)
        try:
            wait_for(lambda: "Performing MG cycle" in log.read_text(), patience_s)
            ranks = sorted(children_of(job.pid))
            assert len(ranks) == 3
            os.kill(ranks[victim], signal.SIGKILL)
            assert job.wait(timeout=patience_s) != 0
            wait_for(lambda: not any(Path(f"/proc/{rank}").exists() for rank in ranks), patience_s)
        finally:
            job.kill()
            job.wait()
    assert list(tmp_path.glob("*.cycles=*")) == []
    said = log.read_text()
    assert said.count("signal 9") == 1, said  # the launcher's message, and no other rank's
    assert "mgcfd: " not in said


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_killed_run_leaves_no_half_result_under_a_final_name(tmp_path: Path, ranks: int) -> None:
    """Killed while it writes a file a cycle: whatever has its final name is whole."""
    case = make_box(tmp_path / "case", (20, 20, 10), 1)
    command = [*launcher(ranks), program(), "-d", str(case), "-g", "100000", "-I", "1"]
    with (tmp_path / "log").open("w") as out:
        job = subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=out, stderr=out)
        try:
            wait_for(lambda: len(list(tmp_path.glob("*.cycle=*.h5"))) > 5, patience_s)
            job.send_signal(signal.SIGKILL if ranks == 1 else signal.SIGTERM)
            job.wait(timeout=patience_s)
        finally:
            job.kill()
            job.wait()
    for path in tmp_path.glob("*.cycle=*.h5"):
        values = result(tmp_path, path.name)
        assert values.shape == (4000, 5)
        assert (values[:, 0] > 0.0).all()


# --- no memory left on a device -------------------------------------------------------------------


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_full_device_is_one_sentence_with_the_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ranks: int
) -> None:
    case = make_box(tmp_path / "case", (20, 20, 20), 1)  # states of 0.5 MiB each
    monkeypatch.setenv("HALOCLINE_EMULATED_MEMORY", "1")
    done = run(tmp_path, "-d", str(case), "-g", "1", "--backend", "emulated", ranks=ranks)
    assert done.code == 4, done.err
    assert len(done.messages) == 1, done.err
    assert "out of device memory" in done.messages[0]
    assert "of 1024 KiB free" in done.messages[0]


def test_a_wrong_size_of_the_emulated_device_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = make_box(tmp_path / "case", (4, 4, 4), 1)
    monkeypatch.setenv("HALOCLINE_EMULATED_MEMORY", "1G")
    done = run(tmp_path, "-d", str(case), "-g", "1", "--backend", "emulated")
    assert done.code == 2, done.err
    assert "HALOCLINE_EMULATED_MEMORY is '1G'" in done.messages[0]
