# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A study from its file to its folder of results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from halocline.files.output_file import write_text
from halocline.launch.limited_run import Stop
from halocline.study.analysis import result_of
from halocline.study.csv_file import CSV_NAME, csv_text
from halocline.study.driver import Driver, StoppedByUserError, opened
from halocline.study.journal import Run, Turn
from halocline.study.load import Study
from halocline.study.result import RESULT, RESULT_NAME, StudyResult

PAGE_NAME, MARKDOWN_NAME = "study.html", "study.md"


def run_study(study: Study) -> StudyResult:
    """Make the runs that are missing; write what they say.

    Raises:
        RunFailedError: the base fails.
        StoppedByUserError: a signal came; what there is has been written.
    """
    with opened(study) as journal, Stop().heeded() as stop:
        try:
            finished = Driver(study, journal, stop).drive()
        except StoppedByUserError:
            if journal.runs:
                write_results(study, journal.runs, "it was stopped, and can go on")
            raise
        return write_results(study, finished.runs, finished.ending)


def write_results(study: Study, runs: Mapping[Turn, Run], ending: str) -> StudyResult:
    """Write `runs.csv`, `study.json`, the page and the same as Markdown."""
    from halocline.study.markdown import markdown
    from halocline.study.page import page

    result = result_of(study, runs, ending)
    folder: Path = study.folder
    write_text(folder / CSV_NAME, csv_text(study, runs))
    RESULT.write(result, folder / RESULT_NAME)
    write_text(folder / MARKDOWN_NAME, markdown(result))
    write_text(folder / PAGE_NAME, page(result))
    return result
