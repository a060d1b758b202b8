# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""One `--tool 'WORDS:RANKS'`: read, checked, and made into the words of a rank."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import MissingEnvironmentError, UsageError
from halocline.preload.launch_line import resolve_program
from halocline.rank_tools.debugger import words_to_attach, words_to_start
from halocline.rank_tools.kinds import FILE, Kind, kind_of
from halocline.rank_tools.rank_set import AT_THE_END, RankSet, read_rank_set

#: Replaced in the words of a tool, on each rank.
PLACEHOLDERS = ("{rank}", "{local}", "{size}", "{host}", "{pid}", FILE)


@dataclass(frozen=True)
class Tool:
    """A program for chosen ranks."""

    given: str
    words: tuple[str, ...]
    ranks: RankSet
    #: Name of its files, another for each tool of a job.
    name: str

    @property
    def program(self) -> str:
        """The word that starts it."""
        return self.words[0]

    @property
    def kind(self) -> Kind:
        """What is known of it."""
        return kind_of(self.program)

    @property
    def wants_terminal(self) -> bool:
        """Whether it is a debugger that waits for its user's words."""
        kind = self.kind
        return kind.is_debugger and not any(word in kind.quiet_words for word in self.words)

    @property
    def names_its_files(self) -> bool:
        """Whether the user's words say where it writes."""
        return self.kind.writes_itself(self.words[1:]) or any(FILE in word for word in self.words)

    @property
    def prints(self) -> bool:
        """Whether its output is what it prints, together with the program's."""
        return not self.wants_terminal and not self.names_its_files and not self._output()

    def start_words(self) -> tuple[str, ...]:
        """Return the words to put before a program."""
        first, last = words_to_start(self.words[1:]) if self._is_told_by_us else ((), ())
        return (*self._own_words(first), *last, *self.kind.before_program)

    def attach_words(self, pid: int) -> tuple[str, ...]:
        """Return the words that attach it to a process."""
        if any("{pid}" in word for word in self.words):
            return self._own_words()
        attach = self.kind.attach
        if attach is None:
            raise UsageError(
                f"--tool '{self.given}': {Path(self.program).name} is not known to attach to a "
                "process that runs. Put {pid} where it takes one, or start the job under it."
            )
        last = words_to_attach(self.words[1:]) if self._is_told_by_us else ()
        return (*self._own_words(), *attach, str(pid), *last)

    @property
    def _is_told_by_us(self) -> bool:
        """Whether it is a gdb without a user."""
        is_debugger = self.kind.is_debugger and not self.wants_terminal
        return is_debugger and not self.program.endswith("lldb")

    def _output(self) -> tuple[str, ...]:
        return self.kind.output(self.words[1:])

    def _own_words(self, first: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The user's words with `first`, and the file of the rank unless they name files."""
        added = () if self.names_its_files else self._output()
        cut = 2 if self.kind.has_verb and len(self.words) > 1 else 1
        return (*self.words[:cut], *added, *first, *self.words[cut:])


def read_tools(given: Sequence[str], *, installed: bool = True) -> list[Tool]:
    """Return the tools of a command line, in its order.

    Args:
        given: what each `--tool` says.
        installed: each must be installed here, not only where the ranks will run.
    """
    if not given:
        raise UsageError(
            "no tool is given (nothing would be done to the launch line). "
            "Name one and its ranks: --tool 'valgrind:0-3'."
        )
    tools: list[Tool] = []
    for text in given:
        tool = _read_tool(text, {known.name for known in tools})
        if installed:
            _require(tool)
        tools.append(tool)
    return tools


def _read_tool(text: str, taken: set[str]) -> Tool:
    found = AT_THE_END.fullmatch(text.strip())
    words = _words(found["tool"] if found else text, text)
    if words and "/" in words[0]:  # ranks may start in another folder
        words = (str(Path(words[0]).absolute()), *words[1:])
    if not words:
        raise UsageError(f"--tool '{text}' names no program. Write e.g. --tool 'valgrind:0-3'.")
    if found is None and ":" in text:
        _refuse_list(text)
    base = Path(words[0]).name
    name = next(
        candidate
        for number in range(1, len(taken) + 2)
        if (candidate := base if number == 1 else f"{base}-{number}") not in taken
    )
    return Tool(text, words, read_rank_set(found["ranks"] if found else "all", text), name)


def _refuse_list(text: str) -> None:
    """A colon after the last blank separates ranks; elsewhere it is the tool's own."""
    end = text.rpartition(":")[2]
    if " " not in end.strip():
        raise UsageError(
            f"--tool '{text}': '{end}' is not a list of ranks. Write e.g. 0, 0-3,7, all, local:0 "
            "or exclusive after the last colon, or add :all where that colon is the tool's own."
        )


def _words(text: str, given: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise UsageError(f"--tool '{given}' cannot be split into words ({error}).") from None


def _require(tool: Tool) -> None:
    if resolve_program(tool.program) is None:
        raise MissingEnvironmentError(
            f"--tool '{tool.given}': there is no program '{tool.program}' (no file, and not on the "
            f"PATH). Install it, e.g. apt-get install {Path(tool.program).name}, or name "
            "its path."
        )
