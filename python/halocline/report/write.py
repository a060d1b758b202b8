# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A report as text, Markdown, HTML or PNG, by the ending of the file's name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from halocline import __version__
from halocline.errors import UsageError
from halocline.files.output_file import write_text
from halocline.report.tables import Table
from halocline.study.markdown import escaped
from halocline.study.markdown import table as markdown_table

ENDINGS = (".md", ".html", ".png", ".txt")


def check_names(files: Sequence[Path]) -> None:
    """Refuse what cannot be written before anything is."""
    for file in files:
        if file.suffix not in ENDINGS:
            raise UsageError(
                f"halocline report: {file} ends in none of {', '.join(ENDINGS)} (which say what "
                "to write). Rename it."
            )


def write_report(tables: Sequence[Table], file: Path) -> None:
    """Write a report."""
    if file.suffix == ".png":
        from halocline.report.figures import write_png

        write_png(tables, file)
        return
    made = {".md": markdown, ".html": html, ".txt": plain_text}[file.suffix](tables)
    write_text(file, made)


def markdown(tables: Sequence[Table]) -> str:
    """Return all tables as Markdown."""
    parts = []
    for table in tables:
        head = [escaped(name) for name in table.head()]
        parts += [f"## {escaped(table.title)}", markdown_table(head, table.lines())]
    return "\n\n".join(parts) + "\n"


def html(tables: Sequence[Table]) -> str:
    """Return a page that stands alone."""
    from halocline.page.render import markup, render_page
    from halocline.report.figures import bars

    return render_page(
        "halocline.report",
        "report.html.j2",
        {
            "tables": [(table, list(table.lines()), markup(bars(table))) for table in tables],
            "made_by": f"halocline {__version__}",
            "columns": tables[0].columns,
        },
    )


def plain_text(tables: Sequence[Table]) -> str:
    """Return all tables in columns of letters."""
    return "\n\n".join(_columns(table) for table in tables) + "\n"


def _columns(table: Table) -> str:
    rows = [table.head(), *table.lines()]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([table.title, "", lines[0], "-" * len(lines[0]), *lines[1:]])
