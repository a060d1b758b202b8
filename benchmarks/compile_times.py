#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What programs of users take to compile: processor time of the compiler, without ccache, in turns.

    benchmarks/compile_times.py [--repetitions 5] [PROGRAM...]

Programs are examples as the build compiles them (build/compile_commands.json). Lines are those that
the compiler reads.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import statistics
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
PROGRAMS = ["01_first_loop", "04_chain", "08_airfoil", "09_tetrahedra"]


def command_of(program: str, build: Path) -> list[str]:
    """The compiler's words for main.cpp of an example, with the object thrown away.

    A build that joins sources names a file of its own; what it includes is compiled alone here.
    """
    source = TOP / "examples" / program / "main.cpp"
    objects = f"examples/CMakeFiles/{program}.dir/"
    commands = json.loads((build / "compile_commands.json").read_text())
    command = next(each for each in commands if objects in each["command"])
    words = [word for word in shlex.split(command["command"]) if not word.endswith("ccache")]
    words[words.index("-o") + 1] = os.devnull
    return [str(source) if word == command["file"] else word for word in words]


def compile_s(words: list[str], build: Path) -> float:
    """Processor time of one compilation."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, cwd=build, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def count_lines(words: list[str], build: Path) -> int:
    """Lines of the source with all that it includes."""
    place = words.index("-o")
    words = ["-E" if word == "-c" else word for word in words[:place] + words[place + 2 :]]
    text = subprocess.run(words, cwd=build, check=True, capture_output=True)
    return text.stdout.count(b"\n")


def main() -> None:
    """Time every program in turns, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", default=PROGRAMS, metavar="PROGRAM")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--build", type=Path, default=TOP / "build")
    given = parser.parse_args()
    commands = {program: command_of(program, given.build) for program in given.programs}
    seconds: dict[str, list[float]] = {program: [] for program in commands}
    for _ in range(given.repetitions):
        for program, words in commands.items():
            seconds[program].append(compile_s(words, given.build))
    print(f"{'program':<16} {'median s':>9} {'smallest':>9} {'largest':>9} {'lines':>9}")
    for program, times in seconds.items():
        lines = count_lines(commands[program], given.build)
        print(
            f"{program:<16} {statistics.median(times):>9.2f} {min(times):>9.2f} "
            f"{max(times):>9.2f} {lines:>9}"
        )


if __name__ == "__main__":
    main()
