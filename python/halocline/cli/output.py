# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How verbs print: JSON on stdout for programs, tables for people, notes on stderr."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
DryRunFlag = Annotated[bool, typer.Option("--dry-run", help="Show what would be done; do nothing.")]


def console(to_stderr: bool = False) -> Console:
    """Return a console; its width follows the terminal, or is 120 columns without one."""
    from rich.console import Console

    stream = sys.stderr if to_stderr else sys.stdout
    width = None if stream.isatty() else 120
    return Console(stderr=to_stderr, width=width, highlight=False, soft_wrap=False)


def table(title: str, *columns: str, right: tuple[str, ...] = ()) -> Table:
    """Return an empty table in the house style; `right` names the right-aligned columns."""
    from rich import box
    from rich.table import Table

    made = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def print_json(data: Any) -> None:
    """Print `data` as one JSON object on stdout."""
    print(json.dumps(data, indent=2, ensure_ascii=False, default=str))


def note(sentence: str) -> None:
    """Tell the user something beside the result, on stderr."""
    print(f"halocline: {sentence}", file=sys.stderr)
