#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Doxygen's input filter: prints a header with what Doxygen wants and readers of the header do not.

The sentence at the top of a file becomes the file's documentation, and what a docstring at
namespace level documents joins the header's group. Words that begin a sentence are not names,
although classes are called `Values` or `Layout`. Lines keep their numbers.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from api_headers import group_of

# A capital letter at the beginning of a sentence, before another word; names have more of them.
FIRST_WORD = re.compile(r"(///<? |\. )(?=[A-Z][a-z]+ [a-z(])")


def filtered(text: str, group: str) -> str:
    """The header `text`, annotated for Doxygen, all that it documents in `group`."""
    lines = text.split("\n")
    at_top = True
    for place, line in enumerate(lines):
        at_top = at_top and line.startswith("//")
        if at_top:
            lines[place] = "/// @file" if place == 0 else "///" if place == 1 else f"/{line}"
        elif line.startswith("/// ") and not lines[place + 1].startswith("///"):
            lines[place] = f"{line} @ingroup {group}"
        if "///" in lines[place]:
            lines[place] = FIRST_WORD.sub(r"\1%", lines[place])
    return "\n".join(lines)


def _main() -> None:
    path = Path(sys.argv[1])
    header = path.as_posix().rpartition("src/")[2]
    sys.stdout.write(filtered(path.read_text(), group_of(header)))


if __name__ == "__main__":
    _main()
