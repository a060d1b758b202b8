# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads a launch line: which word launches, which words are its options, which one is the program.

Launchers share no grammar. What follows an option is skipped by its known number of values; after
an option this file does not know, a word counts as its value unless it names a program.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import UsageError

MPIRUN = re.compile(r"(mpirun|mpiexec|orterun|prterun|prun)([.-].+)?")


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Options of Open MPI's mpirun and of Hydra, without leading hyphens, by number of values.
TWO_VALUES = frozenset({"mca", "gmca", "omca", "pmca", "prtemca", "genv", "env"})
ONE_VALUE = _names(
    "n np c H host hosts hostfile machinefile default-hostfile map-by rank-by bind-to membind x "
    "wdir wd app output-filename path prefix rankfile rf npernode npersocket N report-uri stdin "
    "tune am timeout cpu-list cpu-set slot-list personality dvm ompi-server launch-agent "
    "f ppn envlist genvlist configfile launcher launcher-exec rmk topolib demux iface nameserver "
    "outfile-pattern errfile-pattern prepend-pattern localhost usize gpus-per-proc"
)
NO_VALUE = _names(
    "allow-run-as-root oversubscribe nooversubscribe use-hwthread-cpus quiet q verbose v d l s "
    "display-map display-allocation display-devel-map report-bindings tag-output timestamp-output "
    "enable-recovery disable-recovery bycore byslot bynode bysocket pernode novm nolocal "
    "do-not-launch do-not-resolve debug-daemons mpich info print-all-exitcodes prepend-rank "
    "genvall genvnone envall envnone profile enable-x disable-x order-nodes skip-launch-node "
    "disable-auto-cleanup disable-hostname-propagation pmi-port"
)
# Options of srun: a single letter takes the next word unless it is one of these.
SRUN_LETTERS_ALONE = frozenset("EhHIKlOQsuvVXZk")
SRUN_WORDS_ALONE = _names(
    "label unbuffered exclusive overlap pty quiet verbose multi-prog no-kill kill-on-bad-exit "
    "disable-status preserve-env spread-job use-min-nodes overcommit oversubscribe hold "
    "immediate exact interactive contiguous reboot no-allocate propagate whole"
)


@dataclass(frozen=True)
class Part:
    """One program of a launch line with the options before it: word positions, end excluded."""

    first_option: int
    program: int
    end: int


@dataclass(frozen=True)
class LaunchLine:
    """A launch line taken apart; without a launcher the whole line is one program."""

    words: tuple[str, ...]
    launcher: int | None
    parts: tuple[Part, ...]

    @property
    def launcher_name(self) -> str | None:
        """Base name of the launcher, e.g. `mpirun.mpich`."""
        return None if self.launcher is None else Path(self.words[self.launcher]).name

    @property
    def by_srun(self) -> bool:
        """Whether Slurm launches the ranks itself."""
        return self.launcher_name == "srun"

    def options(self, part: Part) -> tuple[str, ...]:
        """Words of the launcher's options in front of a program."""
        return self.words[part.first_option : part.program]

    def command(self, part: Part) -> tuple[str, ...]:
        """A program with its arguments."""
        return self.words[part.program : part.end]


def read_launch_line(words: Sequence[str]) -> LaunchLine:
    """Take a launch line apart."""
    if not words:
        raise UsageError(
            "no launch line given (nothing to start). "
            "Write it after two hyphens: halocline … -- mpirun -n 4 ./app."
        )
    given = tuple(words)
    launcher = _launcher_position(given)
    if launcher is None:
        return LaunchLine(given, None, (Part(0, 0, len(given)),))
    srun = Path(given[launcher]).name == "srun"
    parts = []
    start = launcher + 1
    while start <= len(given):
        end = len(given) if srun else _separator(given, start)
        parts.append(Part(start, _program_position(given, start, end, srun), end))
        start = end + 1
    return LaunchLine(given, launcher, tuple(parts))


def _launcher_position(words: Sequence[str]) -> int | None:
    """First word that is a launcher: other words may precede it, e.g. `nice -n 5` or `env A=b`."""
    for place, word in enumerate(words):
        name = Path(word).name
        if MPIRUN.fullmatch(name) or name == "srun":
            return place
    return None


def _separator(words: Sequence[str], start: int) -> int:
    for place in range(start, len(words)):
        if words[place] == ":":
            return place
    return len(words)


def _program_position(words: Sequence[str], start: int, end: int, srun: bool) -> int:
    place = start
    while place < end and words[place].startswith("-"):
        place += 1 + (_srun_values(words[place]) if srun else _mpirun_values(words, place, end))
    if place >= end:
        raise UsageError(
            f"'{' '.join(words)}' names no program to launch (only options follow the launcher). "
            "Put the program after them: mpirun -n 4 ./app."
        )
    return place


def _mpirun_values(words: Sequence[str], place: int, end: int) -> int:
    name = words[place].lstrip("-")
    if "=" in name:
        return 0
    for count, names in ((2, TWO_VALUES), (1, ONE_VALUE), (0, NO_VALUE)):
        if name in names:
            return count
    follower = words[place + 1] if place + 1 < end else ""
    return 0 if follower.startswith("-") or is_program(follower) else 1


def _srun_values(word: str) -> int:
    if word.startswith("--"):
        return 0 if "=" in word or word[2:] in SRUN_WORDS_ALONE else 1
    return 0 if len(word) > 2 or word[1:] in SRUN_LETTERS_ALONE else 1


def is_program(word: str) -> bool:
    """Whether a word names an executable file, here or on the PATH."""
    return resolve_program(word) is not None


def resolve_program(word: str) -> Path | None:
    """Return the file that a shell would start for `word`."""
    found = shutil.which(word) if word else None
    return Path(found) if found and os.access(found, os.X_OK) else None
