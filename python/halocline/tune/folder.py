# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The folder of a tuning: what its files are called, and which one is taken."""

from __future__ import annotations

from pathlib import Path

from halocline.errors import UsageError
from halocline.files.lock import Place
from halocline.tune.rules import RULES_NAME

DEFAULT_FOLDER = "tune"
JOURNAL_NAME = "journal.jsonl"
REPORT_NAME = "tune.json"
PAGE_NAME = "tune.html"
SCRIPT_NAME = "environment.sh"
RECORD_FOLDER = "record"
RESULTS = (REPORT_NAME, PAGE_NAME, SCRIPT_NAME, RULES_NAME)


def take_folder(given: Path | None) -> Path:
    """Return the given folder, or the first of `tune`, `tune-2`, … that is not finished."""
    if given is not None:
        if given.exists() and not given.is_dir():
            raise UsageError(
                f"{given} is a file (a tuning needs a folder). Name another one by -o."
            )
        return given
    folder, number = Path(DEFAULT_FOLDER), 2
    while (folder / REPORT_NAME).exists() or (folder.exists() and not folder.is_dir()):
        folder = Path(f"{DEFAULT_FOLDER}-{number}")
        number += 1
    return folder


def tuning_place(folder: Path) -> Place:
    """Return what a tuning writes, for a lock."""
    return Place(folder, "tune", what=f"the tuning {folder}")
