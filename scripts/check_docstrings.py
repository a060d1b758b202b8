#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when a public name of the library has no docstring.

Public are the headers that `scripts/api_headers.py` finds, and in them all that programs can name:
not what lies in a namespace `detail`, not what is deleted, defaulted, moved or overridden, and no
operators but calls and subscripts. Doxygen reads the headers, the same way as for `make docs`. Runs
in `make lint` and as a test; exits with 77 where Doxygen is missing.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from api_headers import SOURCES, public_headers
from api_reference import run_doxygen

SETTINGS = (
    "GENERATE_HTML = NO",
    "GENERATE_XML = YES",
    "XML_PROGRAMLISTING = NO",
    "EXTRACT_ALL = YES",
    "HIDE_UNDOC_MEMBERS = NO",
    "HIDE_UNDOC_CLASSES = NO",
    "EXAMPLE_PATH =",
    "FILTER_PATTERNS =",
    "LAYOUT_FILE =",
)
COMPOUNDS = ("class", "struct", "union", "concept")
MEMBERS = ("function", "variable", "typedef", "enum", "define")
TEXTS = ("briefdescription", "detaileddescription", "inbodydescription")


def undocumented(sources: Path) -> tuple[int, list[tuple[str, int, str]]]:
    """Number of public names below `sources`; header, line and name of those without docstring."""
    with tempfile.TemporaryDirectory() as folder:
        inputs = [str(sources / name) for name in public_headers(sources)]
        run_doxygen(Path(folder), inputs, [*SETTINGS, f'STRIP_FROM_PATH = "{sources}"'])
        names = {
            (header, line, name): has_text
            for path in (Path(folder) / "xml").glob("*.xml")
            # Doxygen wrote it a moment ago.
            for header, line, name, has_text in _names(ElementTree.parse(path).getroot())  # noqa: S314
        }
    return len(names), sorted(place for place, has_text in names.items() if not has_text)


def _names(root: ElementTree.Element) -> Iterator[tuple[str, int, str, bool]]:
    for compound in root.findall("compounddef"):
        scope = compound.findtext("compoundname") or ""
        if "detail" in scope.split("::") or compound.get("prot") == "private":
            continue
        if "<" in scope:  # a specialisation is what its template says
            continue
        if compound.get("kind") in COMPOUNDS:
            yield *_place(compound), scope, _has_text(compound)
        if compound.get("kind") in (*COMPOUNDS[:3], "namespace", "file"):
            inner = "" if compound.get("kind") == "file" else f"{scope}::"
            for member in compound.iter("memberdef"):
                if _counts(member):
                    yield (
                        *_place(member),
                        inner + (member.findtext("name") or ""),
                        _has_text(member),
                    )


def _counts(member: ElementTree.Element) -> bool:
    name = member.findtext("name") or ""
    arguments = member.findtext("argsstring") or ""
    if member.get("prot") != "public" or member.get("kind") not in MEMBERS:
        return False
    if "@" in name or "<" in name:  # no name at all; a specialisation
        return False
    if name.startswith("operator") and name not in ("operator()", "operator[]"):
        return False
    # What overrides inherits its docstring; copying and moving mean what they mean everywhere.
    if member.find("reimplements") is not None or f"{name}&&" in arguments.replace(" ", ""):
        return False
    return not (name.startswith("~") or arguments.endswith(("=delete", "=default")))


def _place(element: ElementTree.Element) -> tuple[str, int]:
    location = element.find("location")
    place = {} if location is None else location.attrib
    # The declaration counts: a definition further down needs no second docstring.
    header = place.get("declfile") or place.get("file") or ""
    return header, int(place.get("declline") or place.get("line") or 0)


def _has_text(element: ElementTree.Element) -> bool:
    found = (element.find(tag) for tag in TEXTS)
    return any("".join(text.itertext()).strip() for text in found if text is not None)


def _faults(sources: Path) -> tuple[int, list[str]]:
    count, missing = undocumented(sources)
    faults = [
        f"src/{header}:{line}: {name} has no docstring (programs can name it). Say what it is."
        for header, line, name in missing
    ]
    return count, faults


SELF_TEST = """// A header with two names.
#pragma once
namespace halocline {
/// Has a docstring.
int documented();
int undocumented();
namespace detail {
int internal();
}
}  // namespace halocline
"""


def _self_test() -> int:
    with tempfile.TemporaryDirectory() as folder:
        header = Path(folder) / "halocline" / "halocline.hpp"
        header.parent.mkdir()
        header.write_text(SELF_TEST)
        count, missing = undocumented(Path(folder))
    expected = [("halocline/halocline.hpp", 6, "halocline::undocumented")]
    if (count, missing) != (2, expected):
        print(f"self-test FAILED: found {missing} of {count} names, not {expected} of 2")
        return 1
    print("self-test: the undocumented name is reported, the others are not")
    return 0


def main() -> int:
    """Checks, prints faults, and returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--self-test", action="store_true", help="check that a fault is found")
    arguments = parser.parse_args()
    if shutil.which("doxygen") is None:
        print(
            "docstrings are not checked: doxygen is missing (it reads the headers). "
            "scripts/bootstrap.sh --docs installs it."
        )
        return 77
    if arguments.self_test:
        return _self_test()
    count, faults = _faults(SOURCES)
    for fault in faults:
        print(fault)
    print(f"{count} public names in {len(public_headers())} headers, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
