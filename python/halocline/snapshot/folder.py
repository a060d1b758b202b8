# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The folder of a snapshot: what its files are called, which one is free, an empty one."""

from __future__ import annotations

import shutil
from pathlib import Path

from halocline.errors import UsageError
from halocline.files.lock import Place

REPORT_NAME = "snapshot.json"
PAGE_NAME = "snapshot.html"
RANK_FOLDER = "ranks"
DEFAULT_FOLDER = "snapshot"


def free_folder(base: Path) -> Path:
    """Return `snapshot` below `base`, or the first of `snapshot-2`, … that does not exist."""
    folder = base / DEFAULT_FOLDER
    number = 2
    while folder.exists():
        folder = base / f"{DEFAULT_FOLDER}-{number}"
        number += 1
    return folder


def claim_folder(folder: Path) -> bool:
    """Make a folder; return False if it is there: somebody else was as quick."""
    try:
        folder.mkdir()
    except FileExistsError:
        return False
    return True


def recording_place(folder: Path) -> Place:
    """Return what a recording writes, for a lock."""
    return Place(folder, "snapshot", what=f"the snapshot {folder}")


def prepare_folder(folder: Path) -> None:
    """Make the folder of a new snapshot; an older snapshot in it goes, anything else stays."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file (a snapshot needs a folder). Name another one by -o.")
    for name in (REPORT_NAME, PAGE_NAME):
        (folder / name).unlink(missing_ok=True)
    if (folder / RANK_FOLDER).is_dir():
        shutil.rmtree(folder / RANK_FOLDER)
    (folder / RANK_FOLDER).mkdir(parents=True)
