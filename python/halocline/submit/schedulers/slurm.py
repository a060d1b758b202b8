# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Slurm: sbatch directives, states from squeue and sacct as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from halocline.errors import HaloclineError, RunFailedError
from halocline.submit.job import Job, scheduler_log
from halocline.submit.schedulers.scheduler import (
    Phase,
    QueueState,
    Scheduler,
    call,
    json_answer,
    task_range,
)
from halocline.units import clock_text

PHASES = {
    "PENDING": Phase.PENDING,
    "CONFIGURING": Phase.PENDING,
    "REQUEUED": Phase.PENDING,
    "REQUEUE_HOLD": Phase.PENDING,
    "REQUEUE_FED": Phase.PENDING,
    "RESV_DEL_HOLD": Phase.PENDING,
    "SPECIAL_EXIT": Phase.PENDING,
    "RUNNING": Phase.RUNNING,
    "COMPLETING": Phase.RUNNING,
    "SIGNALING": Phase.RUNNING,
    "STAGE_OUT": Phase.RUNNING,
    "SUSPENDED": Phase.RUNNING,
    "STOPPED": Phase.RUNNING,
    "RESIZING": Phase.RUNNING,
    "COMPLETED": Phase.COMPLETED,
    "CANCELLED": Phase.CANCELLED,
    "REVOKED": Phase.CANCELLED,
    "TIMEOUT": Phase.TIMEOUT,
    "DEADLINE": Phase.TIMEOUT,
}


class Slurm(Scheduler):
    """Slurm from 21.08 on, which answers in JSON."""

    name = "slurm"
    mark = "#SBATCH"
    job_variable = "SLURM_JOB_ID"
    task_variable = "SLURM_ARRAY_TASK_ID"
    sends_notice = True

    def directives(self, job: Job) -> list[str]:
        """Return sbatch's options."""
        shape, timing = job.shape, job.timing
        words = [
            f"--job-name={job.name}",
            f"--nodes={shape.nodes}",
            f"--ntasks-per-node={shape.ranks_per_node}",
            f"--cpus-per-task={shape.threads}",
        ]
        if shape.gpus_per_node:
            kind = job.site.slurm.gpu_directive
            of = "gpu:" if kind == "gres" else ""
            words.append(f"--{kind}={of}{shape.gpus_per_node}")
        if job.memory_mib:
            words.append(f"--mem={job.memory_mib}M")
        if timing.limit_s:
            words.append(f"--time={clock_text(timing.limit_s, with_days=True)}")
        if timing.notice_s:
            words.append(f"--signal=B:{timing.signal}@{timing.notice_s}")
        words += [f"--account={job.account}"] if job.account else []
        words += [f"--partition={job.queue}"] if job.queue else []
        words += ["--exclusive"] if job.exclusive else []
        words.append("--requeue" if timing.requeue else "--no-requeue")
        words += ["--open-mode=append", f"--output={scheduler_log(job.files.script).name}"]
        return words

    def submit(self, script: Path) -> str:
        """Call sbatch; a federation answers `number;cluster`.

        Slurm replaces %j and the like in the whole path of its log, folders included.
        """
        words = ["sbatch", "--parsable"]
        if "%" in str(script.parent):
            words.append(f"--output={str(scheduler_log(script)).replace('%', '%%')}")
        answer = call([*words, f"./{script.name}"], folder=script.parent)
        return answer.strip().partition(";")[0]

    def array_header(self, header: Sequence[str], tasks: int, at_once: int) -> list[str]:
        """Add the range of tasks."""
        return [*header, f"{self.mark} --array={''.join(task_range(tasks, at_once))}"]

    def task_id(self, array_id: str, task: int) -> str:
        """Return array and task."""
        return f"{array_id}_{task}"

    def state(self, job_id: str) -> QueueState:
        """Ask squeue, which forgets ended jobs after minutes, then the accounting."""
        queue = ["squeue", "--json", "--states=all", "-j", job_id]
        for words in (queue, ["sacct", "--json", "-j", job_id]):
            found = _find(_ask(words), job_id)
            if found is not None:
                return _read(found)
        return QueueState(Phase.UNKNOWN)

    def cancel(self, job_id: str) -> None:
        """Call scancel."""
        call(["scancel", job_id])


def _ask(words: list[str]) -> list[dict[str, Any]]:
    try:
        answer = json_answer(call(words))
    except RunFailedError:  # no accounting here, or the controller is busy: not the job's fault
        return []
    except ValueError:
        raise HaloclineError(
            f"'{words[0]} --json' did not answer in JSON (Slurm before 21.08?). "
            "Update Slurm or look with squeue."
        ) from None
    jobs = answer.get("jobs", [])
    return [job for job in jobs if isinstance(job, dict)] if isinstance(jobs, list) else []


def _find(jobs: list[dict[str, Any]], job_id: str) -> dict[str, Any] | None:
    """Return a job; as JSON, squeue of Slurm 22.05 lists all jobs whatever it is asked for.

    Tasks of an array that have not begun share an entry without a task number.
    """
    array, _, task = job_id.partition("_")
    if not task:
        return next((job for job in jobs if str(job.get("job_id")) == job_id), None)
    tasks = {each: job for job in jobs for each in [_task(job, array)] if each is not None}
    return tasks.get(task, tasks.get(""))


def _task(job: dict[str, Any], array: str) -> str | None:
    """Return a job's number in an array, "" of those that wait, None where it is no task of it."""
    section = job.get("array")
    if isinstance(section, dict):  # as sacct has it
        own, number = section.get("job_id"), section.get("task_id")
    else:
        own, number = job.get("array_job_id"), job.get("array_task_id")
    if str(_number(own)) != array:
        return None
    found = _number(number)
    return "" if found is None else str(found)


def _read(job: dict[str, Any]) -> QueueState:
    """Read what versions spell differently: state as word, list or section, codes likewise."""
    state = job.get("job_state") or job.get("state") or ""
    reason: Any = job.get("state_reason") or ""
    if isinstance(state, dict):
        reason = state.get("reason") or reason
        state = state.get("current") or ""
    words = [str(word) for word in state] if isinstance(state, list) else [str(state)]
    raw = next(iter(words[0].split()), "") if words else ""
    phase = PHASES.get(raw, Phase.FAILED if raw else Phase.UNKNOWN)
    if raw == "COMPLETED" and "COMPLETING" in words:
        phase = Phase.RUNNING
    code = _exit_code(job.get("exit_code")) if phase.over else None
    return QueueState(
        phase=phase,
        raw=raw,
        reason="" if reason in ("None", None) else str(reason),
        hosts=str(job.get("nodes") or ""),
        exit_code=None if phase is Phase.CANCELLED and code == 0 else code,
        restarts=int(_number(job.get("restart_cnt")) or 0),
    )


def _exit_code(given: Any) -> int | None:
    """Return the exit code; plain numbers are wait statuses, a signal counts 128 + its number."""
    if isinstance(given, dict):
        section = given.get("signal")
        named = section.get("id") if isinstance(section, dict) else None
        signal = _number(named or given.get("signal_id"))
        code = _number(given.get("return_code"))
        return 128 + signal if signal else code
    if not isinstance(given, int):
        return None
    return 128 + (given & 0x7F) if given & 0x7F else given >> 8


def _number(given: Any) -> int | None:
    """Newer versions wrap numbers: {"set": true, "infinite": false, "number": 3}."""
    if isinstance(given, dict):
        return _number(given.get("number")) if given.get("set", True) else None
    return given if isinstance(given, int) else None
