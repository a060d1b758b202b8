# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""HDF5 files on disks that may be full.

HDF5 cannot close a file that it failed to write: it prints what it tries at the end of the
process, and crashes. So it never hears of a failure; the first one is raised here instead.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import h5py


class Hdf5Sink(io.RawIOBase):
    """The bytes of an HDF5 file, by places; after a failure writes go nowhere."""

    def __init__(self, path: Path, *, create: bool) -> None:
        """Open an existing file, or make one exclusively."""
        super().__init__()
        flags = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
        flags |= os.O_CREAT | os.O_EXCL if create else 0
        self._file = os.open(path, flags, 0o666)
        self._at = 0
        self.failure: OSError | None = None

    def seek(self, place: int, whence: int = os.SEEK_SET) -> int:
        """Choose the next place."""
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: os.fstat(self._file).st_size}
        self._at = start[whence] + place
        return self._at

    def tell(self) -> int:
        """Return the next place."""
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer; what the file does not have is zero."""
        view = memoryview(buffer).cast("B")
        done = 0
        while done < len(view):
            count = os.preadv(self._file, [view[done:]], self._at + done)
            if count == 0:
                view[done:] = bytes(len(view) - done)
                break
            done += count
        self._at += len(view)
        return len(view)

    def write(self, data: Any) -> int:
        """Write all of the data."""
        view = memoryview(data).cast("B")
        done = 0
        try:
            while done < len(view) and self.failure is None:
                done += os.pwrite(self._file, view[done:], self._at + done)
        except OSError as error:
            self.failure = error
        self._at += len(view)
        return len(view)

    def truncate(self, size: int | None = None) -> int:
        """Set the size of the file."""
        size = self._at if size is None else size
        try:
            if self.failure is None:
                os.ftruncate(self._file, size)
        except OSError as error:
            self.failure = error
        return size

    def check(self) -> None:
        """Raise the first failure to write, if there was one."""
        if self.failure is not None:
            raise self.failure

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            os.close(self._file)
        super().close()


class Hdf5Output:
    """An HDF5 file that is written, as a context: leaving it raises what writing met first."""

    def __init__(self, path: Path, *, create: bool) -> None:
        """Make a file exclusively, or open an existing one to change it."""
        import h5py

        self.sink = Hdf5Sink(path, create=create)
        self.file: h5py.File = h5py.File(self.sink, "w" if create else "r+")

    def __enter__(self) -> h5py.File:
        return self.file

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.file.close()
        self.sink.close()
        self.sink.check()
