# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The one way to write a file: under a temporary name, and under its own only when it is whole.

The native programs do the same: src/halocline/core/output_file.hpp says what and why.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from halocline.errors import HaloclineError, MissingEnvironmentError, RunFailedError
from halocline.files.names import remove_left_overs, temporary_name

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
BROKEN = (errno.EIO, errno.ENXIO, errno.ENODEV, errno.ESTALE)


class Draft:
    """A file in the making, beside the one that it will replace.

    `write`, or who fills it otherwise, makes it exclusively (mode "x") under `name`, which nobody
    can foresee. `complete` and `publish` give it its final name; leaving the block without them
    removes it. A link at the final name is kept: the file that it leads to is replaced, in that
    file's folder.
    """

    def __init__(self, path: Path) -> None:
        """Raise MissingEnvironmentError where anything but a regular file has the name."""
        self.path = path
        self._target = _regular_target(path)
        self.name = temporary_name(self._target)

    def __enter__(self) -> Draft:
        return self

    def __exit__(self, *_: object) -> None:
        self.name.unlink(missing_ok=True)

    def write(self, data: bytes) -> None:
        """Make the file and fill it."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        file = os.open(self.name, flags, 0o666)
        try:
            _write_all(file, data)
        finally:
            os.close(file)

    def complete(self, mode: int | None = None) -> None:
        """Put the file on the disk; permissions are `mode`, or those of an older file."""
        file = os.open(self.name, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if mode is None:
                with contextlib.suppress(FileNotFoundError):
                    mode = self._target.stat().st_mode & 0o777
            if mode is not None:
                with contextlib.suppress(OSError):  # file systems without permissions
                    os.fchmod(file, mode)
            _put_on_disk(file)
        finally:
            os.close(file)

    def publish(self) -> None:
        """Give the file, which is complete, its name."""
        self.name.replace(self._target)
        with contextlib.suppress(PermissionError):  # its names may be used, but not listed
            folder = os.open(self._target.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                _put_on_disk(folder)
            finally:
                os.close(folder)


def write_bytes(path: Path, data: bytes, mode: int | None = None) -> None:
    """Replace `path` by `data` in one step, or fail and leave it as it was.

    Also writes to what takes bytes as they come: /dev/stdout, a shell's >(command), /dev/null.

    Args:
        path: the file.
        data: what will be in it.
        mode: permissions; those of the older file, or as the user's mask has it, when None.

    Raises:
        MissingEnvironmentError: the place will not do.
        RunFailedError: writing broke off, as on a full disk.
    """
    with explained(path):
        if _is_stream(path):
            stream = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOCTTY | os.O_CLOEXEC)
            try:
                _write_all(stream, data)
            finally:
                os.close(stream)
            return
        with Draft(path) as draft:
            draft.write(data)
            draft.complete(mode)
            draft.publish()
        remove_left_overs(draft.name.parent)


def write_text(path: Path, text: str, mode: int | None = None) -> None:
    """Replace `path` by `text` as UTF-8; names of files that are not text keep their bytes."""
    write_bytes(path, text.encode("utf-8", errors="surrogateescape"), mode)


def open_log(path: Path) -> BinaryIO:
    """Open a file that programs write as they go, to add to it; a pipe is refused, not waited for.

    Raises:
        MissingEnvironmentError: the place will not do.
    """
    with explained(path):
        _regular_target(path)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
        return os.fdopen(os.open(path, flags, 0o666), "ab", buffering=0)


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn errors of the system, while `path` is written, into a sentence and an exit code."""
    try:
        yield
    except OSError as error:
        raise output_error(path, error) from None


def output_error(path: Path, error: OSError) -> HaloclineError:
    """Return the error that tells why `path` cannot be written."""
    number = error.errno or 0
    reason = error.strerror or str(error).splitlines()[0]
    problem = f"{path}: cannot be written ({reason})."
    if number in FULL:
        return RunFailedError(f"{problem} Make free space, or choose another folder.")
    if number in BROKEN:
        return RunFailedError(f"{problem} Check the disk, or choose another folder.")
    return MissingEnvironmentError(f"{problem} Check that the folder exists and is writable.")


def _regular_target(path: Path) -> Path:
    """Return `path` with links followed: the temporary file must lie beside what is replaced."""
    if "\0" in str(path) or not path.name:
        raise MissingEnvironmentError(
            f"{str(path)!r} cannot be written (it is not a file name). Choose another name."
        )
    try:
        kind = path.stat().st_mode
    except OSError:
        kind = stat.S_IFREG
    if not stat.S_ISREG(kind):
        what = "a folder" if stat.S_ISDIR(kind) else "a pipe, device or socket"
        raise MissingEnvironmentError(
            f"{path}: cannot be written ({what} has this name). Remove it, or choose another name."
        )
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _is_stream(path: Path) -> bool:
    """Whether `path` takes bytes as they come: a device, or an open file of a process."""
    try:
        kind = path.stat().st_mode
        beside = [Path(os.path.realpath(name.parent)) for name in _links(path)]
    except (OSError, ValueError):  # the second for a NUL character
        return False
    return stat.S_ISCHR(kind) or any(folder.is_relative_to("/proc") for folder in beside)


def _links(path: Path) -> Iterator[Path]:
    """Yield the path, and where it leads to while it is a link."""
    for _ in range(40):
        yield path
        if not path.is_symlink() or Path(os.path.realpath(path.parent)).is_relative_to("/proc"):
            return
        path = path.parent / path.readlink()


def _write_all(file: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]


def _put_on_disk(file: int) -> None:
    """Some file systems cannot be told to write now; only a failure to write counts."""
    try:
        os.fsync(file)
    except OSError as error:
        if error.errno in (errno.EIO, *FULL):
            raise
