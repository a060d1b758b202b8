# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command in the foreground, passes signals on and judges its exit code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FrameType

from halocline.errors import ExitCode, MissingEnvironmentError

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)


def run_foreground(
    command: Sequence[str],
    environment: Mapping[str, str],
    output_to_stderr: bool = False,
    meanwhile: Callable[[], None] = lambda: None,
) -> int:
    """Run `command` with our terminal; return its exit code (negative: ended by that signal).

    Signals go to the command, which may stop early and say so with its exit code. Ctrl-C at a
    terminal reaches it without us, and mpirun takes a second one as "kill at once". `meanwhile`
    is called once while the command starts: what a report needs can be loaded then.
    """
    stdout = sys.stderr.fileno() if output_to_stderr else None
    sys.stdout.flush()
    try:
        process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=stdout)
    except OSError as error:
        raise MissingEnvironmentError(
            f"cannot start {command[0]} ({error.strerror}). Check that it is installed."
        ) from None

    from_terminal = sys.stdin is not None and sys.stdin.isatty()

    def forward(number: int, _frame: FrameType | None) -> None:
        if not (number == signal.SIGINT and from_terminal):
            process.send_signal(number)

    previous = {number: signal.signal(number, forward) for number in FORWARDED}
    try:
        meanwhile()
        return process.wait()
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def table_exit_code(raw: int) -> int:
    """Keep codes of the exit-code table; anything else, a signal too, is a failed run."""
    return raw if raw in set(ExitCode) else int(ExitCode.RUN_FAILED)
