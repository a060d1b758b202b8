# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How often `halocline tune` decides: with nothing to gain, and with a default that is wrong.

Tunes a small program with one seed after another and counts:

    python benchmarks/tune_decisions.py --family openmpi --seeds 20 nothing
    python benchmarks/tune_decisions.py --family mpich --seeds 3 wrong

`nothing`: ranks compute, and call nothing meanwhile; every decision is a false one.
`little`: broadcasts of 8 bytes under the library's own settings, which leave little to gain.
`wrong`: settings of a user that make a collective slow; no decision is a miss. Results go to the
terminal and, a line a tuning, to --output. docs/tune.md holds what came out.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SOURCE = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
    int rank, size, calls = atoi(argv[2]), bytes = atoi(argv[3]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *from = calloc(bytes, size), *to = calloc(bytes, size);
    double sum = 0.0, begin = MPI_Wtime();
    for (int k = 0; k < calls; ++k)
        if (!strcmp(argv[1], "compute")) for (int i = 0; i < bytes; ++i) sum = 0.5 * sum + i;
        else if (!strcmp(argv[1], "bcast")) MPI_Bcast(from, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        else MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
    double elapsed = MPI_Wtime() - begin;
    if (rank == 0) printf("result %d %.17g\ntime %.9f s\n", to[0], sum, elapsed);
    MPI_Finalize();
    return 0;
}
"""
WRONG = {
    "openmpi": (
        {
            "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
            "OMPI_MCA_coll_tuned_bcast_algorithm": "6",
            "OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize": "64",
        },
        ["bcast", "20", "65536"],
    ),
    "mpich": ({"MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM": "brucks"}, ["alltoall", "300", "1048576"]),
}
NOTHING_CALLS = ["compute", "60", "1000000"]
LITTLE_CALLS = ["bcast", "2000", "8"]
#: Where other programs want the cores, ranks that give theirs up while they wait, and ranks that
#: may move, are a gain indeed: a program that has nothing to gain does both already.
YIELDING = {"openmpi": {"OMPI_MCA_mpi_yield_when_idle": "1"}, "mpich": {}}
#: What stands on every launch line.
LAUNCHER: dict[str, list[str]] = {
    "openmpi": ["--oversubscribe", "--bind-to", "none"],
    "mpich": [],
}


def compiled(family: str, folder: Path) -> list[str]:
    """Compile the program; return its launch line on two ranks."""
    (folder / "main.c").write_text(SOURCE)
    compiler, launcher = shutil.which(f"mpicc.{family}"), shutil.which(f"mpirun.{family}")
    if compiler is None or launcher is None:
        sys.exit(f"mpicc.{family} and mpirun.{family} were not found. Install {family}.")
    subprocess.run([compiler, "-O1", str(folder / "main.c"), "-o", str(folder / "app")], check=True)
    return [launcher, "-n", "2", *LAUNCHER[family], str(folder / "app")]


def tuned(folder: Path, words: list[str], variables: dict[str, str], options: list[str]) -> Any:
    """Tune once; return the report."""
    command = [sys.executable, "-m", "halocline", "tune", "--json", "-o", str(folder), *options]
    done = subprocess.run(
        [*command, "--", *words],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def main() -> None:
    """Tune with one seed after another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["nothing", "little", "wrong"])
    parser.add_argument("--family", choices=sorted(WRONG), default="openmpi")
    parser.add_argument("--seeds", type=int, default=20, help="how many")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--runs", type=int, default=20, help="of the search")
    parser.add_argument("--output", type=Path, default=Path("tune-decisions.jsonl"))
    given = parser.parse_args()
    calls = NOTHING_CALLS if given.kind == "nothing" else LITTLE_CALLS
    variables, words = (YIELDING[given.family], calls)
    if given.kind == "wrong":
        variables, words = WRONG[given.family]
    decisions = 0
    with tempfile.TemporaryDirectory() as name, given.output.open("a") as output:
        line = compiled(given.family, Path(name))
        for seed in range(given.first, given.first + given.seeds):
            options = ["--seed", str(seed), "--pairs", str(given.pairs), "--runs", str(given.runs)]
            options += ["--time", r"time (\S+)", "--result", "result .*"]
            begin = time.monotonic()
            report = tuned(Path(name) / f"t{seed}", [*line, *words], variables, options)
            decisions += report["decision"]
            gain = report["proof"]["gain"] if report["proof"] else None
            row = {
                "kind": given.kind,
                "family": given.family,
                "seed": seed,
                "decision": report["decision"],
                "reason": report["reason"],
                "gain": gain,
                "took_s": round(time.monotonic() - begin, 1),
                "load": os.getloadavg()[0],
            }
            print(json.dumps(row), file=output, flush=True)
            print(f"seed {seed}: {report['reason'] or 'faster'} {gain or ''}", flush=True)
    print(f"{given.kind}, {given.family}: {decisions} decisions of {given.seeds}")


if __name__ == "__main__":
    main()
