# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is known about a job at one moment, from the scheduler's word and the script's notes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from halocline.submit.job_file import KIND, SubmittedJob, find_job_file
from halocline.submit.program import command_program
from halocline.submit.run_status import Progress, read_progress, read_status
from halocline.submit.schedulers.pbs import Pbs
from halocline.submit.schedulers.scheduler import Phase, QueueState
from halocline.submit.site import Site
from halocline.submit.view import look


def job_in(folder: Path, job_id: str = "1.server") -> SubmittedJob:
    return SubmittedJob(
        schema_name="halocline.job",
        schema_version=1,
        code_version="0",
        submitted="2026-01-01T00:00:00+00:00",
        scheduler="pbs",
        site_file="pbs.toml",
        job_id=job_id,
        name="a",
        script=str(folder / "a.job.sh"),
        log=str(folder / "a.job.log"),
        status=str(folder / "a.job.status"),
    )


class Answering(Pbs):
    """A PBS that answers what it is told to, and lets something happen meanwhile."""

    def __init__(self, state: QueueState, meanwhile: Callable[[], object] = lambda: None) -> None:
        super().__init__(Site(name="pbs", scheduler="pbs"))
        self.asked: list[str] = []
        self._state, self._meanwhile = state, meanwhile

    def state(self, job_id: str) -> QueueState:
        self.asked.append(job_id)
        self._meanwhile()
        return self._state


def test_a_job_that_submits_itself_again_while_we_look_is_not_over(tmp_path: Path) -> None:
    status = tmp_path / "a.job.status"
    status.write_text("1 1.server started n1\n")
    again = "1 1.server started n1\n2 1.server requeued \n2 1.server resubmitted 2.server\n"
    scheduler = Answering(QueueState(Phase.FAILED, exit_code=75), lambda: status.write_text(again))
    view = look(job_in(tmp_path), scheduler)
    assert (view.phase, view.job_id) == (Phase.PENDING, "2.server")
    look(job_in(tmp_path), scheduler)
    assert scheduler.asked == ["1.server", "2.server"]


def test_a_job_that_ends_before_its_number_is_noted_is_over(tmp_path: Path) -> None:
    first = "1 1.server started n1\n2 1.server requeued \n"
    second = "2 2.server started n2\n2 2.server finished 0\n"
    notes = first + second + "3 1.server resubmitted 2.server\n"
    (tmp_path / "a.job.status").write_text(notes)
    view = look(job_in(tmp_path), Answering(QueueState(Phase.UNKNOWN)))
    assert (view.phase, view.job_id) == (Phase.COMPLETED, "2.server")
    assert (view.attempt, view.exit_code) == (2, 0)


def test_the_scripts_own_exit_code_is_preferred(tmp_path: Path) -> None:
    (tmp_path / "a.job.status").write_text("1 1.server started n1\n2 1.server finished 75\n")
    view = look(job_in(tmp_path), Answering(QueueState(Phase.FAILED, exit_code=1)))
    assert (view.exit_code, int(view.outcome)) == (75, 75)


@pytest.mark.parametrize(
    ("notes", "phase"),
    [
        ("", Phase.UNKNOWN),
        ("1 1.server started n1\n", Phase.UNKNOWN),
        ("1 1.server finished 0\n", Phase.COMPLETED),
        ("1 1.server finished 3\n", Phase.FAILED),
        ("1 1.server signal TERM\n2 1.server finished 143\n", Phase.CANCELLED),
        ("1 1.server limit 60\n1 1.server signal TERM\n2 1.server finished 143\n", Phase.TIMEOUT),
    ],
)
def test_notes_speak_when_the_scheduler_is_silent(tmp_path: Path, notes: str, phase: Phase) -> None:
    (tmp_path / "a.job.status").write_text(notes)
    assert look(job_in(tmp_path), Answering(QueueState(Phase.UNKNOWN))).phase is phase


def test_a_line_that_is_half_written_waits(tmp_path: Path) -> None:
    status = tmp_path / "s"
    status.write_text("1 7 started n1\n2 7 finished 7")
    assert read_status(status).state == "started"
    status.write_text("1 7 started n1\nnonsense\n2 7 finished 75\n")
    assert read_status(status).exit_code == 75


def test_progress_is_the_last_one_told(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert read_progress(log) is None
    log.write_text("cycle 1 / 9\n" + "x" * 20000 + "\rcycle 3 / 9\rcycle 4 / 9 \n")
    progress = read_progress(log)
    assert progress is not None
    assert (progress.done, progress.total) == (4, 9)


def test_progress_is_that_of_this_attempt_and_not_what_its_command_says(tmp_path: Path) -> None:
    log = tmp_path / "log"
    opening = 'halocline: job 7 (a), attempt {} of 2, on n1: bash -c echo "cycle 3 / 3"\n'
    log.write_text(opening.format(1))
    assert read_progress(log) is None
    log.write_text(opening.format(1) + "cycle 1 / 3\n")
    assert read_progress(log) == Progress(1, 3)
    log.write_text(log.read_text() + opening.format(2))
    assert read_progress(log) is None


def test_a_title_is_one_line_whatever_the_command(tmp_path: Path) -> None:
    words = ("bash", "-c", "echo a\n  echo cycle 3 / 3\n")
    assert command_program(words, tmp_path).title == "bash -c echo a echo cycle 3 / 3"


def test_a_job_is_found_by_file_folder_or_number(tmp_path: Path) -> None:
    for name, number in (("a", "11"), ("b", "12")):
        KIND.write(job_in(tmp_path, number), tmp_path / f"{name}.job.json")
    assert find_job_file("12", tmp_path) == tmp_path / "b.job.json"
    assert find_job_file(str(tmp_path / "a.job.json"), tmp_path).name == "a.job.json"
    (tmp_path / "b.job.json").unlink()
    assert find_job_file(str(tmp_path), Path("/")) == tmp_path / "a.job.json"
