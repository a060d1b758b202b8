# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command in the foreground, passes signals on and judges its exit code.

Every verb that launches does so here, but for `study` and `tune`, whose runs have a session and a
time limit each (limited_run.py). Nothing is left behind, however it ends: a command ends with us
(here), ranks end with their launcher (core/launcher.hpp).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType

from halocline.errors import ExitCode, MissingEnvironmentError

FORWARDED = (
    *(signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM),
    *(signal.SIGUSR1, signal.SIGUSR2),
)
# Launchers do not heed SIGQUIT: it would end them and leave their ranks.
PASSED_ON_AS = {signal.SIGQUIT: signal.SIGTERM}
PR_SET_PDEATHSIG = 1  # linux/prctl.h


def run_foreground(
    command: Sequence[str],
    environment: Mapping[str, str],
    output_to_stderr: bool = False,
    meanwhile: Callable[[], None] = lambda: None,
) -> int:
    """Run `command` with our terminal; return its exit code (negative: ended by that signal).

    Signals go to the command, which may stop early and say so with its exit code. Should we be
    killed without a chance to pass that on, the kernel asks the command to end (SIGTERM): a
    launcher then takes its ranks along. `meanwhile` is called once while the command starts: what
    a report needs can be loaded then.
    """
    stdout = sys.stderr.fileno() if output_to_stderr else None
    sys.stdout.flush()
    ending = ending_with_us()
    with _forwarding() as attach:
        try:
            process = subprocess.Popen(
                command,
                env={**os.environ, **environment},
                stdout=stdout,
                preexec_fn=ending,  # noqa: PLW1509 - calls the kernel, touches nothing of Python's
            )
        except OSError as error:
            raise MissingEnvironmentError(
                f"cannot start {command[0]} ({error.strerror}). Check that it is installed."
            ) from None
        attach(process)
        meanwhile()
        return process.wait()


def ending_with_us() -> Callable[[], None]:
    """Return what a child does before it becomes the command: it asks to end when we do."""
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    us, number = os.getpid(), int(signal.SIGTERM)

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, number, 0, 0, 0)
        if os.getppid() != us:  # we have ended already
            os.kill(os.getpid(), number)

    return ask


@contextmanager
def _forwarding() -> Iterator[Callable[[subprocess.Popen[bytes]], None]]:
    """Pass signals on to the process that is attached; those that come before it wait for it.

    Ctrl-C at a terminal reaches the command without us, and mpirun takes a second one as "kill at
    once". What we were told to ignore (nohup, background jobs) stays ignored, by the command, too.
    """
    from_terminal = sys.stdin is not None and sys.stdin.isatty()
    attached: list[subprocess.Popen[bytes]] = []
    early: list[int] = []

    def forward(number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGINT and from_terminal:
            return
        early.append(PASSED_ON_AS.get(signal.Signals(number), number))
        while attached and early:
            attached[0].send_signal(early.pop(0))

    def attach(process: subprocess.Popen[bytes]) -> None:
        attached.append(process)
        while early:
            process.send_signal(early.pop(0))

    heeded = [number for number in FORWARDED if signal.getsignal(number) != signal.SIG_IGN]
    previous = {number: signal.signal(number, forward) for number in heeded}
    try:
        yield attach
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def shell_exit_code(raw: int) -> int:
    """Return the code that a shell would show: 128 and the number of the signal that ended it."""
    return 128 - raw if raw < 0 else raw


def table_exit_code(raw: int) -> int:
    """Keep codes of the exit-code table; anything else, a signal too, is a failed run."""
    return raw if raw in set(ExitCode) else int(ExitCode.RUN_FAILED)
