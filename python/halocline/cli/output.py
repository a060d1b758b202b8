# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How verbs print what has structure: JSON for programs, tables for people."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halocline.terminal import harmless_json

if TYPE_CHECKING:
    from rich.table import Table

    from halocline.screen import Screen

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
DryRunFlag = Annotated[bool, typer.Option("--dry-run", help="Show what would be done; do nothing.")]


def console(to_stderr: bool = False) -> Screen:
    """Return a console; its width follows the terminal, or is 120 columns without one."""
    from halocline.screen import screen

    return screen(to_stderr)


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
    print(harmless_json(json_text(data)))


def json_text(data: Any) -> str:
    """Return `data` as one JSON object."""
    try:
        return json.dumps(data, indent=2, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:  # JSON has no word for what is not finite
        return json.dumps(_finite(data), indent=2, ensure_ascii=False, default=str)


def _finite(data: Any) -> Any:
    """Return the same data with words (`nan`, `inf`) for numbers that are not finite."""
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return str(data) if isinstance(data, float) and not math.isfinite(data) else data
