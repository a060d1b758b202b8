# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of temporary files, and what becomes of those that dead processes left.

A name says who writes: then nobody needs to ask whether a file is in use.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

from halocline.files.identity import Life, ProcessIdentity, life_of, this_process

LONGEST_BASE = 180
"""File systems take 255 bytes in all."""
WEEK_S = 7 * 24 * 3600
_TEMPORARY = re.compile(r"\..*\.([0-9a-f]{16})-([0-9]{1,18})-[0-9a-f]{16}\.partial", re.DOTALL)


def temporary_name(path: Path) -> Path:
    """Return `.<name>.<machine>-<process>-<16 random digits>.partial` beside `path`."""
    base = os.fsencode(path.name)
    size = min(len(base), LONGEST_BASE)
    while 0 < size < len(base) and base[size] >> 6 == 2:  # no character of UTF-8 is cut
        size -= 1
    own = this_process()
    mark = f"{own.machine}-{own.pid}-{os.urandom(8).hex()}"
    return path.with_name(f".{os.fsdecode(base[:size])}.{mark}.partial")


def remove_left_overs(folder: Path) -> None:
    """Remove temporary files of processes that are known to be dead.

    Those of this machine by their process, those of others when they are a week older than the
    folder, in which the caller has just made or renamed a file: that is the time of its file
    system, and our clock may jump.
    """
    try:
        files = list(folder.iterdir())
    except OSError:
        return
    for file in files:
        found = _TEMPORARY.fullmatch(file.name)
        if found is None:
            continue
        life = life_of(ProcessIdentity("", found[1], int(found[2]), 0))
        if life is Life.DEAD or (life is Life.UNKNOWN and _is_older_than_a_week(file, folder)):
            with contextlib.suppress(OSError):  # another's file: it stays
                file.unlink()


def _is_older_than_a_week(path: Path, folder: Path) -> bool:
    try:
        return folder.stat().st_mtime - path.lstat().st_mtime > WEEK_S
    except OSError:
        return False
