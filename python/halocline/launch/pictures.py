# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Has the pictures of a case drawn beside its run, by a process of its own at low priority.

Nothing that happens to it is a fault of the run.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from halocline.case.model import Case
from halocline.errors import ExitCode
from halocline.launch.ourselves import own_command
from halocline.launch.process import PR_SET_PDEATHSIG
from halocline.terminal import note

MODULE = "halocline.plot.beside"
PICTURES = "pictures"
"""Folder of the pictures, in the output folder."""
NICENESS = 10
"""Where every core computes it gets about a tenth of one; at 19 it would get a hundredth."""
THREADS = (
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
    *("VTK_SMP_MAX_THREADS", "LP_NUM_THREADS"),
)
ONE_THREAD = dict.fromkeys(THREADS, "1")
"""The cores are the run's. The last two are of VTK and of Mesa, which draws without a GPU."""
PATIENCE_S = 30.0
"""For the picture that is being drawn when a run stops early."""

End = Callable[[int], None]
"""Called with the exit code of the run; returns when the pictures are done."""


def job_text(case: Case, base: Path, since_ns: int) -> str:
    """Return the job of `halocline.plot.beside`.

    Args:
        case: the case.
        base: folder of the case file.
        since_ns: see `Job.since_ns`; 0: any results file is meant.
    """
    return json.dumps(
        {
            "folder": str(base / case.output.directory),
            "prefix": case.output.prefix,
            "mesh": str(base / case.mesh.directory / case.mesh.input),
            "title": case.title,
            "since_ns": since_ns,
            "pictures": [picture.plain() for picture in case.output.pictures],
        }
    )


@contextmanager
def drawn_beside(case: Case, base: Path, begun: Path) -> Iterator[End]:
    """Draw the pictures of a case while the block runs its program; yields what to call then.

    Args:
        case: the case; without pictures nothing is started.
        base: folder of the case file.
        begun: a file of the output folder that has just been written.
    """
    if not case.output.pictures:
        yield lambda _: None
        return
    process = _start(job_text(case, base, begun.stat().st_mtime_ns))
    try:
        yield lambda code: _end(process, code)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def _start(job: str) -> subprocess.Popen[bytes]:
    prctl = ctypes.CDLL(None).prctl

    def step_back() -> None:
        """In the child: it leaves the cores to the run, and ends with us."""
        os.nice(NICENESS)
        prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)

    return subprocess.Popen(
        own_command(job, module=MODULE),
        stdin=subprocess.PIPE,
        stdout=sys.stderr.fileno(),
        env={**os.environ, **ONE_THREAD},
        preexec_fn=step_back,  # noqa: PLW1509 - calls the kernel, touches nothing of Python's
    )


def _end(process: subprocess.Popen[bytes], code: int) -> None:
    """Have the rest drawn; of a run that stopped early and will go on, only begun pictures."""
    early = code == ExitCode.STOPPED_EARLY
    if process.stdin is not None:
        with contextlib.suppress(OSError):  # it is gone: its exit code tells
            os.write(process.stdin.fileno(), b"stop\n" if early else b"finish\n")
    try:
        ended = process.wait(PATIENCE_S if early else None)
    except subprocess.TimeoutExpired:
        return
    except KeyboardInterrupt:
        note("the pictures that wait are not drawn. Draw them with: halocline plot --case.")
        return
    if ended != 0:
        note(
            f"pictures: the process that draws ended with code {ended} (the run is not touched by "
            "it). Draw what is missing with: halocline plot --case."
        )
