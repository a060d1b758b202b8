# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sessions of processes: who belongs to one, and how all of it ends.

Launchers put ranks into process groups of theirs, but none leaves the session of its launch.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

GRACE_S = 3.0
#: The environment variable that tells whose run a process belongs to.
MARK = "HALOCLINE_STUDY_RUN"


def session_members(session: int) -> list[int]:
    """Return the processes of a session that have not ended."""
    found = []
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError, IndexError):
            stat = Path(entry.path, "stat").read_bytes().rpartition(b")")[2].split()
            if int(stat[3]) == session and stat[0] not in (b"Z", b"X"):
                found.append(int(entry.name))
    return found


def signal_session(session: int, number: int) -> None:
    """Send a signal to all processes of a session."""
    for pid in session_members(session):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def end_session(session: int) -> None:
    """End all processes of a session: SIGTERM, and SIGKILL after a grace of 3 s."""
    left = session_members(session)
    if not left:
        return
    deadline = time.perf_counter() + GRACE_S
    signal_session(session, signal.SIGTERM)
    while left and time.perf_counter() < deadline:
        time.sleep(0.01)
        left = session_members(session)
    if left:
        signal_session(session, signal.SIGKILL)


def end_orphans(session: int, mark: str) -> int:
    """End what a run of a killed driver has left; return how many processes that were.

    A session's number is given to another once the session is empty: the mark tells them apart.
    """
    ours = [pid for pid in session_members(session) if _is_marked(pid, mark)]
    if ours:
        end_session(session)
    return len(ours)


def _is_marked(pid: int, mark: str) -> bool:
    try:
        return f"{MARK}={mark}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False
