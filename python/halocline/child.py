# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls of libraries that damaged files may crash or keep busy for ever."""

from __future__ import annotations

import os
import pickle
import resource
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")

LONGEST_S = 3
"""Processor time; what is asked for here takes milliseconds."""


class ChildDiedError(Exception):
    """The call crashed, raised, or took longer than LONGEST_S."""


def in_child(call: Callable[[], Result]) -> Result:
    """Return what `call` returns in a copy of this process; it must be plain data."""
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        _answer(call, sending)
    os.close(sending)
    with os.fdopen(receiving, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    if not answer:
        raise ChildDiedError
    result: Result = pickle.loads(answer)  # noqa: S301 - of our own process
    return result


def _answer(call: Callable[[], Any], sending: int) -> None:
    """In the child: no core files, no words, no way back into the caller's code."""
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST_S, LONGEST_S))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        with os.fdopen(sending, "wb") as pipe:
            pipe.write(pickle.dumps(call()))
    finally:
        os._exit(0)
