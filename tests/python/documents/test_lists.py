# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Pages and help texts that list all of something list all of it, and nothing that is gone.

What there is comes from where it is made: the library's names (`halocline-solve --names`, which a
test keeps beside the library), folders of the sources, tables of this package.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pytest
from halocline.case.model import Shape
from halocline.case.names import names
from halocline.cli.app import VERBS
from halocline.halo.result import SCHEMES
from halocline.mesh.imports.formats import READERS
from halocline.p2p.page import PATHS

TOP = Path(__file__).parents[3]
LIBRARY = TOP / "src" / "halocline"
SCHEMA = TOP / "apps" / "solve" / "case.schema.json"
WORD = re.compile(r'`"?(\.?[a-z0-9][a-z0-9_-]*|[A-Z0-9]+)"?`')

HOST_SCHEMES = sorted(
    file.stem for file in (LIBRARY / "dist" / "exchange" / "halo_schemes").glob("*.cpp")
)
ALL_SCHEMES = [name for name in names("parallel.halo_scheme") if name != "default"]
DEVICE_SCHEMES = [name for name in ALL_SCHEMES if name not in {"auto", *HOST_SCHEMES}]
METHODS = [name for name in names("parallel.partitioner_method") if name != "auto"]
LAYERS = [path.parent.name for path in LIBRARY.glob("*/CMakeLists.txt")]


@dataclass(frozen=True)
class Listing:
    """A place of a page that lists all of `words`.

    The place is the column of the line that begins with `begins`, or, where `table` says so, of all
    rows below that line.
    """

    page: str
    begins: str
    words: Iterable[str]
    column: int = 1
    table: bool = False

    def listed(self, text: str) -> set[str]:
        """The words that a page's text has there."""
        lines = text.splitlines()
        (start,) = (i for i, line in enumerate(lines) if line.startswith(self.begins))
        rows = [lines[start]]
        if self.table:
            below = lines[start + 2 :]  # under the rule below the header
            end = next((i for i, line in enumerate(below) if not line.startswith("|")), len(below))
            rows = below[:end]
        if not lines[start].startswith("|"):
            return set(WORD.findall(lines[start]))
        cells = (re.split(r"(?<!\\)\|", row)[self.column] for row in rows)
        return {word for cell in cells for word in WORD.findall(cell)}

    def faults(self, text: str) -> list[str]:
        """A sentence for each word that is missing or too many."""
        there, wanted = self.listed(text), set(self.words)
        place = f"{self.page}, '{self.begins}'"
        return [
            *(f"{place}: {word} is missing" for word in sorted(wanted - there)),
            *(f"{place}: there is no {word}" for word in sorted(there - wanted)),
        ]


def of_case_keys() -> Iterable[Listing]:
    """Keys of a case that take one of several words, as its schema has them."""
    sections: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]
    for section, content in sections.items():
        submit = section == "SubmitSection"
        page, column = ("docs/submit.md", 3) if submit else ("docs/case_file.md", 2)
        if section == "PictureSection":
            continue  # its page shows it by examples
        for key, value in content["properties"].items():
            choices = [value, *value.get("anyOf", [])]
            words = [word for choice in choices for word in choice.get("enum", [])]
            if words:
                yield Listing(page, f"| `{key}` |", words, column)


