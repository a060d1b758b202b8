# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""IBM Spectrum LSF: bsub directives, states from bjobs as JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from halocline.errors import RunFailedError
from halocline.submit.job import Job, scheduler_log
from halocline.submit.schedulers.scheduler import (
    Phase,
    QueueState,
    Scheduler,
    call,
    json_answer,
    task_range,
)

#: Exit code by which our script asks LSF to put the job back (bsub -Q).
REQUEUE_CODE = 99
FIELDS = "jobid stat exit_code exit_reason exec_host pend_reason"
PHASES = {
    **dict.fromkeys(("PEND", "PSUSP", "WAIT", "PROV"), Phase.PENDING),
    **dict.fromkeys(("RUN", "USUSP", "SSUSP"), Phase.RUNNING),
    "DONE": Phase.COMPLETED,
    "EXIT": Phase.FAILED,
}


class Lsf(Scheduler):
    """LSF counts in minutes: limits are rounded up, the notice too."""

    name = "lsf"
    mark = "#BSUB"
    job_variable = "LSB_JOBID"
    task_variable = "LSB_JOBINDEX"
    sends_notice = True
    hostfile = Markup('"$LSB_DJOB_HOSTFILE"')
    agent = "blaunch"

    def directives(self, job: Job) -> list[str]:
        """Return bsub's options."""
        shape, timing = job.shape, job.timing
        resources = [f"span[ptile={shape.ranks_per_node}]"]
        resources += [f"affinity[core({shape.threads})]"] if shape.threads > 1 else []
        resources += [f"rusage[mem={job.memory_mib}MB]"] if job.memory_mib else []
        words = [f"-J {job.name}", f"-n {shape.ranks}", f'-R "{" ".join(resources)}"']
        words += [f'-gpu "num={shape.gpus_per_node}"'] if shape.gpus_per_node else []
        words += [f"-W {_minutes_text(timing.limit_s)}"] if timing.limit_s else []
        if timing.notice_s:
            words += [f"-wa '{timing.signal}'", f"-wt '{-(-timing.notice_s // 60)}'"]
        words += [f"-P {job.account}"] if job.account else []
        words += [f"-q {job.queue}"] if job.queue else []
        words += ["-x"] if job.exclusive else []
        words += [f'-Q "{REQUEUE_CODE}"'] if timing.requeue else []
        words += [f"-o {scheduler_log(job.files.script).name}", "-L /bin/bash"]
        return words

    def submit(self, script: Path) -> str:
        """Call bsub, which reads the script from its input."""
        answer = call(["bsub"], folder=script.parent, stdin=script)
        match = re.search(r"Job <(\d+)>", answer)
        if match is None:
            raise RunFailedError(f"'bsub' answered without a job number: {answer.strip()}")
        return match[1]

    def array_header(self, header: Sequence[str], tasks: int, at_once: int) -> list[str]:
        """Add the range of tasks to the name."""
        numbers, limit = task_range(tasks, at_once)
        name = f"{self.mark} -J "
        return [
            f'{name}"{line.removeprefix(name)}[{numbers}]{limit}"'
            if line.startswith(name)
            else line
            for line in header
        ]

    def task_id(self, array_id: str, task: int) -> str:
        """Return array and task."""
        return f"{array_id}[{task}]"

    def state(self, job_id: str) -> QueueState:
        """Ask bjobs."""
        try:
            return read_state(call(["bjobs", "-a", "-json", "-o", FIELDS, job_id]))
        except RunFailedError:
            return QueueState(Phase.UNKNOWN)

    def cancel(self, job_id: str) -> None:
        """Call bkill."""
        call(["bkill", job_id])


def read_state(answer: str) -> QueueState:
    """Read the JSON of bjobs."""
    try:
        record = json_answer(answer)["RECORDS"][0]
    except (LookupError, TypeError, ValueError):
        return QueueState(Phase.UNKNOWN)
    if not isinstance(record, dict):
        return QueueState(Phase.UNKNOWN)
    raw = str(record.get("STAT", ""))
    phase = PHASES.get(raw, Phase.UNKNOWN)
    why = str(record.get("EXIT_REASON", ""))
    if phase is Phase.FAILED and "TERM_RUNLIMIT" in why:
        phase = Phase.TIMEOUT
    elif phase is Phase.FAILED and ("TERM_OWNER" in why or "TERM_ADMIN" in why):
        phase = Phase.CANCELLED
    code = str(record.get("EXIT_CODE", ""))
    return QueueState(
        phase=phase,
        raw=raw,
        reason=str(record.get("PEND_REASON", "")) if phase is Phase.PENDING else why,
        hosts=str(record.get("EXEC_HOST", "")),
        exit_code=int(code) if code.isdigit() else 0 if phase is Phase.COMPLETED else None,
    )


def _minutes_text(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
