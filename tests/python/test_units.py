# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Durations and memory sizes: what is understood, what is refused because schedulers disagree."""

from __future__ import annotations

import pytest
from halocline.units import clock_text, duration_s, memory_mib


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("45s", 45),
        ("90m", 5400),
        ("1h30m", 5400),
        ("2d", 172800),
        ("01:30:00", 5400),
        ("1-00:00:01", 86401),
        ("100:00:00", 360000),
    ],
)
def test_a_duration_is_understood(text: str, seconds: int) -> None:
    assert duration_s(text) == seconds


@pytest.mark.parametrize("text", ["", "90", "1:30", "0s", "00:00:00", "1.5h", "00:75:00", "-5m"])
def test_a_doubtful_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"must be"):
        duration_s(text)


def test_clock_text_repeats_what_was_meant() -> None:
    assert clock_text(5400) == "01:30:00"
    assert clock_text(90061) == "25:01:01"
    assert clock_text(90061, with_days=True) == "1-01:01:01"
    assert duration_s(clock_text(90061, with_days=True)) == 90061


def test_memory_is_in_mebibytes() -> None:
    assert [memory_mib(text) for text in ("4000M", "64G", "1T", "2GiB")] == [
        4000,
        65536,
        1048576,
        2048,
    ]
    for text in ("", "64", "0G", "1.5G", "64K"):
        with pytest.raises(ValueError, match=r"must be like"):
            memory_mib(text)
