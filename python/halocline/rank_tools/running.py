# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds the ranks of a job that runs on this host, by the variables that launchers gave them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import InvalidInputError, UsageError
from halocline.rank_tools.numbering import ANY, SLURM

PROC = Path("/proc")
#: Launchers and their daemons, which may carry variables of a rank of a job around them.
NO_RANKS = re.compile(
    r"(?:mpirun|mpiexec|orterun|orted|prte|prted|prterun|srun|slurmstepd)(?:[.:-].*)?|hydra_.*"
)
JOB = "job:"


@dataclass(frozen=True)
class RunningRank:
    """A process that is a rank."""

    rank: int
    local: int
    #: Ranks of its job; None: its launcher did not say.
    size: int | None
    pid: int


def running_ranks(target: str) -> list[RunningRank]:
    """Return the ranks on this host of a launcher or rank (its pid) or of a Slurm job.

    Of a rank that is several processes, as a script and its program are, the last one counts.
    """
    if target.startswith(JOB):
        job = target.removeprefix(JOB)
        processes = [pid for pid in _all() if _environment(pid).get("SLURM_JOB_ID") == job]
        found = _ranks(processes)
        if not found:
            raise InvalidInputError(
                f"no rank of Slurm job {job} runs on this host that you may look at. Go to its "
                f"hosts (squeue -j {job}): srun --overlap --jobid {job} -w HOST halocline with …"
            )
        return found
    if not target.isdecimal():
        raise UsageError(
            f"--attach {target} is neither the number of a process nor {JOB}NUMBER of a Slurm job."
        )
    pid = int(target)
    if not (PROC / target).is_dir():
        raise InvalidInputError(f"there is no process {pid}. Is the job over, or on another host?")
    found = _ranks(_descendants(pid))
    if not found:
        raise InvalidInputError(
            f"process {pid} ({_name(pid)}) neither is nor has started a rank that you may look at. "
            "Name the process of mpirun, mpiexec or a rank."
        )
    return found


def _ranks(processes: list[int]) -> list[RunningRank]:
    by_rank: dict[int, RunningRank] = {}
    for pid in sorted(processes, key=_depth):
        variables = _environment(pid)
        rank, local, size = (
            _number(variables, (*getattr(ANY, what), *getattr(SLURM, what)))
            for what in ("rank", "local", "size")
        )
        if rank is not None and not NO_RANKS.fullmatch(_name(pid)) and pid != os.getpid():
            by_rank[rank] = RunningRank(rank, rank if local is None else local, size, pid)
    return [by_rank[rank] for rank in sorted(by_rank)]


def _number(variables: dict[str, str], names: tuple[str, ...]) -> int | None:
    texts = [variables[name] for name in names if name in variables]
    return int(texts[0]) if texts and texts[0].isdecimal() else None


def _all() -> list[int]:
    return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdecimal()]


def _descendants(pid: int) -> list[int]:
    """Return a process and all that came of it."""
    parents = {process: _parent(process) for process in _all()}
    return [process for process in parents if pid in _line(process, parents)]


def _line(process: int, parents: dict[int, int]) -> Iterator[int]:
    while process > 0:
        yield process
        process = parents.get(process, 0)


def _depth(pid: int) -> int:
    """Number of ancestors: a program comes after the script that started it."""
    depth = 0
    while pid > 1:
        pid, depth = _parent(pid), depth + 1
    return depth


def _parent(pid: int) -> int:
    try:
        after_name = (PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2]
        return int(after_name.split()[1])
    except (OSError, IndexError):  # it has ended
        return 0


def _name(pid: int) -> str:
    try:
        return (PROC / str(pid) / "comm").read_text(errors="replace").strip()
    except OSError:
        return "gone"


def _environment(pid: int) -> dict[str, str]:
    """Return what a process was started with; nothing of processes of others."""
    try:
        text = (PROC / str(pid) / "environ").read_bytes().decode("utf-8", "replace")
    except OSError:
        return {}
    return dict(item.split("=", 1) for item in text.split("\0") if "=" in item)
