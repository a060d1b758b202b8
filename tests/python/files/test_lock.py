# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""One writer at a time, where the kernel locks files and where it does not."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from halocline.errors import ExitCode, MissingEnvironmentError
from halocline.files.identity import this_process
from halocline.files.lock import InUseError, Place, locked, require_free

HOLDER = """
import sys
from pathlib import Path
from halocline.files.lock import Place, locked
with locked(Place(Path(sys.argv[1]), "verb", what="the files")):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(params=[True, False], ids=["kernel-locks", "no-kernel-locks"])
def kernel_locks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """File systems with and without locks."""
    if not request.param:

        def flock(*_: object) -> None:
            raise OSError(errno.ENOSYS, "no locks here")

        monkeypatch.setattr("fcntl.flock", flock)
    return bool(request.param)


def place(folder: Path, prefix: str = "") -> Place:
    """Some files of a verb."""
    return Place(folder, "verb", prefix, "the files")


def holder(folder: Path) -> subprocess.Popen[str]:
    """Another process that holds the lock."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_the_second_is_refused_naming_the_first(tmp_path: Path) -> None:
    other = holder(tmp_path)
    try:
        with pytest.raises(InUseError) as refused, locked(place(tmp_path)):
            pass
        assert f"process {other.pid} of " in str(refused.value)
        assert "another command writes the files" in str(refused.value)
        assert refused.value.exit_code == ExitCode.ENVIRONMENT
        with pytest.raises(InUseError):
            require_free(place(tmp_path))
        with locked(place(tmp_path, "p")), locked(Place(tmp_path, "other")):
            require_free(Place(tmp_path, "third"))
    finally:
        other.communicate("")
    with locked(place(tmp_path)):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("kernel_locks")
def test_a_lock_excludes_and_ends(tmp_path: Path) -> None:
    for _ in range(2):
        with locked(place(tmp_path)):
            with pytest.raises(InUseError), locked(place(tmp_path)):
                pass
            with pytest.raises(InUseError):
                require_free(place(tmp_path))
        require_free(place(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_killed_owner_holds_nobody_up(tmp_path: Path) -> None:
    other = holder(tmp_path)
    other.send_signal(signal.SIGKILL)
    other.communicate()
    assert place(tmp_path).lock_file.exists()
    require_free(place(tmp_path))
    with locked(place(tmp_path)):
        owner = json.loads(place(tmp_path).lock_file.read_text())
        assert owner["pid"] == os.getpid()
    assert list(tmp_path.iterdir()) == []


def leave_owner(folder: Path, pid: int) -> None:
    """Leave the lock file of a process."""
    text = {"host": "h", "machine": this_process().machine, "pid": pid, "user": "u", "since": "s"}
    place(folder).lock_file.write_text(json.dumps(text))


def test_where_the_file_is_the_lock_its_owner_s_life_decides(
    tmp_path: Path, kernel_locks: bool
) -> None:
    leave_owner(tmp_path, 999999999)
    with locked(place(tmp_path)):
        pass
    leave_owner(tmp_path, 1)
    if kernel_locks:  # nobody holds it: whose it was does not matter
        with locked(place(tmp_path)):
            pass
        return
    with pytest.raises(InUseError, match="If it is dead, remove that file"):
        require_free(place(tmp_path))
    with (
        pytest.raises(InUseError, match="If it is dead, remove that file"),
        locked(place(tmp_path)),
    ):
        pass


@pytest.mark.parametrize("text", ["", "[]", '{"pid": "x"}', "[" * 100000, '{"pid": 1e400}'])
def test_a_damaged_lock_file_is_no_problem(tmp_path: Path, text: str) -> None:
    place(tmp_path).lock_file.write_text(text)
    with locked(place(tmp_path)), pytest.raises(InUseError), locked(place(tmp_path)):
        pass


def test_words_of_a_lock_file_do_not_reach_the_terminal(tmp_path: Path) -> None:
    with locked(place(tmp_path)):
        owner = json.loads(place(tmp_path).lock_file.read_text())
        owner["user"] = "\x1b[31m"
        place(tmp_path).lock_file.write_text(json.dumps(owner))
        with pytest.raises(InUseError) as refused:
            require_free(place(tmp_path))
    assert "\x1b" not in str(refused.value)


@pytest.mark.parametrize("what", ["link", "pipe", "folder"])
def test_what_is_no_file_at_the_lock_s_name_is_not_touched(tmp_path: Path, what: str) -> None:
    lock = place(tmp_path).lock_file
    if what == "link":
        lock.symlink_to("elsewhere")
    elif what == "pipe":
        os.mkfifo(lock)
    else:
        lock.mkdir()
    with pytest.raises((OSError, MissingEnvironmentError)), locked(place(tmp_path)):
        pass
    assert [file.name for file in tmp_path.iterdir()] == [lock.name]


def test_who_waits_gets_the_lock_when_it_is_free(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = holder(tmp_path)
    monkeypatch.setattr("time.sleep", lambda _: other.communicate(""))
    with locked(place(tmp_path), wait=True):
        assert other.returncode == 0
    assert "waiting: another command writes the files" in capsys.readouterr().err
