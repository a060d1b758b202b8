# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Asks `halocline-affinity` for maps of machines, placements and faults of bindings."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from halocline.errors import ExitCode, MissingEnvironmentError, RunFailedError, UsageError
from halocline.launch.programs import path_word, require_program

PROGRAM = "halocline-affinity"


def affinity_words(machine: Path | None, synthetic: str | None, ranks: int | None) -> list[str]:
    """Return the options of the native program for a machine and a number of ranks."""
    words: list[str] = []
    if machine is not None:
        words += ["--machine", path_word(machine)]
    if synthetic is not None:
        words += ["--synthetic", synthetic]
    if ranks is not None:
        words += ["--ranks", str(ranks)]
    return words


def ask_affinity(words: Sequence[str], as_json: bool = True) -> str:
    """Run the native program and return what it prints."""
    command = [str(require_program(PROGRAM)), *words, *(["--json"] if as_json else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sentence = done.stderr.strip().removeprefix(f"{PROGRAM}: ")
        kinds = {ExitCode.USAGE: UsageError, ExitCode.ENVIRONMENT: MissingEnvironmentError}
        kind = kinds.get(ExitCode(done.returncode)) if done.returncode in set(ExitCode) else None
        if kind is not None:
            raise kind(sentence)
        raise RunFailedError(sentence or f"{PROGRAM} failed.", done.returncode)
    return done.stdout


def affinity_data(words: Sequence[str]) -> dict[str, Any]:
    """Return the native program's JSON object."""
    data: dict[str, Any] = json.loads(ask_affinity(words))
    return data
