# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The file that remembers a submitted job: number, scheduler, where its files are."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from halocline.documents.part import DocumentPart, key
from halocline.documents.store import DocumentKind
from halocline.errors import InvalidInputError

SCHEMA = "halocline.job"
SUFFIX = ".job.json"


class SubmittedJob(DocumentPart):
    """What was submitted."""

    schema_name: Literal["halocline.job"] = key(name="schema", description="kind of document")
    schema_version: Literal[1] = key(description="raised when a key changes its meaning")
    code_version: str = key(description="halocline that submitted it")
    submitted: str = key(description="time, UTC")
    scheduler: str = key(description="who runs it")
    site_file: str = key(description="site file in use")
    job_id: str = key(description="number that the scheduler gave it")
    name: str = key(description="name in the queue")
    script: str = key(description="script")
    log: str = key(description="what the run prints")
    status: str = key(description="what the script notes about itself")
    record: str | None = key(None, description="run record that it will write")


KIND = DocumentKind(SubmittedJob, SCHEMA, 1, "job file")


def find_job_file(asked: str, folder: Path) -> Path:
    """Return a job file by its path, or by the number of a job that was submitted in `folder`."""
    path = Path(asked)
    if path.name.endswith(SUFFIX):
        return path
    if path.is_dir():
        folder = path
    found = sorted(folder.glob(f"*{SUFFIX}"))
    matching = [file for file in found if path.is_dir() or KIND.read(file).job_id == asked]
    if len(matching) == 1:
        return matching[0]
    names = ", ".join(file.name for file in found) or "none"
    raise InvalidInputError(
        f"'{asked}' names {'no' if not matching else 'more than one'} job of {folder} "
        f"(job files there: {names}). Name the job file (…{SUFFIX})."
    )
