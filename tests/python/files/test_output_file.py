# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A file is replaced whole or not at all, and nothing else is touched."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from halocline.errors import MissingEnvironmentError, RunFailedError
from halocline.files.identity import Life, ProcessIdentity, life_of, this_process
from halocline.files.lock import InUseError, Place, locked, require_free
from halocline.files.names import remove_left_overs, temporary_name
from halocline.files.output_file import Draft, open_log, write_bytes, write_text


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """No file of this process grows beyond `size` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def names(folder: Path) -> set[str]:
    """All names of a folder, those with a dot in front, too."""
    return {file.name for file in folder.iterdir()}


def dead_process() -> int:
    """A process number that is nobody's now."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def test_a_file_has_its_name_only_when_it_is_published(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("older")
    with Draft(tmp_path / "a") as draft:
        draft.write(b"new")
        assert (tmp_path / "a").read_text() == "older"
        draft.complete()
        draft.publish()
    assert (tmp_path / "a").read_text() == "new"
    assert names(tmp_path) == {"a"}


def test_a_draft_that_is_not_published_leaves_nothing(tmp_path: Path) -> None:
    with Draft(tmp_path / "a") as draft:
        draft.write(b"half")
    assert names(tmp_path) == set()


def test_a_draft_does_not_use_what_lies_at_its_name(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("mine")
    with Draft(tmp_path / "a") as draft:
        draft.name.symlink_to("victim")
        with pytest.raises(FileExistsError):
            draft.write(b"x")
    assert (tmp_path / "victim").read_text() == "mine"


def test_a_full_disk_keeps_the_older_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("older")
    with file_size_limit(100), pytest.raises(RunFailedError, match=r"a: cannot be written.*space"):
        write_bytes(tmp_path / "a", bytes(1000))
    assert (tmp_path / "a").read_text() == "older"
    assert names(tmp_path) == {"a"}


def test_a_link_at_the_final_name_stays(tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    (tmp_path / "a").symlink_to("scratch/real")
    write_text(tmp_path / "a", "made")
    write_text(tmp_path / "a", "new")
    assert (tmp_path / "a").is_symlink()
    assert (tmp_path / "scratch" / "real").read_text() == "new"
    assert names(tmp_path / "scratch") == {"real"}


@pytest.mark.parametrize("name", ["folder", "pipe", "loop", "no/a", "a\0b"])
def test_what_is_no_regular_file_is_refused_and_stays(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(MissingEnvironmentError, match="cannot be written"):
        write_text(tmp_path / name, "x")
    with pytest.raises(MissingEnvironmentError, match="cannot be written"):
        open_log(tmp_path / name)
    assert names(tmp_path) == {"folder", "pipe", "loop"}


def test_devices_take_text_as_it_comes() -> None:
    write_text(Path("/dev/null"), "x")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(RunFailedError, match="No space left"):
        write_text(Path("/dev/full"), "x")


def test_standard_output_takes_a_file_by_its_name() -> None:
    line = "from halocline.files.output_file import *; write_text(Path('/dev/stdout'), 'text')"
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, check=True)
    assert done.stdout == b"text"


def test_permissions_are_kept_or_given(tmp_path: Path) -> None:
    write_text(tmp_path / "script", "x", mode=0o755)
    assert (tmp_path / "script").stat().st_mode & 0o777 == 0o755
    (tmp_path / "script").chmod(0o640)
    write_text(tmp_path / "script", "y")
    assert (tmp_path / "script").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("letter", ["n", "é"])
def test_long_names_are_written(tmp_path: Path, letter: str) -> None:
    name = letter * (255 // len(letter.encode()))
    assert len(os.fsencode(temporary_name(tmp_path / name).name)) <= 255
    write_text(tmp_path / name, "x")
    assert (tmp_path / name).read_text() == "x"


def test_left_overs_of_the_dead_go_and_those_of_the_living_stay(tmp_path: Path) -> None:
    here = this_process().machine
    marks = {"dead": f"{here}-{dead_process()}", "mine": f"{here}-{os.getpid()}"}
    marks |= {"old": f"{'0' * 16}-7", "recent": f"{'0' * 16}-8"}
    files = {
        who: tmp_path / f".a.h5.{mark}-0123456789abcdef.partial" for who, mark in marks.items()
    }
    for file in files.values():
        file.write_text("half")
    os.utime(files["old"], (0, time.time() - 8 * 24 * 3600))
    (tmp_path / ".a.h5.partial").write_text("not ours")
    remove_left_overs(tmp_path)
    assert names(tmp_path) == {files["mine"].name, files["recent"].name, ".a.h5.partial"}


def test_a_clock_that_jumps_makes_no_file_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / f".a.h5.{'0' * 16}-8-0123456789abcdef.partial"
    elsewhere.write_text("half")
    now_s = time.time()
    monkeypatch.setattr(time, "time", lambda: now_s + 400 * 24 * 3600)
    remove_left_overs(tmp_path)
    assert elsewhere.exists()
    with locked(Place(tmp_path)), pytest.raises(InUseError):
        require_free(Place(tmp_path))


def test_processes_are_known_by_machine_number_and_start() -> None:
    own = this_process()
    assert life_of(own) is Life.ALIVE
    earlier = ProcessIdentity(own.host, own.machine, own.pid, own.start + 1)
    assert life_of(earlier) is Life.DEAD
    assert life_of(ProcessIdentity("", own.machine, dead_process(), 0)) is Life.DEAD
    assert life_of(ProcessIdentity("", "0" * 16, own.pid, 0)) is Life.UNKNOWN
