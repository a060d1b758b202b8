# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Plain text for a terminal: results on stdout, notes and errors on stderr, nothing that acts.

A terminal obeys control characters, and shows text that turns its direction as something else.
Titles, file names and error texts of others may hold both; `screen` does the same for tables.
"""

from __future__ import annotations

import re
import sys

# Controls but tab and line feed; marks that turn or break lines of Unicode text; halves of
# surrogate pairs, by which Python carries file names that are not UTF-8.
ACTIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def harmless(text: str) -> str:
    r"""Return `text` with every character that a terminal would obey spelt out, e.g. `\x1b`."""
    return ACTIVE.sub(_spelt_out, text)


def harmless_line(text: str) -> str:
    """Return the same as one line: a line feed is spelt out, too."""
    return harmless(text).replace("\n", "\\x0a")


def harmless_json(text: str) -> str:
    """Return JSON text with such characters as JSON's own escapes; it means the same."""
    return ACTIVE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _spelt_out(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def say(text: str, end: str = "\n", *, to_stderr: bool = False) -> None:
    """Print text at once."""
    print(harmless(text), end=end, file=sys.stderr if to_stderr else sys.stdout, flush=True)


def note(sentence: str) -> None:
    """Tell the user something beside the result, on stderr."""
    say(f"halocline: {harmless_line(sentence)}", to_stderr=True)


class StatusLine:
    """A line on stderr that is written anew again and again, where that is a terminal."""

    def __init__(self) -> None:
        self.is_live = sys.stderr.isatty()
        self._is_shown = False

    def show(self, sentence: str) -> None:
        """Show this in place of what stood there; nothing where no terminal is."""
        if self.is_live:
            self.clear()
            say(f"halocline: {harmless_line(sentence)}", end="", to_stderr=True)
            self._is_shown = True

    def clear(self) -> None:
        """Leave an empty line."""
        if self._is_shown:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)
            self._is_shown = False
