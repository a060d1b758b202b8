#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Keeps the pages true: links resolve, the path of one flux exists, quoted code is code we compile.

* Every relative link of every page leads to a file, and its #anchor to a heading there.
* Every row of "The path of one flux" in ARCHITECTURE.md names a file and a function that is in it.
* Every path of "Layers" and of "Where new things go" there is one; <…> stands for any name.
* Every row of "Where new things go" names a path, and every name in it is defined in a source.
* Every file of INDEXED has a link in the README.md of its folder.
* Every ```cpp block of the pages in QUOTING_PAGES stands, line after line, in a file of examples/.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

QUOTING_PAGES = ("README.md", "docs/start/first_run.md")
TOP_PAGES = ("README.md", "ARCHITECTURE.md", "AGENTS.md", "CONTRIBUTING.md", "CHANGELOG.md")
PAGE_FOLDERS = ("docs", "examples", "changes", "data")
LINK = re.compile(r"\]\(([^()\s]+)\)")
PLACE = re.compile(r"`([\w.]*[\w<>]+/[\w.<>/]*)`")
INDEXED = (
    ("docs/decisions", "[0-9]*.md"),
    ("examples/cases", "*.toml"),
    ("examples/studies", "*.toml"),
)
NEW_THINGS = "## Where new things go"
NAME = re.compile(r"`([\w.]*\w)(?:\(\))?`")
SOURCE_FOLDERS = ("src", "python", "tests", "examples")
SOURCE_ENDS = (".cpp", ".hpp", ".in", ".py", ".txt")
# Where paths of ARCHITECTURE.md start.
ROOTS = ("", "src/halocline", "python/halocline")
ROW = re.compile(r"^\| *\d+ *\| *`([^`]+)` *\| *`([^`]+)` *\|")


def pages_of(root: Path) -> Iterator[Path]:
    """Yields every Markdown page that users read."""
    yield from (root / name for name in TOP_PAGES if (root / name).exists())
    for folder in PAGE_FOLDERS:
        yield from sorted((root / folder).rglob("*.md"))


def anchor_of(heading: str) -> str:
    """The anchor that GitHub and GitLab give a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def anchors_of(page: Path) -> set[str]:
    """Anchors of all headings of a page."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return {anchor_of(line.lstrip("#")) for line in lines if line.startswith("#")}


def link_faults(root: Path) -> Iterator[str]:
    """Yields one sentence for each relative link that leads nowhere."""
    for page in pages_of(root):
        outside_code = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in LINK.findall(outside_code):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            where = f"{page.relative_to(root)}: link {target}"
            if not file.exists():
                yield f"{where} leads to no file"
            elif anchor and file.suffix == ".md" and anchor not in anchors_of(file):
                yield f"{where}: {file.name} has no such heading"


def path_faults(root: Path) -> Iterator[str]:
    """Yields one sentence for each row of the path of one flux that is not so."""
    text = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = text.partition("## The path of one flux")[2].partition("\n## ")[0]
    rows = [match.groups() for match in map(ROW.match, section.splitlines()) if match]
    if not rows:
        yield "ARCHITECTURE.md: the table 'The path of one flux' has no rows"
    for file, function in rows:
        path = root / file
        if not path.is_file():
            yield f"ARCHITECTURE.md: the path of one flux names {file}, which does not exist"
        elif not re.search(rf"\b{re.escape(function)}\b *[({{]", path.read_text(encoding="utf-8")):
            yield f"ARCHITECTURE.md: the path of one flux names {function}, not found in {file}"


def place_faults(root: Path) -> Iterator[str]:
    """Yields one sentence for each place that ARCHITECTURE.md sends readers to in vain."""
    text = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for heading in ("## Layers", NEW_THINGS):
        section = text.partition(heading)[2].partition("\n## ")[0]
        for place in PLACE.findall(section):
            pattern = re.sub(r"<\w+>|NN_name", "*", place).rstrip("/")
            if not any(any(root.glob(f"{start}/{pattern}".lstrip("/"))) for start in ROOTS):
                yield f"ARCHITECTURE.md: '{heading[3:]}' names {place}, which does not exist"


def is_defined(name: str, files: dict[str, str]) -> bool:
    """Whether there is a file of this name, or a source that defines it or has it as a word."""
    if Path(name).suffix in SOURCE_ENDS:
        return any(Path(file).name == name for file in files)
    last = re.escape(name.rpartition(".")[2])
    definition = re.compile(
        rf"\b(?:class|struct|def) {last}\b|^{last}\b|\b{last}\(|\"{last}\"|\({last} ", re.MULTILINE
    )
    return any(definition.search(text) for text in files.values())


def name_faults(root: Path) -> Iterator[str]:
    """Yields one sentence for each row on new things without a place or with a name of nothing."""
    text = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = [
        line
        for line in text.partition(NEW_THINGS)[2].partition("\n## ")[0].splitlines()
        if line.startswith("| ") and not line.startswith("| new |")
    ]
    files = {
        str(path): path.read_text(encoding="utf-8")
        for folder in SOURCE_FOLDERS
        for path in sorted((root / folder).rglob("*"))
        if rows and path.suffix in SOURCE_ENDS and path.is_file()
    }
    for row in rows:
        what = row.split("|")[1].strip()
        if not PLACE.search(row):
            yield f"ARCHITECTURE.md: '{what}' goes to no path"
        for name in NAME.findall(row):
            if not is_defined(name, files):
                yield f"ARCHITECTURE.md: '{what}' names {name}, which no source defines"


def code_faults(root: Path) -> Iterator[str]:
    """Yields one sentence for each quoted block that no example holds."""
    sources = [
        path.read_text(encoding="utf-8") for path in sorted((root / "examples").rglob("*.cpp"))
    ]
    for name in QUOTING_PAGES:
        page = root / name
        blocks = re.findall(r"```cpp\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for block in blocks:
            if not any(block in source for source in sources):
                yield f"{name}: no example holds the code that starts '{block.splitlines()[0]}'"


