# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Files made of document models: JSON schemas, and key tables between marker lines of pages.

Each kind of document has a module `reference` with one `Reference`, and
`python -m halocline.KIND.reference [PAGE]` rewrites its schema files, and in PAGE what is between
marker lines, so that neither can drift from the models.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from halocline.documents.part import DocumentPart
from halocline.documents.reference import key_tables
from halocline.files.output_file import write_text


@dataclass(frozen=True)
class Reference:
    """What is made of the models of one kind of document."""

    #: As `python -m` runs it; the marker lines name it.
    module: str
    #: The text of each schema file.
    schemas: Mapping[Path, Callable[[], str]]
    #: The documents that the page has tables of, by title.
    sections: Mapping[str, type[DocumentPart]]

    def markers(self, title: str) -> tuple[str, str]:
        """Return the lines between which the tables of a document stand."""
        keys = "keys" if len(self.sections) == 1 else f"keys of {title}"
        return f"<!-- {keys}: begin (made by python -m {self.module}) -->", f"<!-- {keys}: end -->"

    def update_page(self, text: str) -> str:
        """Replace what stands between the markers of a page by the current tables."""
        for title, model in self.sections.items():
            begin, end = self.markers(title)
            head, rest = text.split(begin)
            tail = rest.split(end)[1]
            text = f"{head}{begin}\n\n{key_tables(model, title)}\n{end}{tail}"
        return text

    def main(self) -> None:
        """Rewrite the schema files, and the pages that the command line names."""
        for file, text in self.schemas.items():
            write_text(file, text())
        for page in map(Path, sys.argv[1:]):
            write_text(page, self.update_page(page.read_text(encoding="utf-8")))
