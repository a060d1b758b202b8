# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Nothing but a run's own files is touched, and two runs do not write the same ones."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from mgcfd_support import (
    environment,
    launcher,
    make_box,
    patience_s,
    program,
    result,
    run,
    time_limit_s,
    wait_for,
)
from preloads import JUMPING_CLOCK, make_preload

LOCK = ".halocline.lock"
LOCK_OF_RECORD = ".halocline.lock.record.json"


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A one-level box of 60 nodes."""
    return make_box(tmp_path / "case", levels=1)


def names(folder: Path) -> set[str]:
    """All names in a folder."""
    return {path.name for path in folder.iterdir()}


# --- two runs in one folder -----------------------------------------------------------------------


@contextmanager
def long_run(folder: Path, case: Path, ranks: int = 1) -> Iterator[subprocess.Popen[bytes]]:
    """A run that computes until it is ended."""
    command = [*launcher(ranks), program(), "-d", str(case), "-g", "100000000"]
    log = folder.parent / "long.log"
    with log.open("w") as out:
        job = subprocess.Popen(command, cwd=folder, env=environment(), stdout=out, stderr=out)
        try:
            wait_for(lambda: "Performing MG cycle" in log.read_text(), patience_s)
            yield job
        finally:
            job.kill()
            job.wait()


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_second_run_is_refused_before_it_writes(tmp_path: Path, case: Path, ranks: int) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    with long_run(folder, case) as first:
        before = names(folder)
        done = run(folder, "-d", str(case), "-g", "1", "--output-variables", ranks=ranks)
        assert done.code == 4, done.err
        (said,) = done.messages
        assert f"process {first.pid} of " in said
        assert "another run writes files with the prefix ''" in said
        assert names(folder) == before == {LOCK, LOCK_OF_RECORD}
        other = run(folder, "-d", str(case), "-g", "1", "-o", "b.", "--output-variables")
        assert other.code == 0, other.err
        assert "b.variables.L0.cycles=1.h5" in names(folder)
    again = run(folder, "-d", str(case), "-g", "1", "--output-variables", ranks=ranks)
    assert again.code == 0, again.err  # the first was killed, its lock file was still there
    assert not {LOCK, LOCK_OF_RECORD} & names(folder)


def test_a_run_with_the_record_of_another_is_refused(tmp_path: Path, case: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    with long_run(first, case):
        done = run(second, "-d", str(case), "-g", "1", "--record", str(first / "record.json"))
        assert done.code == 4, done.err
        (said,) = done.messages
        assert f"another run writes the record '{first / 'record.json'}'" in said
        assert "--record" in said
        assert names(second) == set()


def test_runs_with_other_prefixes_are_free_at_the_same_time(tmp_path: Path, case: Path) -> None:
    jobs = [
        subprocess.Popen(
            [program(), "-d", str(case), "-g", "3", "-o", f"run{n}.", "--output-variables"],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.DEVNULL,
        )
        for n in range(4)
    ]
    assert [job.wait(time_limit_s) for job in jobs] == [0] * 4
    assert sum(".variables." in name for name in names(tmp_path)) == 4
    assert not [name for name in names(tmp_path) if name.startswith(".")]


def test_a_run_that_fails_frees_its_prefix(tmp_path: Path, case: Path) -> None:
    (case / "mesh.L0.h5").write_text("no mesh")
    assert run(tmp_path, "-d", str(case)).code == 3
    assert names(tmp_path) == {"case"}


def test_half_files_of_killed_runs_are_cleared_away(tmp_path: Path, case: Path) -> None:
    with long_run(tmp_path, case):
        pass
    machine = '"machine": "'
    text = (tmp_path / LOCK).read_text()
    mark = text.partition(machine)[2][:16] + "-999999999-0123456789abcdef"
    left_over = tmp_path / f".variables.L0.cycle=7.h5.{mark}.partial"
    left_over.write_text("half")
    assert run(tmp_path, "-d", str(case), "-g", "1").code == 0
    assert not left_over.exists()


# --- a clock that jumps --------------------------------------------------------------------------


def test_a_clock_that_jumps_neither_frees_a_folder_nor_holds_it(
    tmp_path: Path, case: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By 400 days, forward and back, in the run that holds the folder and in those that want it."""
    days = JUMPING_CLOCK.replace("18000", str(400 * 24 * 3600))
    monkeypatch.setenv("LD_PRELOAD", str(make_preload(tmp_path, days, "jumping_clock")))
    folder = tmp_path / "results"
    folder.mkdir()
    others = folder / ".variables.L0.cycle=7.h5.0000000000000000-7-0123456789abcdef.partial"
    with long_run(folder, case):
        others.write_text("another machine writes this")
        for _ in range(2):  # once the time of day is ahead, once it is back
            assert run(folder, "-d", str(case), "-g", "1").code == 4
    for _ in range(2):
        done = run(folder, "-d", str(case), "-g", "1")
        assert done.code == 0, done.err
    assert others.exists()
    assert LOCK not in names(folder)


