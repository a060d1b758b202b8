# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Errors a user sees as one sentence, the exit codes, and nearest-name suggestions."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of every halocline command, Python and native."""

    OK = 0
    USAGE = 2
    INVALID_INPUT = 3
    ENVIRONMENT = 4
    RUN_FAILED = 5
    DIFFERS = 6
    STOPPED_EARLY = 75


class HaloclineError(Exception):
    """A problem of the user's input or machine: problem (why). What to do."""

    exit_code = ExitCode.RUN_FAILED


class UsageError(HaloclineError):
    """The command line does not make sense."""

    exit_code = ExitCode.USAGE


class InvalidInputError(HaloclineError):
    """A case, mesh, record or result file is wrong."""

    exit_code = ExitCode.INVALID_INPUT


class MissingEnvironmentError(HaloclineError):
    """This machine lacks something: MPI, a GPU, a program, a Python package."""

    exit_code = ExitCode.ENVIRONMENT


class RunFailedError(HaloclineError):
    """A launched program failed; keeps the program's own exit code when it has one."""

    def __init__(self, message: str, exit_code: int = ExitCode.RUN_FAILED) -> None:
        super().__init__(message)
        self.exit_code = exit_code  # type: ignore[assignment]


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most like `name`, or None when none is close."""
    import difflib

    by_folded = {candidate.casefold(): candidate for candidate in known}
    matches = difflib.get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.5)
    return by_folded[matches[0]] if matches else None


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return a sentence that points at the nearest known name, or lists them all."""
    names = sorted(known)
    close = nearest(name, names)
    if close is not None:
        return f"Did you mean '{close}'?"
    return f"Known: {', '.join(names)}." if names else ""
