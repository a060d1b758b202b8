#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the API reference with Doxygen: `api_reference.py FOLDER` writes FOLDER/index.html."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path

from api_headers import GROUPS, ROOT, public_headers

PAGES = ROOT / "docs" / "api"


def run_doxygen(folder: Path, inputs: Sequence[str], settings: Sequence[str]) -> str:
    """Runs Doxygen on `inputs` into `folder`; returns its warnings.

    Args:
        folder: made where it is missing.
        inputs: paths from the repository's root.
        settings: lines that are added to the Doxyfile.

    Raises:
        FileNotFoundError: Doxygen is not installed.
        subprocess.CalledProcessError: it failed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        (PAGES / "Doxyfile").read_text(),
        f'OUTPUT_DIRECTORY = "{folder}"',
        "INPUT = " + " ".join(inputs),
        *settings,
    ]
    done = subprocess.run(
        ["doxygen", "-"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return done.stderr


def _groups() -> list[tuple[str, str]]:
    """Name and title of each group, in the order of the menu."""
    return re.findall(r"@defgroup (\w+) (.+)", (PAGES / "groups.dox").read_text())


def _write_ladder(path: Path) -> None:
    """Writes the page of examples: Doxygen's own is a list without words."""
    found = re.findall(
        r"@example (\S+)\n \*  @details (.+?) \*/", (PAGES / "groups.dox").read_text()
    )
    rows = [f"| {_example_link(name)} | {words} |" for name, words in found]
    head = [
        "# Examples {#ladder}",
        "",
        "Each program has one new idea.",
        "",
        "| program | |",
        "|---|---|",
    ]
    path.write_text("\n".join([*head, *rows]) + "\n")


def _example_link(name: str) -> str:
    page = name.replace("/", "_2").replace(".", "_8")
    return f'<a href="{page}-example.html">{name.partition("/")[0]}</a>'


def _by_group(header: str) -> int:
    """Place of a header in a group's page: what users name comes first."""
    return next(place for place, (start, _) in enumerate(GROUPS) if header.startswith(start))


def _version() -> str:
    found = re.search(
        r"project\(halocline VERSION (\d[\d.]*)", (ROOT / "CMakeLists.txt").read_text()
    )
    return found.group(1) if found else ""


def _write_header(path: Path) -> None:
    links = [
        f'<a href="$relpath^group__{name}.html">{escape(title)}</a>' for name, title in _groups()
    ]
    path.write_text((PAGES / "header.html").read_text().replace("@groups@", "\n".join(links)))


# A parameter that Doxygen takes for the function of its name.
PARAMETER = re.compile(r'&amp;<a class="el" href="[^"]*#[^"]*">(\w+)</a>')


def _tidy(html: str) -> str:
    """Takes blanks out of template arguments, and links and blanks that mean nothing."""
    lines = html.split("\n")
    for place, line in enumerate(lines):
        if re.search(r'class="(mem|param|title)|<title>', line):
            close = line.replace("&lt; ", "&lt;").replace(" &gt;", "&gt;")
            lines[place] = PARAMETER.sub(r"&amp;\1", close).removeprefix("&#160;")
    return "\n".join(lines)


def build(folder: Path) -> str:
    """Builds the reference into `folder` and returns what Doxygen warned of."""
    folder.mkdir(parents=True, exist_ok=True)
    header = folder / "header.html.in"
    _write_header(header)
    ladder = folder / "ladder.md"
    _write_ladder(ladder)
    inputs = [f"src/{name}" for name in sorted(public_headers(), key=_by_group)]
    warnings = run_doxygen(
        folder,
        ["docs/api/main.md", str(ladder), "docs/api/groups.dox", *inputs],
        [
            f'HTML_HEADER = "{header}"',
            f'PROJECT_NUMBER = "{_version()}"',
            "USE_MDFILE_AS_MAINPAGE = docs/api/main.md",
        ],
    )
    header.unlink()
    ladder.unlink()
    for page in folder.glob("*.html"):
        page.write_text(_tidy(page.read_text(encoding="utf-8")), encoding="utf-8")
    with (folder / "search" / "search.css").open("a") as sheet:
        sheet.write((PAGES / "search.css").read_text())
    return warnings


if __name__ == "__main__":
    sys.stderr.write(build(Path(sys.argv[1]).resolve()))
