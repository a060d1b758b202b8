# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What `halocline submit` does with its words: plan, submit, show, follow, cancel."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from halocline.case.load import load_case, parse_model
from halocline.case.submit_section import SubmitSection
from halocline.cli.output import print_json
from halocline.cli.submit_views import show_job, watch
from halocline.errors import ExitCode, InvalidInputError, RunFailedError, UsageError
from halocline.submit.job_file import KIND, SubmittedJob, find_job_file
from halocline.submit.plan import Plan, Subject, plan_job
from halocline.submit.schedulers.scheduler import Phase
from halocline.submit.submission import scheduler_for, submit, submit_again
from halocline.submit.view import JobView, look
from halocline.terminal import note, say

PROGRAM = "halocline submit"


def plan(
    words: Sequence[str],
    settings: Sequence[str],
    given: dict[str, Any],
    output: Path | None,
    tools: Sequence[str] = (),
) -> Plan:
    """Return the plan of what the command line asks for."""
    asked = {key: value for key, value in given.items() if value not in (None, [], {})}
    try:
        options = parse_model(SubmitSection, asked, PROGRAM)
    except InvalidInputError as error:
        raise UsageError(str(error)) from None
    subject = replace(_subject(words, settings), tools=tuple(tools))
    planned = plan_job(subject, options, output)
    for sentence in planned.doubts():
        note(sentence)
    return planned


def _subject(words: Sequence[str], settings: Sequence[str]) -> Subject:
    if not words:
        raise UsageError(
            f"{PROGRAM}: neither a case file nor a command is given. "
            f"Name one: {PROGRAM} case.toml, or {PROGRAM} -- ./program."
        )
    if not words[0].endswith(".toml"):
        if settings:
            raise UsageError(f"{PROGRAM}: --set changes a case, and '{words[0]}' is a command.")
        return Subject(folder=Path.cwd(), command=tuple(words))
    if len(words) > 1:
        raise UsageError(
            f"{PROGRAM}: '{words[1]}' after the case file {words[0]} (a case brings its own "
            "command). Leave it out."
        )
    path = Path(words[0])
    return Subject(Path.cwd(), load_case(path, settings), path, tuple(settings))


def variables(settings: Sequence[str]) -> dict[str, str]:
    """Return the variables of `--env NAME=VALUE`."""
    for setting in settings:
        if "=" not in setting:
            raise UsageError(f"{PROGRAM}: --env {setting} is not NAME=VALUE. Correct it.")
    return dict(setting.split("=", 1) for setting in settings)


def submit_and_show(plan: Plan, *, wait: bool, interval: float, as_json: bool) -> None:
    """Submit a job, say so, and stay with it where that is asked for."""
    job = submit(plan)
    if wait:
        note(f"job {job.job_id} is submitted; its file is {plan.job.files.record}")
        _stay(job, plan.job.files.record, interval, as_json)
        return
    view = look(job, plan.scheduler)
    if as_json:
        print_json(_data(job, view))
    else:
        show_job(job, view)
        say(f"  follow  halocline submit --follow {plan.job.files.record}")


def act(asked: dict[str, str | None], words: Sequence[str], interval: float, as_json: bool) -> None:
    """Do what is asked with one job that was submitted earlier."""
    wanted = {action: job for action, job in asked.items() if job}
    if len(wanted) > 1 or words:
        raise UsageError(
            f"{PROGRAM}: one thing at a time: --{next(iter(wanted))} takes no case, command or "
            "second action."
        )
    action, name = next(iter(wanted.items()))
    file = find_job_file(str(name), Path.cwd())
    job = KIND.read(file)
    if action == "follow":
        _stay(job, file, interval, as_json)
        return
    scheduler = scheduler_for(job)
    if action == "cancel":
        scheduler.cancel(look(job, scheduler).job_id)
    elif action == "again":
        job = submit_again(job, file)
    view = look(job, scheduler)
    if as_json:
        print_json(_data(job, view))
    else:
        show_job(job, view)


def _stay(job: SubmittedJob, file: Path, interval: float, as_json: bool) -> None:
    try:
        view = watch(job, scheduler_for(job), interval, to_stderr=as_json)
    except KeyboardInterrupt:
        note(f"job {job.job_id} goes on. Come back: halocline submit --follow {file}")
        raise
    if as_json:
        print_json(_data(job, view))
    else:
        _show_end(job, view)
    if view.outcome is not ExitCode.OK:
        raise RunFailedError(_sentence(job, view), view.outcome)


def _show_end(job: SubmittedJob, view: JobView) -> None:
    show_job(job, view)
    record = Path(job.record) if job.record else None
    if view.outcome is ExitCode.OK and record is not None and record.is_file():
        from halocline.cli.run import print_summary
        from halocline.record.store import read_record

        print_summary(read_record(record), job.name)
    sys.stdout.flush()


def _sentence(job: SubmittedJob, view: JobView) -> str:
    code = f" with exit code {view.exit_code}" if view.exit_code is not None else ""
    if view.outcome is ExitCode.STOPPED_EARLY:
        return (
            f"job {view.job_id} stopped early{code} and has saved what it had. "
            f"Start it again with: halocline submit --again {job.script.removesuffix('.sh')}.json"
        )
    if view.phase is Phase.UNKNOWN:
        return (
            f"{job.scheduler} knows nothing of job {view.job_id} (any more), and the job has left "
            f"no last note. See {job.log}."
        )
    ended = "ended" if view.phase is Phase.COMPLETED else f"is over: {view.phase}"
    why = f" ({view.reason})" if view.reason else ""
    return f"job {view.job_id} {ended}{code}{why}. See {job.log}."


def _data(job: SubmittedJob, view: JobView) -> dict[str, Any]:
    return {
        **view.as_json(),
        "scheduler": job.scheduler,
        "name": job.name,
        "submitted": job.submitted,
        "script_file": job.script,
        "log_file": job.log,
        "status_file": job.status,
        "record_file": job.record,
    }