# --- what lies in the way -------------------------------------------------------------------------


def test_names_that_can_be_foreseen_are_not_used(tmp_path: Path, case: Path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (folder / "variables.L0.cycles=1.h5.partial").symlink_to(victim)
    os.mkfifo(folder / "record.json.partial")
    done = run(folder, "-d", str(case), "-g", "1", "--output-variables")
    assert done.code == 0, done.err
    assert victim.read_text() == "mine"
    assert result(folder, "variables.L0.cycles=1.h5").shape == (60, 5)
    assert (folder / "record.json.partial").is_fifo()


@pytest.mark.parametrize("name", ["P=0.FileIoTimes.csv", "record.json"])
@pytest.mark.parametrize("what", ["a folder", "a pipe"])
def test_what_takes_no_file_is_refused_before_the_first_cycle(
    tmp_path: Path, case: Path, name: str, what: str
) -> None:
    if what == "a pipe":
        os.mkfifo(tmp_path / name)
    else:
        (tmp_path / name).mkdir()
    done = run(tmp_path, "-d", str(case), "-g", "1", "--output-variables")
    assert done.code == 4, done.err
    (said,) = done.messages
    assert name in said
    assert what in said
    assert names(tmp_path) == {"case", name}


def test_links_to_other_disks_are_kept(tmp_path: Path, case: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    for name in ("record.json", "variables.L0.cycles=1.h5", "P=0.FileIoTimes.csv"):
        (tmp_path / name).symlink_to(scratch / name)
    for ranks in (1, 2):
        done = run(tmp_path, "-d", str(case), "-g", "1", "--output-variables", ranks=ranks)
        assert done.code == 0, done.err
        assert (tmp_path / "record.json").is_symlink()
        assert names(scratch) == {
            "record.json",
            "variables.L0.cycles=1.h5",
            "P=0.FileIoTimes.csv",
        }
    assert result(scratch, "variables.L0.cycles=1.h5").shape == (60, 5)
    assert len((scratch / "P=0.FileIoTimes.csv").read_text().splitlines()) == 3


def test_a_prefix_with_control_characters_is_refused(tmp_path: Path, case: Path) -> None:
    done = run(tmp_path, "-d", str(case), "-o", "a\nb", "-g", "1")
    assert done.code == 2, done.err
    assert "control characters" in done.messages[0]
    assert names(tmp_path) == {"case"}


# --- standard output ------------------------------------------------------------------------------


def printed_to(folder: Path, out: int | None, *words: str) -> tuple[int, str]:
    """Runs the program with this standard output, or a closed one; its code and errors."""
    line = [program(), *words]
    if out is None:
        line = ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *line]
    done = subprocess.run(
        line,
        cwd=folder,
        env=environment(),
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        timeout=time_limit_s,
        check=False,
        restore_signals=True,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("closed", [False, True], ids=["full", "closed"])
def test_lost_output_is_a_failed_run_with_all_its_results(
    tmp_path: Path, case: Path, closed: bool
) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    words = ("-d", str(case), "-g", "1", "--output-variables")
    code, said = printed_to(tmp_path, None if closed else full, *words)
    os.close(full)
    assert code == 5, said
    assert "mgcfd: standard output cannot be written" in said
    assert result(tmp_path, "variables.L0.cycles=1.h5").shape == (60, 5)


def test_a_reader_who_has_seen_enough_does_not_end_a_run(tmp_path: Path, case: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    code, said = printed_to(tmp_path, writer, "-d", str(case), "-g", "1", "--output-variables")
    os.close(writer)
    assert (code, said) == (0, "")
    assert result(tmp_path, "variables.L0.cycles=1.h5").shape == (60, 5)


@pytest.mark.parametrize("name", ["mgcfd", "halocline-solve", "halocline-affinity"])
def test_help_that_does_not_arrive_is_a_failure(tmp_path: Path, name: str) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            [program(name), "--help"],
            cwd=tmp_path,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=time_limit_s,
            check=False,
        )
    assert done.returncode == 5
    assert f"{name}: standard output cannot be written (No space left" in done.stderr
