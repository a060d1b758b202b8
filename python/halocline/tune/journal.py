# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a tuning has found so far, a line each: killed at any moment, it goes on from there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from halocline.errors import InvalidInputError
from halocline.files.output_file import explained, open_log

FORMAT = "halocline.tune-journal"
VERSION = 1


class Journal:
    """Results by name; a name is written once."""

    def __init__(self, path: Path, identity: dict[str, Any]) -> None:
        """Open a journal, and read what it holds.

        Args:
            path: its file; made where it is absent.
            identity: what the results depend on; another one's results are refused.

        Raises:
            InvalidInputError: it belongs to another tuning.
        """
        self.path = path
        self._values: dict[str, Any] = {}
        head = {"format": FORMAT, "version": VERSION, "identity": identity}
        lines = _whole_lines(path)
        if lines and lines[0] != head:
            raise InvalidInputError(
                f"{path} is the journal of another tuning ({_difference(lines[0], head)}). "
                "Choose another folder by -o, or remove this one."
            )
        for line in lines[1:]:
            self._values[line["name"]] = line["value"]
        self.resumed = len(lines) > 1
        if not lines:
            path.unlink(missing_ok=True)
        self._file = open_log(path)
        if not lines:
            self._append(head)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def put(self, name: str, value: Any) -> None:
        """Write a result to the disk; it must be JSON data."""
        self._append({"name": name, "value": value})
        self._values[name] = value

    def names(self, start: str) -> list[str]:
        """Return the names that start so, in the order in which they were written."""
        return [name for name in self._values if name.startswith(start)]

    def close(self) -> None:
        """Write no more."""
        self._file.close()

    def _append(self, data: dict[str, Any]) -> None:
        with explained(self.path):
            self._file.write((json.dumps(data) + "\n").encode())
            os.fsync(self._file.fileno())


def _whole_lines(path: Path) -> list[dict[str, Any]]:
    """Return all lines; what a kill left of the last one is cut off."""
    try:
        data = path.read_bytes()
    except OSError:
        return []
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        with explained(path):
            os.truncate(path, len(whole))
    try:
        lines = [json.loads(line) for line in whole.splitlines()]
    except (ValueError, RecursionError):
        lines = [None]
    heads, rest = lines[:1], lines[1:]
    if not all(type(line) is dict and type(line.get("identity")) is dict for line in heads) or not (
        all(type(line) is dict and {"name", "value"} == line.keys() for line in rest)
    ):
        raise damaged(path)
    return lines


def damaged(path: Path) -> InvalidInputError:
    """Return the error that tells so."""
    return InvalidInputError(
        f"{path} is damaged (a line is not what halocline tune writes). Remove it to start anew."
    )


def _difference(found: dict[str, Any], wanted: dict[str, Any]) -> str:
    if found.get("format") != FORMAT or found.get("version") != VERSION:
        return "its format is another one"
    held, asked = found["identity"], wanted["identity"]
    names = [name for name in asked if held.get(name) != asked[name]]
    return f"other {' and '.join(names)}" if names else "made with other options"
