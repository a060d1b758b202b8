# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers that programs print, and when two outputs are alike."""

from __future__ import annotations

import pytest
from halocline.printed import alike, number_of


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.5", 1.5), ("-2", -2.0), (".5e3", 500.0), ("1.5D-3", 1.5e-3), ("1d2", 100)],
)
def test_a_number_is_read_however_it_is_spelt(text: str, value: float) -> None:
    assert number_of(text) == value


@pytest.mark.parametrize(
    ("one", "other", "accepted"),
    [
        ("done", "done", True),
        ("done", "Done", False),
        ("1.0", "1.00", True),
        ("1000", "1.0D+03", True),
        ("e = 1.0  2.0", "e =  1.0 2.0", True),
        ("1.0 2.0", "1.0", False),
        ("1.0", "1.05", False),
        ("nan", "nan", True),
        ("nan", "1.0", False),
        ("step 1: 2.0", "step 1: 2.0 s", False),
    ],
)
def test_texts_are_alike_but_for_blanks_and_spelling(one: str, other: str, accepted: bool) -> None:
    assert alike(one, other) == accepted


def test_differences_are_accepted_as_far_as_asked() -> None:
    assert alike("100.0", "101.0", relative=0.01)
    assert not alike("100.0", "101.1", relative=0.01)
    assert alike("0.0", "1e-9", absolute=1e-8)
    assert not alike("0.0", "1e-9", relative=0.5)
    assert not alike("1.0 5.0", "1.0 6.0", relative=0.1)
