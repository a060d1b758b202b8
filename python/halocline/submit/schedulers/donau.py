# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Donau: dsub directives; the job's own notes tell its state."""

from __future__ import annotations

import re
from pathlib import Path

from markupsafe import Markup

from halocline.errors import RunFailedError
from halocline.submit.job import Job
from halocline.submit.schedulers.scheduler import Phase, QueueState, Scheduler, call
from halocline.submit.site import DSTART
from halocline.submit.words import shell_variable
from halocline.units import clock_text


class Donau(Scheduler):
    """Donau; hosts and task count come from the allocation file inside the job."""

    name = "donau"
    mark = "#DSUB"
    job_variable = "CCS_JOB_ID"
    keeps_states = False
    keeps_limit = False
    hostfile = Markup('"$hostfile"')
    agent = DSTART

    def ranks_word(self, job: Job) -> Markup:  # noqa: ARG002 - the allocation says it
        """Return the variable that the script computes from the allocation file."""
        return shell_variable("ranks")

    def directives(self, job: Job) -> list[str]:
        """Return dsub's options; resources are those of one replica."""
        shape, donau = job.shape, job.site.donau
        by_node = donau.replica == "node"
        resources = [f"cpu={shape.cores_per_node if by_node else shape.threads}"]
        resources += [f"mem={_share(job.memory_mib, job)}"] if job.memory_mib else []
        resources += [f"gpu={_share(shape.gpus_per_node, job)}"] if shape.gpus_per_node else []
        words = [f"--job_type {donau.job_type}", f"-n {job.name}"]
        words += [f"-A {job.account}"] if job.account else []
        words += [f"-q {job.queue}"] if job.queue else []
        words += [f"-R {';'.join(resources)}", f"-N {shape.nodes if by_node else shape.ranks}"]
        if donau.time_directive and job.timing.limit_s:
            seconds = job.timing.limit_s
            words.append(
                donau.time_directive.replace("{seconds}", str(seconds))
                .replace("{minutes}", str(-(-seconds // 60)))
                .replace("{clock}", clock_text(seconds))
            )
        return [*words, f"-o {donau.output}", f"-e {donau.error}"]

    def submit(self, script: Path) -> str:
        """Call dsub; the first number of its answer is the job's."""
        answer = call(["dsub", "-s", f"./{script.name}"], folder=script.parent)
        match = re.search(r"\d+", answer)
        if match is None:
            raise RunFailedError(f"'dsub' answered without a job number: {answer.strip()}")
        return match[0]

    def state(self, job_id: str) -> QueueState:  # noqa: ARG002 - see the class
        """Leave the answer to what the script notes about itself."""
        return QueueState(Phase.UNKNOWN)

    def cancel(self, job_id: str) -> None:
        """Call what the site file says."""
        words = [word.replace("{job}", job_id) for word in self.site.donau.cancel]
        if not words:
            raise RunFailedError(
                f"the site file does not say how Donau cancels job {job_id} here. "
                'Add cancel = ["COMMAND", "{job}"] to its [donau], or cancel it by hand.'
            )
        call(words)


def _share(amount: int, job: Job) -> int:
    """Share of one replica, at least one."""
    if job.site.donau.replica == "node":
        return amount
    return max(1, amount // job.shape.ranks_per_node)
