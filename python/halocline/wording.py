# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Small helpers for sentences and tables."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """Return e.g. `1 rank`, `2 ranks`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def layout_words(ranks: int, threads: int) -> str:
    """Return e.g. `2 ranks × 1 thread`."""
    return f"{counted(ranks, 'rank')} × {counted(threads, 'thread')}"
