# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Standard streams that are closed, full, or that nobody reads any more."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import Any

from halocline.errors import ExitCode


class _Output(io.FileIO):
    """Standard output that remembers its first failure, whoever deals with the exception."""

    lost = 0

    def write(self, data: Any) -> int:
        """Write some of the bytes."""
        try:
            return super().write(data)
        except OSError as error:
            self.lost = self.lost or error.errno or errno.EIO
            raise


def guard_streams() -> None:
    """Make sure that what is printed arrives, or that its loss is known at the end.

    Numbers of streams that the caller closed are taken first: else the next file that is opened
    would get what is printed. They are opened the wrong way round, so that printing fails as it
    does on a closed stream.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            taken = os.open(os.devnull, os.O_RDONLY if number else os.O_WRONLY)
            os.set_inheritable(taken, True)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - lives on
    if sys.stdout is not sys.__stdout__:  # somebody in this process collects what is printed
        return
    given = sys.stdout
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(_Output(1, "w", closefd=False)),
        encoding=given.encoding if given else "utf-8",
        errors=given.errors if given else "strict",
        line_buffering=bool(given and given.line_buffering),
    )


def lost_output() -> int:
    """Return why standard output did not take what was printed, as a number of errno; or 0."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return raw.lost if isinstance(raw, _Output) else 0


def finish_output(code: int) -> tuple[str, int]:
    """Write out what was printed; return a sentence if it was lost, and the exit code.

    A reader who has seen enough, as `head`, is no failure.
    """
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    reason = lost_output()
    if reason == 0:
        return "", code
    nowhere = os.open(os.devnull, os.O_WRONLY)  # Python would fail once more at its end
    os.dup2(nowhere, 1)
    os.close(nowhere)
    if reason == errno.EPIPE:
        return "", code
    sentence = f"standard output cannot be written ({os.strerror(reason)}). Send it elsewhere."
    return sentence, code or ExitCode.RUN_FAILED
