# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Starts halocline-cores: one process, which keeps cores of this host busy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from halocline.cores.result import CoresResult, read_result
from halocline.errors import RunFailedError
from halocline.launch.process import run_foreground, table_exit_code
from halocline.launch.programs import path_word, require_program

PROGRAM = "halocline-cores"


def command_line(words: Sequence[str], result: Path) -> list[str]:
    """Return the command that measures and leaves its results in `result`."""
    return [str(require_program(PROGRAM)), *words, "--json", path_word(result)]


def measure_cores(
    words: Sequence[str], result: Path, output_to_stderr: bool = False
) -> CoresResult:
    """Measure, and return what was found; the program says itself what went wrong."""
    result.parent.mkdir(parents=True, exist_ok=True)
    result.unlink(missing_ok=True)
    raw = run_foreground(command_line(words, result), {}, output_to_stderr=output_to_stderr)
    if raw != 0:
        raise RunFailedError("", table_exit_code(raw))
    return read_result(result)
