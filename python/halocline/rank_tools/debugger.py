# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What gdb does where it has no user: to run the program, and to end as the program did.

gdb's own exit code will not do: it is 1 where the last command fails, as `backtrace` does after a
program that ended well ("No stack."), and 255 after any signal, also with --return-child-result.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

COMMAND = re.compile(r"--?(?:ex|eval-command)(?:=(.*))?", re.DOTALL)
COMMAND_FILE = re.compile(r"--?(?:x|command)(?:=.*)?", re.DOTALL)
#: Commands after which there is a process, or what is left of one.
STARTING = ("r", "run", "start", "starti", "target", "attach", "core", "core-file")
STACKS = ("-ex", "thread apply all backtrace")
#: The program's exit code, or 128 and the signal that stopped or ended it; gdb's own error where it
#: never ran. Expressions are C's, whatever the program is written in.
SIGNAL = "($_isvoid($_exitsignal) ? $_siginfo.si_signo : $_exitsignal)"
QUIT = f"quit $_isvoid($_exitcode) ? 128 + {SIGNAL} : $_exitcode"
RESULT = ("-ex", "set language c", "-ex", "set confirm off", "-ex", QUIT)


def commands_of(words: Sequence[str]) -> list[str] | None:
    """Return what the options of gdb tell it to do; None where a file does."""
    if any(COMMAND_FILE.fullmatch(word) for word in words):
        return None
    found = []
    for word, follower in zip(words, [*words[1:], ""], strict=True):
        match = COMMAND.fullmatch(word)
        if match is not None:
            found.append(follower if match[1] is None else match[1])
    return [command for command in found if command.strip()]


def words_to_start(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what goes before and behind the options of gdb where it starts the program."""
    given = commands_of(words)
    if given == []:
        return ("-ex", "run"), (*STACKS, *RESULT)
    starts = given is None or any(command.split(maxsplit=1)[0] in STARTING for command in given)
    return () if starts else ("-ex", "run"), RESULT


def words_to_attach(words: Sequence[str]) -> tuple[str, ...]:
    """Return what follows them where the program runs already: all stacks by default."""
    return STACKS if commands_of(words) == [] else ()
