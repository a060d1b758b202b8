# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Processes as others know them by a name on a shared disk: who made a file, and whether he lives.

The native programs compute the same: src/halocline/core/process_identity.cpp.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

FNV_START, FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3


class Life(Enum):
    """Whether a process lives; unknown if it is of another machine."""

    ALIVE = "alive"
    DEAD = "dead"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class ProcessIdentity:
    """A process, distinguished from all others that ever had its number."""

    host: str
    #: 16 hexadecimal digits: host, its start, its table of processes.
    machine: str
    pid: int
    #: Clock ticks from the machine's start to the process's; 0: not known.
    start: int


def this_process() -> ProcessIdentity:
    """Return the identity of this process."""
    return ProcessIdentity(os.uname().nodename, _machine(), os.getpid(), _start_of(os.getpid()))


def life_of(process: ProcessIdentity) -> Life:
    """Say whether a process lives, where this host can know it."""
    if process.machine != _machine() or process.pid <= 0:
        return Life.UNKNOWN
    try:
        os.kill(process.pid, 0)
    except (ProcessLookupError, OverflowError):
        return Life.DEAD
    except OSError:  # it is another user's
        pass
    start = _start_of(process.pid)
    return Life.DEAD if process.start and start and start != process.start else Life.ALIVE


def _machine() -> str:
    """FNV-1a over host name, boot number and process namespace: a container is a machine."""
    try:
        namespace = bytes(Path("/proc/self/ns/pid").readlink())
    except OSError:
        namespace = b""
    boot = _proc_bytes("/proc/sys/kernel/random/boot_id")
    value = FNV_START
    for byte in os.fsencode(os.uname().nodename) + b"\n" + boot + namespace:
        value = (value ^ byte) * FNV_PRIME % 2**64
    return f"{value:016x}"


def _start_of(pid: int) -> int:
    """Field 22 of /proc/<pid>/stat; the command in front may hold blanks and parentheses."""
    fields = _proc_bytes(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return int(fields[19]) if len(fields) > 19 else 0


def _proc_bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""
