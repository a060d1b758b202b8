# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes plain nested data as TOML text (Python reads TOML but does not write it)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any


def to_toml(data: Mapping[str, Any], path: str = "") -> str:
    """Return TOML for nested mappings of strings, numbers, booleans and lists; None is left out.

    Lists of mappings become tables with double brackets.
    """
    lines = [f"{_key(key)} = {_value(value)}" for key, value in data.items() if _is_plain(value)]
    parts = ["\n".join(lines)] if lines else []
    for key, value in data.items():
        if isinstance(value, Mapping):
            name = _dotted(path, key)
            parts.append(f"[{name}]\n{to_toml(value, name)}".rstrip())
        elif _is_tables(value):
            name = _dotted(path, key)
            parts += [f"[[{name}]]\n{to_toml(item, name)}".rstrip() for item in value]
    return "\n\n".join(parts) + "\n"


def _dotted(path: str, key: str) -> str:
    return f"{path}.{_key(key)}" if path else _key(key)


def _key(key: str) -> str:
    """A key as TOML spells it: in quotes where it is not a plain word."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _value(key)


def _is_plain(value: object) -> bool:
    return value is not None and not isinstance(value, Mapping) and not _is_tables(value)


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(item) for item in value)}]"
    # JSON's spelling of strings, numbers and booleans is also TOML's.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