def index_faults(root: Path) -> Iterator[str]:
    """Yields one sentence for each file that the table of its folder leaves out."""
    for folder, pattern in INDEXED:
        index = root / folder / "README.md"
        if not index.is_file():
            continue
        listed = set(LINK.findall(index.read_text(encoding="utf-8")))
        for file in sorted((root / folder).glob(pattern)):
            if file.name not in listed:
                yield f"{folder}/README.md: its table has no row for {file.name}"


CHECKS: tuple[Callable[[Path], Iterator[str]], ...] = (
    link_faults,
    path_faults,
    place_faults,
    name_faults,
    code_faults,
    index_faults,
)


def make_tree(root: Path, changes: dict[str, str]) -> None:
    """Writes a small sound tree, then `changes` over it."""
    files = {
        "README.md": "# A\n[b](docs/b.md#part-two)\n```cpp\nint x();\n```\n",
        "docs/start/first_run.md": "[up](../../README.md#a)\n",
        "docs/b.md": "# B\n## Part two\n",
        "ARCHITECTURE.md": "## The path of one flux\n| 1 | `examples/a.cpp` | `x` | it |\n",
        "examples/a.cpp": "// first\nint x();\n",
    }
    for name, text in (files | changes).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def self_test() -> list[str]:
    """Returns the faults that this script fails to notice, or sees where there are none."""
    cases: dict[str, tuple[dict[str, str], int]] = {
        "sound": ({}, 0),
        "missing file": ({"docs/b.md": "[c](c.md)\n## Part two\n"}, 1),
        "missing heading": ({"docs/b.md": "# B\n"}, 1),
        "longer name": ({"examples/a.cpp": "int xy();\n"}, 2),
        "renamed function": (
            {"ARCHITECTURE.md": "## The path of one flux\n| 1 | `examples/a.cpp` | `y` | it |\n"},
            1,
        ),
        "missing path file": (
            {"ARCHITECTURE.md": "## The path of one flux\n| 1 | `src/a.cpp` | `x` | it |\n"},
            1,
        ),
        "missing place": (
            {
                "ARCHITECTURE.md": "## The path of one flux\n| 1 | `examples/a.cpp` | `x` | it |\n"
                "## Where new things go\n| a | `examples/<name>.cpp`, `examples/b/` |\n"
            },
            1,
        ),
        "missing name": (
            {
                "ARCHITECTURE.md": "## The path of one flux\n| 1 | `examples/a.cpp` | `x` | it |\n"
                "## Where new things go\n| a | `examples/a.cpp`, `x()` | `y`, `a.cpp`, `b.cpp` |\n"
            },
            2,
        ),
        "new thing without a place": (
            {
                "ARCHITECTURE.md": "## The path of one flux\n| 1 | `examples/a.cpp` | `x` | it |\n"
                "## Where new things go\n| a | `x` | b |\n"
            },
            1,
        ),
        "no table": ({"ARCHITECTURE.md": "nothing\n"}, 1),
        "decision left out": (
            {"docs/decisions/README.md": "# D\n", "docs/decisions/0001-a.md": "# A\n"},
            1,
        ),
        "changed code": ({"README.md": "# A\n```cpp\nint z();\n```\n"}, 1),
    }
    problems = []
    for name, (changes, expected) in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            make_tree(Path(folder), changes)
            found = [fault for check in CHECKS for fault in check(Path(folder))]
            if len(found) != expected:
                problems.append(f"self-test '{name}': {len(found)} faults, not {expected}: {found}")
    return problems


def main() -> int:
    """Prints the faults; returns 1 when there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--self-test", action="store_true", help="check the checker")
    options = parser.parse_args()
    root = options.root.resolve()
    faults = (
        self_test() if options.self_test else [fault for check in CHECKS for fault in check(root)]
    )
    print("\n".join(faults) if faults else "pages: links, paths and quoted code are true")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
