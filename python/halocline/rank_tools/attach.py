# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Attaches tools to ranks that run on this host, one process a rank at the same time."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import ExitCode, UsageError
from halocline.files.lock import Place, locked
from halocline.launch.process import run_foreground, shell_exit_code
from halocline.rank_tools.kinds import FILE
from halocline.rank_tools.launching import prepare_folder
from halocline.rank_tools.report import TOOL_REPORT, ToolReport
from halocline.rank_tools.running import RunningRank, running_ranks
from halocline.rank_tools.summary import REPORT_NAME, summarised
from halocline.rank_tools.tool import Tool, read_tools

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class Attachment:
    """Tools and the processes that each goes to."""

    target: str
    tools: list[Tool]
    chosen: list[tuple[Tool, RunningRank]]
    folder: Path

    def commands(self) -> list[tuple[Path, list[str]]]:
        """Return for each tool and rank its file, without ending, and its words."""
        made = []
        for tool, rank in self.chosen:
            file = self.folder / f"{tool.name}.{rank.rank}"
            words = [_filled(word, rank, file) for word in tool.attach_words(rank.pid)]
            made.append((file, words))
        return made

    def shell_lines(self) -> list[str]:
        """Return the commands as one could type them."""
        return [shlex.join(words) for _, words in self.commands()]


def plan_attachment(target: str, given: Sequence[str], folder: Path) -> Attachment:
    """Find processes and decide what goes to each; change nothing."""
    tools = read_tools(given)
    ranks = running_ranks(target)
    chosen = []
    for tool in tools:
        own = [(tool, rank) for rank in ranks if tool.ranks.has(rank.rank, rank.local)]
        if not own:
            here = ", ".join(str(rank.rank) for rank in ranks)
            raise UsageError(
                f"--tool '{tool.given}' names no rank that runs here (there are {here}). "
                "Correct the list."
            )
        chosen += own
    if len(chosen) > 1 and any(tool.wants_terminal for tool, _ in chosen):
        raise UsageError(
            "a debugger that asks its user takes the terminal for one rank (there are more tools "
            "or ranks). Choose one rank, or give it --batch."
        )
    return Attachment(target, tools, chosen, folder.absolute())


def _filled(word: str, rank: RunningRank, file: Path) -> str:
    values = {
        "{rank}": rank.rank,
        "{local}": rank.local,
        "{size}": "" if rank.size is None else rank.size,
        "{pid}": rank.pid,
        "{host}": os.uname().nodename,
        FILE: file,
    }
    for name, value in values.items():
        word = word.replace(name, str(value))
    return word


def attach(plan: Attachment) -> ToolReport:
    """Attach, wait for all tools, and return what they said; code 5 where one failed."""
    with locked(Place(plan.folder, "with", what=f"files of tools to {plan.folder}")):
        prepare_folder(plan.folder)
        host = os.uname().nodename
        for (file, _), (_, rank) in zip(plan.commands(), plan.chosen, strict=True):
            file.with_name(f"{file.name}.started").write_text(f"{host} {rank.pid}\n")
        code = _terminal(plan) if plan.chosen[0][0].wants_terminal else _together(plan)
        words = ["--attach", plan.target]
        report = summarised(plan.folder, words, plan.tools, code)
        TOOL_REPORT.write(report, plan.folder / REPORT_NAME)
    return report


def _terminal(plan: Attachment) -> int:
    (_, words), *_ = plan.commands()
    return shell_exit_code(run_foreground(words, {}))


def _together(plan: Attachment) -> int:
    """Tools that watch until they are told to stop get our signals, detach, and write their end."""
    started: list[subprocess.Popen[bytes]] = []
    with contextlib.ExitStack() as files, _passed_on(started):
        for (file, words), (tool, _) in zip(plan.commands(), plan.chosen, strict=True):
            printed = subprocess.DEVNULL
            if tool.prints:
                log = file.with_name(f"{file.name}.log")
                printed = files.enter_context(log.open("wb"))  # type: ignore[assignment]
            started.append(
                subprocess.Popen(
                    words, stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT
                )
            )
        codes = [process.wait() for process in started]
    ended = (0, -signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP)
    return int(ExitCode.OK) if all(code in ended for code in codes) else int(ExitCode.RUN_FAILED)


@contextlib.contextmanager
def _passed_on(started: Sequence[subprocess.Popen[bytes]]) -> Iterator[None]:
    from_terminal = sys.stdin is not None and sys.stdin.isatty()

    def pass_on(number: int, _frame: object) -> None:
        if number == signal.SIGINT and from_terminal:
            return  # Ctrl-C reaches the tools without us
        for process in started:
            process.send_signal(number)

    before = {number: signal.signal(number, pass_on) for number in ENDINGS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
