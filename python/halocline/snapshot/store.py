# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The folder of a snapshot: rank files, the report as JSON and as a page; reading it back."""

from __future__ import annotations

import shutil
from pathlib import Path

from halocline.documents.store import DocumentKind
from halocline.errors import InvalidInputError, UsageError
from halocline.snapshot.html import html_page
from halocline.snapshot.merge import Launch, merge
from halocline.snapshot.model import SCHEMA_NAME, SCHEMA_VERSION, Snapshot
from halocline.snapshot.raw import read_ranks
from halocline.snapshot.scale import Scaling
from halocline.snapshot.scale_page import scale_html

REPORT_NAME = "snapshot.json"
PAGE_NAME = "snapshot.html"
RANK_FOLDER = "ranks"
DEFAULT_FOLDER = "snapshot"
REPORT = DocumentKind(Snapshot, SCHEMA_NAME, SCHEMA_VERSION, "snapshot report")


def free_folder(base: Path) -> Path:
    """Return `snapshot` below `base`, or the first of `snapshot-2`, … that does not exist."""
    folder = base / DEFAULT_FOLDER
    number = 2
    while folder.exists():
        folder = base / f"{DEFAULT_FOLDER}-{number}"
        number += 1
    return folder


def prepare_folder(folder: Path) -> None:
    """Make the folder of a new snapshot; an older snapshot in it goes, anything else stays."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file (a snapshot needs a folder). Name another one by -o.")
    for name in (REPORT_NAME, PAGE_NAME):
        (folder / name).unlink(missing_ok=True)
    if (folder / RANK_FOLDER).is_dir():
        shutil.rmtree(folder / RANK_FOLDER)
    (folder / RANK_FOLDER).mkdir(parents=True)


def write_report(folder: Path, snapshot: Snapshot) -> None:
    """Write the report and its page."""
    REPORT.write(snapshot, folder / REPORT_NAME)
    (folder / PAGE_NAME).write_text(html_page(snapshot), encoding="utf-8")


def read_snapshot(path: Path) -> Snapshot:
    """Return the report that `path` means: a report file, or a folder with one.

    A folder with rank files alone, as `halocline-snapshot` leaves it, is merged first.
    """
    if not path.is_dir():
        return REPORT.read(path)
    report = path / REPORT_NAME
    raw_folder = path / RANK_FOLDER if (path / RANK_FOLDER).is_dir() else path
    newest = max((file.stat().st_mtime for file in raw_folder.glob("rank-*.json")), default=None)
    if report.is_file() and (newest is None or report.stat().st_mtime >= newest):
        return REPORT.read(report)
    if newest is None:
        raise InvalidInputError(
            f"{path} holds neither {REPORT_NAME} nor rank files (no snapshot was taken there). "
            "Take one: halocline snapshot -- mpirun -n 4 ./app."
        )
    snapshot = merge(read_ranks(raw_folder), Launch([], None, None))
    write_report(path, snapshot)
    return snapshot


def write_scaling(page: Path, study: Scaling, example: Snapshot) -> None:
    """Write a scaling study as `page` and as JSON beside it."""
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(scale_html(study, example), encoding="utf-8")
    text = study.model_dump_json(by_alias=True, indent=2)
    page.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
