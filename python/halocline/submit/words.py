# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Text as one word of a shell, and names that every scheduler and file system takes."""

from __future__ import annotations

import re
import shlex

from markupsafe import Markup

NAME_LENGTH = 60
# What begins lines, and what a terminal obeys when it shows the script.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
SHELL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def shell_words(value: object) -> Markup:
    """Return a value as words of a shell script: text is quoted, so that it stays data.

    `Markup` is shell code on purpose, e.g. `shell_variable`, and passes as it is.
    """
    if isinstance(value, Markup):
        return value
    if isinstance(value, list | tuple):
        return Markup(" ").join(shell_words(item) for item in value)
    if isinstance(value, bool) or value is None:
        raise TypeError(f"{value!r} is not a word of a shell script")
    return Markup(_quoted(str(value)))  # noqa: S704 - quoted here


def _quoted(text: str) -> str:
    """Quote for bash.

    Control characters are spelt out: no text may begin a line of a script, where a scheduler
    could take it for a directive.
    """
    if not CONTROL.search(text):
        # A comma needs no quotes, but looks like a slip between words of an array.
        return f"'{text}'" if shlex.quote(text) == text and "," in text else shlex.quote(text)
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return "$'" + CONTROL.sub(_bytes_spelt_out, escaped) + "'"


def _bytes_spelt_out(found: re.Match[str]) -> str:
    """Spell out bytes: what bash makes of a code point depends on the locale."""
    return "".join(f"\\x{byte:02x}" for byte in found[0].encode())


def shell_variable(name: str) -> Markup:
    """Return `"$name"`: the one kind of expansion that scripts do."""
    if not SHELL_NAME.fullmatch(name):
        raise ValueError(f"'{name}' is not a name of a shell variable")
    return Markup(f'"${name}"')  # noqa: S704 - a name has no signs in it


def plain_name(text: str) -> str:
    """Return a job name from any text: letters, digits, `_`, `-` and `.`, a letter first."""
    name = re.sub(r"[^A-Za-z0-9_.-]+", "_", text).strip("_.-")[:NAME_LENGTH]
    return name if name[:1].isalpha() else f"job_{name}".rstrip("_")
