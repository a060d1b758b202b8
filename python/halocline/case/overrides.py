# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`--set section.key=value`: parses values as TOML and puts them into the raw case."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Sequence
from typing import Any

from halocline.errors import UsageError


def apply_overrides(raw: dict[str, Any], settings: Sequence[str]) -> dict[str, Any]:
    """Return `raw` with every `key=value` of `settings` applied, in order."""
    changed = copy.deepcopy(raw)
    for setting in settings:
        key, value = _split(setting)
        _put(changed, key, value, setting)
    return changed


def _split(setting: str) -> tuple[list[str], Any]:
    key, equals, text = setting.partition("=")
    parts = [part.strip() for part in key.split(".")]
    if not equals or not all(parts):
        raise UsageError(
            f"--set {setting} is not key=value (a dotted key, e.g. solver.cycles=50). Correct it."
        )
    return parts, _value(text.strip())


def _value(text: str) -> Any:
    """Read as TOML; what is not TOML is a plain string, so that quotes can be left out."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _put(raw: dict[str, Any], parts: list[str], value: Any, setting: str) -> None:
    table = raw
    for part in parts[:-1]:
        table = table.setdefault(part, {})
        if not isinstance(table, dict):
            raise UsageError(f"--set {setting}: '{part}' is a value, not a section. Correct it.")
    table[parts[-1]] = value
