# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a tuning has found so far, a line each: killed at any moment, it goes on from there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from halocline.errors import InvalidInputError
from halocline.files.line_log import LineLog

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
        self._values: dict[str, Any] = {}
        self._log = LineLog(path)
        try:
            self._begin({"format": FORMAT, "version": VERSION, "identity": identity})
        except BaseException:
            self.close()
            raise
        self.resumed = bool(self._values)

    def _begin(self, head: dict[str, Any]) -> None:
        entries = self._log.entries
        for number, entry in enumerate(entries, start=1):
            keys = head.keys() if number == 1 else {"name", "value"}
            if type(entry) is not dict or entry.keys() != keys:
                raise self._log.damaged(number)
        if entries and entries[0] != head:
            if len(entries) > 1:
                raise InvalidInputError(
                    f"{self._log.path} is the journal of another tuning "
                    f"({_difference(entries[0], head)}). Choose another folder by -o, or remove "
                    "this one."
                )
            self._log.clear()
        if not self._log.entries:
            self._log.add(head)
        self._values = {entry["name"]: entry["value"] for entry in entries[1:]}

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def put(self, name: str, value: Any) -> None:
        """Write a result to the disk; it must be JSON data."""
        self._log.add({"name": name, "value": value})
        self._values[name] = value

    def damaged(self, name: str) -> InvalidInputError:
        """Return the error that tells of a result which is not what was put there."""
        return self._log.damaged(list(self._values).index(name) + 2)

    def close(self) -> None:
        """Write no more."""
        self._log.close()


def _difference(found: dict[str, Any], wanted: dict[str, Any]) -> str:
    held, asked = found["identity"], wanted["identity"]
    if type(held) is not dict or any(found[name] != wanted[name] for name in ("format", "version")):
        return "its format is another one"
    names = [name for name in asked if held.get(name) != asked[name]]
    return f"other {' and '.join(names)}" if names else "made with other options"
