# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""PBS Professional and OpenPBS: qsub directives, states from qstat as JSON."""

from __future__ import annotations

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
from halocline.units import clock_text

NOT_AGAIN, AGAIN = "-r n", "-r y"
PHASES = {
    **dict.fromkeys("QHWT", Phase.PENDING),
    **dict.fromkeys("RBESU", Phase.RUNNING),
}


class Pbs(Scheduler):
    """PBS has no signal before the time limit: the script keeps that clock itself."""

    name = "pbs"
    mark = "#PBS"
    job_variable = "PBS_JOBID"
    task_variable = "PBS_ARRAY_INDEX"
    hostfile = Markup('"$PBS_NODEFILE"')

    def directives(self, job: Job) -> list[str]:
        """Return qsub's options."""
        shape, timing = job.shape, job.timing
        chunk = f"select={shape.nodes}:ncpus={shape.cores_per_node}"
        chunk += f":mpiprocs={shape.ranks_per_node}:ompthreads={shape.threads}"
        chunk += f":ngpus={shape.gpus_per_node}" if shape.gpus_per_node else ""
        chunk += f":mem={job.memory_mib}mb" if job.memory_mib else ""
        words = [f"-N {job.name}", f"-l {chunk}"]
        words.append(f"-l place=scatter{':excl' if job.exclusive else ''}")
        words += [f"-l walltime={clock_text(timing.limit_s)}"] if timing.limit_s else []
        words += [f"-A {job.account}"] if job.account else []
        words += [f"-q {job.queue}"] if job.queue else []
        # Not rerunnable: the script itself submits again what stopped early.
        words += [
            NOT_AGAIN,
            "-j oe",
            f"-o {scheduler_log(job.files.script).name}",
            "-S /bin/bash",
            "-V",
        ]
        return words

    def submit(self, script: Path) -> str:
        """Call qsub."""
        return call(["qsub", f"./{script.name}"], folder=script.parent).strip()

    def array_header(self, header: Sequence[str], tasks: int, at_once: int) -> list[str]:
        """Add the range of tasks; PBS takes no arrays but those that it may run again."""
        kept = [line.replace(f"{self.mark} {NOT_AGAIN}", f"{self.mark} {AGAIN}") for line in header]
        return [*kept, f"{self.mark} -J {''.join(task_range(tasks, at_once))}"]

    def task_id(self, array_id: str, task: int) -> str:
        """Put the task between the brackets of the array's number, `7[].server`."""
        return array_id.replace("[]", f"[{task}]", 1)

    def state(self, job_id: str) -> QueueState:
        """Ask qstat, ended jobs included where the server keeps them."""
        try:
            answer = call(["qstat", "-x", "-f", "-F", "json", job_id])
        except RunFailedError:
            return QueueState(Phase.UNKNOWN)
        return read_state(answer, job_id)

    def cancel(self, job_id: str) -> None:
        """Call qdel."""
        call(["qdel", job_id])


def read_state(answer: str, job_id: str) -> QueueState:
    """Read the JSON of qstat."""
    try:
        jobs = json_answer(answer).get("Jobs", {})
    except ValueError:
        return QueueState(Phase.UNKNOWN)
    if not isinstance(jobs, dict):
        return QueueState(Phase.UNKNOWN)
    number = job_id.partition(".")[0]
    job = next((data for key, data in jobs.items() if key.partition(".")[0] == number), None)
    if not isinstance(job, dict):
        return QueueState(Phase.UNKNOWN)
    raw, code = str(job.get("job_state", "")), job.get("Exit_status")
    code = code if isinstance(code, int) else None
    phase = PHASES.get(raw, Phase.UNKNOWN)
    if raw in ("F", "X"):
        phase = _ended(code)
    return QueueState(
        phase=phase,
        raw=raw,
        reason=str(job.get("comment", "")),
        hosts=str(job.get("exec_host", "")),
        exit_code=_exit_code(code) if phase.over else None,
    )


def _exit_code(code: int | None) -> int | None:
    """PBS adds 256 to the number of a signal."""
    return 128 + code - 256 if code is not None and code > 256 else code


def _ended(code: int | None) -> Phase:
    """Negative codes are PBS's own, -29 the time limit; no code: deleted before it ran."""
    if code is None:
        return Phase.CANCELLED
    if code == -29:
        return Phase.TIMEOUT
    if code in (271, 265):  # ended by SIGTERM or SIGKILL, which is what qdel sends
        return Phase.CANCELLED
    return Phase.COMPLETED if code == 0 else Phase.FAILED
