#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Doxygen's input filter: prints a header with what Doxygen wants and readers of the header do not.

The sentence at the top of a file becomes the file's documentation, and what a docstring at
namespace level documents joins the header's group. Lines keep their numbers.
"""

from __future__ import annotations

import sys
from pathlib import Path

from api_headers import group_of


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
    return "\n".join(lines)


def _main() -> None:
    path = Path(sys.argv[1])
    header = path.as_posix().rpartition("src/")[2]
    sys.stdout.write(filtered(path.read_text(), group_of(header)))


if __name__ == "__main__":
    _main()