LISTINGS = [
    *of_case_keys(),
    Listing("docs/partitioning.md", "| `-m` | `-r`", names("parallel.partitioner"), table=True),
    Listing("docs/partitioning.md", "| `-m` | `-r`", METHODS, column=2, table=True),
    Listing(
        "docs/mgcfd.md", "| `-m`, `--partitioner NAME`", names("parallel.partitioner"), column=2
    ),
    Listing(
        "docs/mgcfd.md",
        "| `-r`, `--partitioner-method",
        names("parallel.partitioner_method"),
        column=2,
    ),
    Listing("docs/mgcfd.md", "| `--backend NAME`", names("parallel.backend"), column=2),
    Listing("docs/mgcfd.md", "| `--device WORD`", names("parallel.device"), column=2),
    Listing("docs/mgcfd.md", "| `--halo-scheme NAME`", ALL_SCHEMES, column=2),
    Listing("docs/halo-exchange.md", "| `--halo-scheme`", [*HOST_SCHEMES, "auto"], table=True),
    Listing("docs/device-halos.md", "| scheme | on the device", DEVICE_SCHEMES, table=True),
    Listing("docs/device-halos.md", "| scheme | copies", DEVICE_SCHEMES, table=True),
    Listing("docs/halo.md", "| scheme | copies", [*DEVICE_SCHEMES, "host"], table=True),
    Listing("docs/devices.md", "| `HALOCLINE_BACKEND`", names("parallel.backend"), column=2),
    Listing("docs/devices.md", "| `HALOCLINE_DEVICE` ", names("parallel.device"), column=2),
    Listing("docs/devices.md", "| `HALOCLINE_HALO`", [*DEVICE_SCHEMES, *HOST_SCHEMES], column=2),
    Listing("examples/README.md", "`HALOCLINE_BACKEND` is", names("parallel.backend")),
    Listing("docs/linalg.md", "| `method`", names("incompressible.method"), column=2),
    Listing(
        "docs/linalg.md", "| `preconditioner`", names("incompressible.preconditioner"), column=2
    ),
    Listing("docs/linalg.md", "| `smoother`,", names("incompressible.smoother"), column=2),
    Listing(
        "docs/theory/advection_diffusion.md",
        "| flux |",
        names("advection_diffusion.flux"),
        table=True,
    ),
    Listing(
        "docs/theory/advection_diffusion.md",
        "| limiter |",
        names("advection_diffusion.limiter"),
        table=True,
    ),
    Listing(
        "docs/advection_diffusion.md",
        "| `problem` |",
        names("advection_diffusion.problem"),
        table=True,
    ),
    Listing("docs/solve.md", "There are [`mgcfd`]", names("solver.name")),
    Listing("docs/meshes.md", "| shape | geometry", get_args(Shape), table=True),
    Listing("docs/p2p.md", "| path | way of", PATHS, table=True),
    Listing("docs/mesh_import.md", "| file | read", READERS, table=True),
    Listing("docs/cli.md", "| verb |", VERBS, table=True),
    Listing("ARCHITECTURE.md", "| layer |", LAYERS, table=True),
]


@pytest.mark.parametrize("listing", LISTINGS, ids=lambda it: f"{it.page}:{it.begins}")
def test_a_page_lists_all_that_there_is(listing: Listing) -> None:
    assert listing.faults((TOP / listing.page).read_text(encoding="utf-8")) == []


def test_the_halo_experiment_has_every_scheme_of_devices() -> None:
    assert set(SCHEMES) == {*DEVICE_SCHEMES, "host"}


def test_the_picture_of_the_layers_names_every_back_end() -> None:
    text = (TOP / "ARCHITECTURE.md").read_text(encoding="utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith("   backend  "))
    rooms = {path.name for path in (LIBRARY / "backend").iterdir() if path.is_dir()}
    assert set(line.partition(": ")[2].split(" · ")) == rooms


@pytest.mark.parametrize(("verb", "words"), [("halo", SCHEMES), ("p2p", PATHS)])
def test_a_help_text_lists_all_that_there_is(verb: str, words: tuple[str, ...]) -> None:
    text = (TOP / "python" / "halocline" / "cli" / f"{verb}.py").read_text(encoding="utf-8")
    assert f'help="{",".join(words)} or all."' in text


ROW = Listing("page", "| `-m` |", ["one", "two"], column=2)
TABLE = Listing("page", "| name |", ["one", "two"], table=True)


@pytest.mark.parametrize(
    ("listing", "text", "faults"),
    [
        (ROW, '| `-m` | `one`, `two`; `"one"` by `--three` | `four` |', []),
        (ROW, "| `-m` | `one` | `two` |", ["two is missing"]),
        (ROW, "| `-m` | `one`, `two`, `three` |", ["there is no three"]),
        (TABLE, "| name |\n|---|\n| `one`, `two` | `x` |\n\n| `y` |", []),
        (TABLE, "| name |\n|---|\n| `one` |\n| `three` |", ["two is missing", "there is no three"]),
    ],
)
def test_what_is_missing_or_gone_is_a_fault(listing: Listing, text: str, faults: list[str]) -> None:
    assert [fault.partition(": ")[2] for fault in listing.faults(text)] == faults
