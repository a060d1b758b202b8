#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a test program under mpirun with the library preloaded, and checks what its report says.

The program prints `expect FUNCTION COUNT` for calls that must have been split, and exits with 0
when its results are right. Without `--exact` any number of split calls will do, but not none.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpirun", required=True)
    parser.add_argument("--family", required=True, choices=["openmpi", "mpich"])
    parser.add_argument("--library", required=True)
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--first", default="", help="library to preload before: a sanitizer's")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


def launch(given: argparse.Namespace, report: Path) -> subprocess.CompletedProcess[str]:
    preload = ":".join(filter(None, [given.first, given.library]))
    # More threads than cores: who waits lets the others work.
    settings = [
        "OMPI_MCA_mpi_yield_when_idle=1",
        "MEP_NUM_THREADS=2",
        "MEP_CALIBRATE=0",
        f"MEP_REPORT={report}",
        *given.set,
    ]
    options = ["--oversubscribe", "--bind-to", "none"] if given.family == "openmpi" else []
    if given.family == "openmpi" and os.geteuid() == 0:
        options.append("--allow-run-as-root")
    words = [given.mpirun, "-n", str(given.ranks), *options]
    ranks_see = ["env", f"LD_PRELOAD={preload}", *settings]
    return subprocess.run(
        [*words, *ranks_see, *given.command], capture_output=True, text=True, check=False
    )


def problems(given: argparse.Namespace, output: str, report: dict[str, object]) -> list[str]:
    split: dict[str, int] = {}
    found = []
    for row in report["rows"]:  # type: ignore[attr-defined]
        split[row["function"]] = split.get(row["function"], 0) + row["split_calls"]
        if "differed" in row["decision"]:
            found.append(f"{row['function']} from {row['bytes_from']} bytes: results differed")
    if given.exact:
        for line in output.splitlines():
            words = line.split()
            if words[:1] == ["expect"] and split.get(words[1], 0) != int(words[2]):
                found.append(f"{words[1]}: {split.get(words[1], 0)} split, expected {words[2]}")
    elif given.ranks > 1 and not sum(split.values()):
        found.append("nothing was split")
    return found


def main() -> int:
    given = arguments()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        done = launch(given, report)
        found = [] if done.returncode == 0 else [f"exit code {done.returncode}"]
        if report.exists():
            found += problems(given, done.stdout, json.loads(report.read_text()))
        else:
            found.append("no report was written")
    if found:
        print(done.stdout[-4000:], done.stderr[-8000:], sep="\n")
    print(f"{Path(given.command[0]).name} on {given.ranks} ranks: {'; '.join(found) or 'ok'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
