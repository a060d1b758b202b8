# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The terminal: no text is markup, and no text reaches it with control characters in it.

Whoever wants a style says so with `rich.text.Text`; there is nothing to escape, hence nothing to
forget.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from halocline.terminal import harmless

WIDTH = 120


class Screen(Console):
    """A console without markup, emoji codes and highlighting that shows controls spelt out."""

    def __init__(self, *, to_stderr: bool = False, width: int | None = None, **more: Any) -> None:
        super().__init__(
            stderr=to_stderr, width=width, markup=False, emoji=False, highlight=False, **more
        )

    def render_str(self, text: str, **more: Any) -> Text:
        """Return a string as text; rich itself would drop some controls without a word."""
        return super().render_str(harmless(text), **more)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield what will be written: controls of rich itself pass, those in texts do not."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(harmless(text), style)


def screen(to_stderr: bool = False) -> Screen:
    """Return a screen; its width follows the terminal, or is 120 columns without one."""
    stream = sys.stderr if to_stderr else sys.stdout
    return Screen(to_stderr=to_stderr, width=None if stream.isatty() else WIDTH)


def styled(text: str, style: str) -> Text:
    """Return `text`, which is not markup, in a style such as `bold red`."""
    return Text.assemble((harmless(text), style))
