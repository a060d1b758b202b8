# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls in a copy of the process: its crash, its endless loop and its exceptions end there."""

from __future__ import annotations

import os
import signal
import sys

import pytest
from halocline.child import ChildDiedError, in_child

from halocline import child


def test_the_answer_comes_back_however_long() -> None:
    assert in_child(lambda: {"a": [1.5, None], "long": "x" * 1_000_000})["a"] == [1.5, None]


def test_what_the_call_changes_stays_in_the_child() -> None:
    seen: list[int] = []
    in_child(lambda: seen.append(1))
    assert seen == []


def crash() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def turn_in_circles() -> None:
    while True:
        pass


def fail() -> None:
    raise ValueError("of the call")


@pytest.mark.parametrize("call", [crash, turn_in_circles, fail, lambda: sys.exit(3)])
def test_a_call_without_an_answer_is_an_error(
    call: object, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(child, "LONGEST_S", 1)
    with pytest.raises(ChildDiedError):
        in_child(call)  # type: ignore[arg-type]
    assert capfd.readouterr() == ("", "")
