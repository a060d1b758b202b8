# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Two commands that write the same files: the second is refused before it writes anything.

The native programs take and read the same: src/halocline/io/output_lock.cpp.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import getpass
import json
import os
import re
import shlex
import stat
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from halocline.errors import MissingEnvironmentError
from halocline.files.identity import Life, ProcessIdentity, life_of, this_process
from halocline.files.names import remove_left_overs
from halocline.terminal import note

UNKNOWN_LOCKS = (errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK, errno.EINVAL)
ROUNDS = 50


class InUseError(MissingEnvironmentError):
    """Somebody else writes these files now."""


@dataclass(frozen=True)
class Owner:
    """What a lock file tells."""

    process: ProcessIdentity
    user: str
    since: str

    def __str__(self) -> str:
        """Who holds it, and since when."""
        where = f"{self.user} on {self.process.host}"
        return f"process {self.process.pid} of {where}, since {self.since}"


@dataclass(frozen=True)
class Place:
    """Files that one command writes at a time."""

    folder: Path
    #: Who writes them: a verb; the native programs for results when empty.
    verb: str = ""
    #: Beginning of their names, where others in the folder may be written at the same time.
    prefix: str = ""
    #: What they are, for the sentence "another command writes …".
    what: str = "results"

    @property
    def lock_file(self) -> Path:
        """The file that is locked."""
        middle = f".{self.verb}" if self.verb else ""
        return self.folder / f".halocline{middle}.lock{'.' if self.prefix else ''}{self.prefix}"


@contextlib.contextmanager
def locked(place: Place, *, wait: bool = False) -> Iterator[None]:
    """Keep others from writing there while the block runs; the folder is made if absent.

    Args:
        place: the files; readers and other files are free.
        wait: wait for the other instead of refusing.

    Raises:
        InUseError: somebody else holds the lock.
        OSError: the folder takes no file.
    """
    place.folder.mkdir(parents=True, exist_ok=True)
    file = _acquire(place, wait=wait)
    try:
        remove_left_overs(place.folder)
        yield
    finally:
        with contextlib.suppress(OSError):
            if _is_at(file, place.lock_file):
                place.lock_file.unlink()
        os.close(file)


def require_free(place: Place) -> None:
    """Raise InUseError while somebody else writes the files; write nothing."""
    try:
        file = os.open(place.lock_file, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _refusal(place, _wait_for_owner(file), by_file_alone=False) from None
    except OSError:
        owner = _wait_for_owner(file)
        if owner is None or life_of(owner.process) is not Life.DEAD:
            raise _refusal(place, owner, by_file_alone=True) from None
    finally:
        os.close(file)


def _acquire(place: Place, *, wait: bool) -> int:
    has_warned = False
    while True:
        for _ in range(ROUNDS):
            try:
                file = _take(place)
            except InUseError as refusal:
                if not wait:
                    raise
                if not has_warned:
                    note(f"waiting: {refusal}")
                has_warned = True
                time.sleep(0.2)
                break
            if file is not None:
                return file
        else:
            raise _refusal(place, None, by_file_alone=False)


def _take(place: Place) -> int | None:
    """One attempt; None when the file went away meanwhile."""
    path = place.lock_file
    file, made = _open(path)
    if file is None:
        return None
    kept = False
    try:
        by_kernel = _flock(file, place)
        if not by_kernel and not made:
            owner = _wait_for_owner(file)
            if owner is None or life_of(owner.process) is not Life.DEAD:
                raise _refusal(place, owner, by_file_alone=True)
            path.unlink(missing_ok=True)
            return None  # whoever makes it anew has it
        if not _is_at(file, path):
            return None
        _write_owner(file, path)
        if not by_kernel:
            # Who took the same dead owner's file for this one has removed it by then.
            time.sleep(0.1)
        kept = _is_at(file, path)
        return file if kept else None
    finally:
        if not kept:
            os.close(file)


def _open(path: Path) -> tuple[int | None, bool]:
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        file, made = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o644), True
    except FileExistsError:
        try:
            file, made = os.open(path, flags), False
        except FileNotFoundError:
            return None, False
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise MissingEnvironmentError(f"{path} is not a regular file (a lock must be). Remove it.")
    return file, made


def _flock(file: int, place: Place) -> bool:
    """Return whether the kernel locks for us; False where the file system knows no locks."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _refusal(place, _wait_for_owner(file), by_file_alone=False) from None
    except OSError as error:
        if error.errno not in UNKNOWN_LOCKS:
            raise
        return False
    return True


def _write_owner(file: int, path: Path) -> None:
    own = this_process()
    text = {
        "format": "halocline-lock",
        "version": 1,
        "host": own.host,
        "machine": own.machine,
        "pid": own.pid,
        "start": own.start,
        "user": _user(),
        "since": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "command": shlex.join(sys.argv),
    }
    try:
        os.ftruncate(file, 0)
        os.pwrite(file, json.dumps(text, indent=1).encode() + b"\n", 0)
    except OSError:
        path.unlink(missing_ok=True)
        raise


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a number without a name
        return str(os.geteuid())


def _wait_for_owner(file: int) -> Owner | None:
    """Return the owner, who may just be writing what he has to say."""
    for _ in range(ROUNDS):
        owner = _read_owner(file)
        if owner is not None:
            return owner
        time.sleep(0.002)
    return None


def _read_owner(file: int) -> Owner | None:
    try:
        text = json.loads(os.pread(file, 65536, 0))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(text, dict) or _number(text, "pid") <= 0:
        return None
    process = ProcessIdentity(
        _plain(text, "host"), _plain(text, "machine"), _number(text, "pid"), _number(text, "start")
    )
    return Owner(process, _plain(text, "user"), _plain(text, "since"))


def _plain(text: dict[str, Any], key: str) -> str:
    """Letters, digits and marks that a terminal shows as they are."""
    value = text.get(key)
    return re.sub(r"[^!-~]", "?", value)[:80] if isinstance(value, str) else "?"


def _number(text: dict[str, Any], key: str) -> int:
    value = text.get(key)
    return value if isinstance(value, int) and abs(value) < 2**62 else 0


def _refusal(place: Place, owner: Owner | None, *, by_file_alone: bool) -> InUseError:
    dead = " If it is dead, remove that file." if by_file_alone else ""
    return InUseError(
        f"another command writes {place.what} ({owner or 'it does not say which'}; "
        f"says {place.lock_file}). Wait for its end, or choose another place.{dead}"
    )


def _is_at(file: int, path: Path) -> bool:
    """Whether the open file is still the one of that name: an owner removes it at the end."""
    try:
        return os.path.samestat(os.fstat(file), path.lstat())
    except OSError:
        return False
