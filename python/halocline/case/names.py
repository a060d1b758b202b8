# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The words that keys of a case choose from, as the library has them.

`names.json` is what `halocline-solve --names` prints; a test compares both. A new partitioner, halo
scheme or flux is a word there, and nowhere else in Python.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal


@cache
def names(key: str) -> tuple[str, ...]:
    """Return the words of a key, e.g. `parallel.partitioner`."""
    text = Path(__file__).with_name("names.json").read_text(encoding="utf-8")
    return tuple(json.loads(text)[key])


def listed(key: str) -> str:
    """Return the words of a key for a help text: "a, b or c"."""
    *first, last = names(key)
    return f"{', '.join(first)} or {last}"


def one_of(key: str) -> Any:
    """Return the type of a key that takes one of its words."""
    return Literal[names(key)]
