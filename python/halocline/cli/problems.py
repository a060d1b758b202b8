# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Turns every error of a command into one sentence on stderr and an exit code."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from typing import Any

import typer

from halocline.cli.streams import finish_output, lost_output
from halocline.errors import ExitCode, HaloclineError, suggestion
from halocline.terminal import harmless_line, say

# typer has carried click inside since 0.26 and imported it before: this finds either.
ClickException: Any = next(
    base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException"
)
INTERRUPTED = 130
DEBUG_VARIABLE = "HALOCLINE_DEBUG"


def examples(*commands: str) -> str:
    """Return the help footer that shows `commands`, one a line."""
    return "\n\n".join(["[bold]Examples[/bold]", *(f"  {command}" for command in commands)])


def exit_code_of(command: Callable[[], object]) -> int:
    """Run a command; return its exit code after reporting what went wrong, if anything.

    What was printed has arrived when it returns, or the exit code says otherwise.
    """
    lost, code = finish_output(_outcome(command))
    return _report(lost, code)


def _outcome(command: Callable[[], object]) -> int:
    try:
        result = command()
        return result if isinstance(result, int) else ExitCode.OK
    except HaloclineError as error:
        return _report(str(error), int(error.exit_code))
    except ClickException as error:
        return _report(_usage_sentence(error), ExitCode.USAGE)
    except typer.Exit as stop:
        return stop.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return _report("stopped by the user.", INTERRUPTED)
    except (OSError, SystemExit) as error:  # the second from click and rich, on a broken pipe
        return _system_code(error)
    except Exception as error:  # noqa: BLE001 - the last resort before a traceback
        return _report_defect(error)


def _report(sentence: str, code: int) -> int:
    if sentence:
        start = "" if sentence.startswith("halocline") else "halocline: "
        with contextlib.suppress(OSError):  # nobody may be left to read it: the code still says all
            say(start + harmless_line(sentence), to_stderr=True)
    return code


def _system_code(error: OSError | SystemExit) -> int:
    if lost_output() and getattr(error, "filename", None) is None:
        return ExitCode.OK  # `finish_output` has the last word
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else ExitCode.RUN_FAILED
    return _report(_system_sentence(error), ExitCode.ENVIRONMENT)


def _system_sentence(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}. Check the path, its permissions and the free space."


def _report_defect(error: Exception) -> int:
    """A defect of halocline itself: one sentence, and the traceback for who asks for it."""
    if os.environ.get(DEBUG_VARIABLE):
        raise error
    sentence = (
        f"internal error, {type(error).__name__}: {error} (a defect of halocline). "
        f"Report it with the traceback that {DEBUG_VARIABLE}=1 prints."
    )
    return _report(sentence, ExitCode.RUN_FAILED)


def _usage_sentence(error: Any) -> str:
    """One sentence for a parse error; empty where the help page has been printed instead."""
    if type(error).__name__ == "NoArgsIsHelpError":
        return ""
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "halocline"
    return f"{path}: {_usage_problem(error, context)} (Usage: {path} --help.)"


def _usage_problem(error: Any, context: Any) -> str:
    option = getattr(error, "option_name", None)
    if option and type(error).__name__ == "NoSuchOption":
        return f"no such option {option}. {suggestion(option, _options(context))}"
    word = _unknown_command(error)
    if word and context is not None:
        return f"no verb '{word}'. {suggestion(word, context.command.commands)}"
    return " ".join(str(error.format_message()).split()).rstrip(".") + "."


def _unknown_command(error: Any) -> str | None:
    message = str(error.format_message())
    return message.split("'")[1] if message.startswith("No such command '") else None


def _options(context: Any) -> Iterable[str]:
    if context is None:
        return []
    names = [name for parameter in context.command.params for name in parameter.opts]
    return [name for name in names if name.startswith("-")]
