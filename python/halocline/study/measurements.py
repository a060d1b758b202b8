# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of one run: patterns over its output, keys of its run record, what a snapshot says."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from halocline.documents.store import LARGEST
from halocline.printed import number_of
from halocline.study.model import PatternSection

LARGEST_LOG = 64 * 1024 * 1024
LAST_LINES = 20
LONGEST_LINE = 300


class MissingValueError(Exception):
    """A run lacks what is to be measured; the text says what."""


def output_text(log: Path) -> str:
    """Return what a program printed; of very much, the end."""
    with log.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - LARGEST_LOG))
        return file.read().decode("utf-8", errors="replace")


def last_lines(text: str) -> list[str]:
    """Return the last lines of an output that say something."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return [line[:LONGEST_LINE] for line in lines[-LAST_LINES:]]


def pattern_values(patterns: Mapping[str, PatternSection], text: str) -> dict[str, float]:
    """Return what each pattern finds; raises MissingValueError."""
    return {name: _taken(name, section, text) for name, section in patterns.items()}


def _taken(name: str, section: PatternSection, text: str) -> float:
    found = re.findall(section.pattern, text, re.MULTILINE)
    if not found:
        raise MissingValueError(
            f"pattern '{name}' ({section.pattern}) matches nothing in the output"
        )
    numbers = [_number(name, word) for word in found]
    value = {"first": numbers[0], "last": numbers[-1], "sum": sum(numbers), "largest": max(numbers)}
    taken = value[section.take]
    if not abs(taken) <= LARGEST:  # nor is NaN
        raise MissingValueError(f"pattern '{name}' finds {taken:g}, which is not a measurement")
    return taken


def _number(name: str, word: str) -> float:
    try:
        return number_of(word)
    except ValueError:
        raise MissingValueError(f"pattern '{name}' finds '{word}', which is not a number") from None


def record_values(record: Path, keys: Sequence[str]) -> dict[str, float]:
    """Return keys of a run record, e.g. `results.compute_s`; raises MissingValueError."""
    import json

    try:
        data = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise MissingValueError(f"there is no run record {record.name}") from None
    return {key: _key_of(data, key) for key in keys}


def _key_of(data: Any, key: str) -> float:
    value = data
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise MissingValueError(f"the run record has no finite number '{key}'")
    return float(value)


def record_extras(record: Path) -> dict[str, float]:
    """Return memory and I/O of a record, where it has them."""
    keys = {"memory_bytes": "memory.peak_rss_bytes.max", "io_s": "io.blocked_s"}
    found = {}
    for name, key in keys.items():
        try:
            found[name] = record_values(record, [key])[key]
        except MissingValueError:
            continue
    return found


def found_answer(pattern: str, text: str) -> str:
    """Return what the check's pattern finds last; raises MissingValueError."""
    found = re.findall(pattern, text, re.MULTILINE)
    if not found:
        raise MissingValueError(f"the check's pattern ({pattern}) matches nothing in the output")
    answer = str(found[-1])
    with contextlib.suppress(ValueError):  # a text is compared as it is
        if not math.isfinite(number_of(answer)):
            raise MissingValueError(f"the check's pattern finds '{answer}', which is not a result")
    return answer
