# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A file of JSON lines that outlives its writer: each is on the disk before `add` returns.

Lines are only ever added. A writer that is killed while it adds one leaves a line without an end,
which the next one cuts off.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from halocline.errors import InvalidInputError
from halocline.files.output_file import explained, open_log


class LineLog:
    """Reads the lines that are there, and adds to them."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it.

        Raises:
            InvalidInputError: a line is no JSON.
            MissingEnvironmentError: the place will not do.
        """
        self.path = path
        self._file = open_log(path)
        try:
            self.entries = self._read()
        except BaseException:
            self._file.close()
            raise

    def _read(self) -> list[Any]:
        with explained(self.path):
            data = self.path.read_bytes()
            whole = data.rfind(b"\n") + 1
            if whole < len(data):
                self._file.truncate(whole)
        entries = []
        for number, line in enumerate(data[:whole].splitlines(), start=1):
            try:
                entries.append(json.loads(line.decode(errors="surrogateescape")))
            except (ValueError, RecursionError):
                raise self.damaged(number) from None
        return entries

    def damaged(self, number: int) -> InvalidInputError:
        """Return the error that tells of a line, counted from 1, which nobody can have written."""
        return InvalidInputError(
            f"{self.path}: line {number} is damaged (runs would be lost). Restore the file, or "
            "choose another folder: -o."
        )

    def add(self, entry: dict[str, Any]) -> None:
        """Add a line of plain JSON data, or leave the file as it was."""
        text = json.dumps(entry, ensure_ascii=False, allow_nan=False)
        line = text.encode(errors="surrogateescape") + b"\n"
        with explained(self.path):
            end = self._file.seek(0, os.SEEK_END)
            try:
                while line:
                    line = line[self._file.write(line) :]
                os.fsync(self._file.fileno())
            except OSError:
                self._file.truncate(end)  # a full disk leaves no half line
                raise

    def clear(self) -> None:
        """Forget all lines."""
        with explained(self.path):
            self._file.truncate(0)
        self.entries = []

    def close(self) -> None:
        """Add no more."""
        self._file.close()
