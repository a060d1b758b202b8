# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`{NAME}` in words of a command and in values of its environment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from halocline.errors import InvalidInputError, suggestion
from halocline.study.point import Value

PLACE = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_.]*)\}")


def names_in(words: Iterable[str]) -> set[str]:
    """Return the variables that words ask for; `{{` is a brace."""
    return {match[1] for word in words for match in PLACE.finditer(word) if match[1]}


def filled(word: str, values: Mapping[str, Value], source: str) -> str:
    """Return a word with the values of a point in the places of their names."""

    def put(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            return match[0][0]
        if name not in values:
            raise InvalidInputError(
                f"{source}: '{word}' asks for {{{name}}}, which is not a variable. "
                f"{suggestion(name, values)} A brace itself is written twice."
            )
        return plain_text(values[name])

    return PLACE.sub(put, word)


def plain_text(value: Value) -> str:
    """Return a value as programs read it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
