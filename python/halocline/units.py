# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Durations and memory sizes as people and schedulers write them."""

from __future__ import annotations

import re

SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
MEBIBYTES = {"M": 1, "G": 1024, "T": 1024 * 1024}
CLOCK = re.compile(r"(?:(\d+)-)?(\d+):([0-5]\d):([0-5]\d)")
WORDS = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")
SIZE = re.compile(r"(\d+)([MGT])(?:i?B)?")


def duration_s(text: str) -> int:
    """Return the seconds of `90m`, `1h30m`, `HH:MM:SS` or `D-HH:MM:SS`.

    Schedulers disagree on `1:30` and on a bare number, so these are refused.
    """
    clock, words = CLOCK.fullmatch(text), WORDS.fullmatch(text)
    parts = clock.groups() if clock else words.groups() if words and text else None
    if parts is None:
        raise ValueError('must be like "90m", "1h30m", "HH:MM:SS" or "D-HH:MM:SS"')
    seconds = sum(
        int(part or 0) * scale for part, scale in zip(parts, SECONDS.values(), strict=True)
    )
    if seconds == 0:
        raise ValueError("must be longer than nothing")
    return seconds


def clock_text(seconds: int, with_days: bool = False) -> str:
    """Return `HH:MM:SS`, or `D-HH:MM:SS` where there are days and `with_days` allows them."""
    days, rest = divmod(seconds, SECONDS["d"]) if with_days else (0, seconds)
    text = f"{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
    return f"{days}-{text}" if days else text


def memory_mib(text: str) -> int:
    """Return the mebibytes of `4000M`, `64G` or `1T` (powers of 1024)."""
    match = SIZE.fullmatch(text)
    if match is None or int(match[1]) == 0:
        raise ValueError('must be like "4000M", "64G" or "1T"')
    return int(match[1]) * MEBIBYTES[match[2]]
