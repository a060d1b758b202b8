# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""One finding about the machine, and the careful ways of finding things out."""

from __future__ import annotations

import functools
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

QUESTION_TIMEOUT_S = 10.0


class State(StrEnum):
    """Whether something is there; `absent` is fine, `missing` is in the way of a command."""

    OK = "ok"
    ABSENT = "absent"
    MISSING = "missing"


@dataclass(frozen=True)
class Fact:
    """One finding: a name, a value for people and one for programs, and how it was found."""

    name: str
    text: str
    state: State = State.OK
    value: Any = None
    found_by: str = ""
    remedy: str = ""

    def as_json(self) -> dict[str, Any]:
        """Plain data for `--json`."""
        value = self.text if self.value is None and self.state is State.OK else self.value
        data = {"state": str(self.state), "value": value, "text": self.text}
        return data | {"found_by": self.found_by, "remedy": self.remedy}


def ask(command: Sequence[str]) -> str | None:
    """Return what a command prints, or None when it is not there, fails or hangs."""
    path = shutil.which(command[0])
    if path is None:
        return None
    try:
        done = subprocess.run(
            [path, *command[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=QUESTION_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def read_text(path: Path) -> str:
    """Return a file's text, empty when it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


@functools.cache
def shared_libraries() -> dict[str, str]:
    """Return soname → path of the libraries that the dynamic linker knows."""
    listing = ask(["/sbin/ldconfig", "-p"]) or ask(["ldconfig", "-p"]) or ""
    found: dict[str, str] = {}
    for line in listing.splitlines():
        name, arrow, path = line.partition(" => ")
        if arrow:
            found.setdefault(name.split()[0], path.strip())
    return found


def find_library(*starts: str) -> str | None:
    """Return the path of the first shared library whose name begins with one of `starts`."""
    for start in starts:
        for name, path in shared_libraries().items():
            if name.startswith(start):
                return path
    return None


def first_line(text: str | None) -> str:
    """Return the first non-empty line."""
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    return lines[0] if lines else ""
