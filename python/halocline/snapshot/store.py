# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The report of a snapshot as JSON and as a page, written and read back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from halocline.documents.store import DocumentKind, json_text
from halocline.errors import InvalidInputError
from halocline.files.output_file import write_text
from halocline.snapshot.folder import PAGE_NAME, RANK_FOLDER, REPORT_NAME
from halocline.snapshot.merge import Launch, merge
from halocline.snapshot.model import SCHEMA_NAME, SCHEMA_VERSION, Snapshot
from halocline.snapshot.raw import read_ranks

if TYPE_CHECKING:
    from halocline.snapshot.diff import Difference
    from halocline.snapshot.scale import Scaling

REPORT = DocumentKind(Snapshot, SCHEMA_NAME, SCHEMA_VERSION, "snapshot report")


def write_report(folder: Path, snapshot: Snapshot) -> None:
    """Write the report and its page."""
    from halocline.snapshot.html import html_page

    report = folder / REPORT_NAME
    REPORT.write(snapshot, report)
    _date_after_ranks(report)
    write_text(folder / PAGE_NAME, html_page(snapshot))


def _date_after_ranks(report: Path) -> None:
    """Give a report a later date than the rank files it was made of.

    It was written after them, but the clock may have been set back meanwhile, and the report of a
    reader has no launch line.
    """
    ranks = (report.parent / RANK_FOLDER).glob("rank-*.json")
    newest = max((file.stat().st_mtime_ns for file in ranks), default=0)
    status = report.stat()
    if status.st_mtime_ns < newest:
        os.utime(report, ns=(status.st_atime_ns, newest))


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
    from halocline.snapshot.scale_page import scale_html

    page.parent.mkdir(parents=True, exist_ok=True)
    write_text(page, scale_html(study, example))
    write_text(page.with_suffix(".json"), json_text(study))


def write_difference(
    page: Path, found: Difference, pair: tuple[Snapshot, Snapshot], paths: tuple[Path, Path]
) -> None:
    """Write the difference of two snapshots as `page`."""
    from halocline.snapshot.diff_page import diff_html

    page.parent.mkdir(parents=True, exist_ok=True)
    write_text(page, diff_html(found, pair, paths))
