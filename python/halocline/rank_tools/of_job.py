# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tools on ranks of a batch job.

`python -P -m halocline.rank_tools.of_job FOLDER TOOL…` at its end sums up what they said.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from halocline.errors import UsageError
from halocline.launch.ourselves import own_command
from halocline.preload.launch_line import LaunchLine, read_launch_line
from halocline.rank_tools.insertion import before_programs
from halocline.rank_tools.launching import SCRIPT_NAME, check_ranks
from halocline.rank_tools.numbering import ALONE, ANY, SLURM, Numbering, numbering_of
from halocline.rank_tools.report import TOOL_REPORT
from halocline.rank_tools.script import rank_script
from halocline.rank_tools.summary import REPORT_NAME, summarised
from halocline.rank_tools.tool import Tool, read_tools
from halocline.submit.job import Job
from halocline.submit.launch_line import starts_alone
from halocline.submit.program import brings_launcher

MODULE = "halocline.rank_tools.of_job"


def with_tools(job: Job, given: Sequence[str]) -> Job:
    """Return the same job with tools on chosen ranks.

    Tools may be installed where the job runs only: the script on the ranks looks for them.
    """
    if not given:
        return job
    tools = read_tools(given, installed=False)
    _refuse_terminal(tools)
    folder = job.files.folder / f"{job.name}.tools"
    words = job.program.words
    line = read_launch_line(words) if brings_launcher(words) else None
    check_ranks(tools, job.shape.ranks if line is None else None)
    script = rank_script(tools, _numbering(job, line), folder)
    own = ("sh", str(folder / SCRIPT_NAME))
    program = replace(
        job.program,
        words=tuple(before_programs(line, own)) if line else (*own, *words),
        complete=(*job.program.complete, tuple(own_command(str(folder), *given, module=MODULE))),
    )
    return replace(job, program=program, scripts=((folder / SCRIPT_NAME, script),))


def _numbering(job: Job, line: LaunchLine | None) -> Numbering:
    if line is not None:
        return numbering_of(line)
    if starts_alone(job):
        return ALONE
    return SLURM if job.launcher == "srun" else ANY


def _refuse_terminal(tools: Sequence[Tool]) -> None:
    for tool in tools:
        if tool.wants_terminal:
            raise UsageError(
                f"--tool '{tool.given}' asks its user (a batch job has no terminal). "
                "Give it --batch, or run it here: halocline run, halocline with."
            )


def summarise(folder: Path, given: Sequence[str]) -> None:
    """Show and write what tools left; the job's log takes what is shown."""
    from halocline.cli.with_tools import show_report

    report = summarised(folder, [], read_tools(given, installed=False), None)
    TOOL_REPORT.write(report, folder / REPORT_NAME)
    show_report(report)


if __name__ == "__main__":
    from halocline.cli.problems import exit_code_of

    sys.exit(exit_code_of(lambda: summarise(Path(sys.argv[1]), sys.argv[2:])))
