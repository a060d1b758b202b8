#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs an example on every back end and several rank counts; its output must always be the same.

Lines that start with "# " tell about the run (ranks, messages) and are left out of the comparison.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path


def output_of(command: list[str], backend: str) -> str:
    """Returns what the program prints; ends the test when it fails or says anything else."""
    environment = os.environ | {"HALOCLINE_BACKEND": backend}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ({backend}) ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def compared(text: str) -> str:
    """The part of an output that must not depend on back end and ranks."""
    return "".join(line for line in text.splitlines(True) if not line.startswith("# "))


def main() -> int:
    """Returns 1 at the first output that differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--expected", type=Path, required=True)
    parser.add_argument("--mpirun", required=True, help="launcher and its flags")
    parser.add_argument("--ranks", type=int, nargs="+", required=True)
    parser.add_argument("--told", nargs="*", default=[], help="RANKS:REGEX a '# ' line matches")
    parser.add_argument("--backends", nargs="+", required=True)
    options = parser.parse_args()
    expected = options.expected.read_text(encoding="utf-8")
    launcher, *flags = shlex.split(options.mpirun)
    told = dict(item.split(":", 1) for item in options.told)
    for backend in options.backends:
        for ranks in options.ranks:
            command = [launcher, "-n", str(ranks), *flags, options.program]
            output = output_of(command, backend)
            where = f"{backend}, {ranks} rank(s)"
            if compared(output) != expected:
                print(f"{where}: printed\n{output}instead of\n{expected}", end="")
                return 1
            # The check back end also exchanges halos that are up to date, to compare them.
            judged = str(ranks) in told and backend != "check"
            if judged and not re.search(told[str(ranks)], output, re.MULTILINE):
                print(f"{where}: no line matches {told[str(ranks)]!r} in\n{output}", end="")
                return 1
            print(f"{where}: as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
