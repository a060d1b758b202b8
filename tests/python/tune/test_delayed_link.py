# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A default that is wrong for the network: two hosts in namespaces, a link that takes 2 ms."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from delayed_link import DelayedLink, missing
from halocline.errors import MissingEnvironmentError
from halocline.preload import Family
from halocline.tune.bench import bench_program

pytestmark = [pytest.mark.mpi, pytest.mark.slow, pytest.mark.timeout(900)]
DELAY_S = 0.002
#: Twice what Open MPI sends over TCP without asking first: it asks, and waits for the answer.
BYTES, CALLS = 131_072, 20
SOURCE = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
    int rank, calls = atoi(argv[1]), bytes = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char* data = calloc(bytes, 1);
    data[bytes - 1] = rank + 1;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int k = 0; k < 2 * calls; ++k)
        if (k % 2 == rank) MPI_Send(data, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
        else MPI_Recv(data, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double elapsed = MPI_Wtime() - begin;
    if (rank == 0) printf("result %d\\ntime %.6f s\\n", data[bytes - 1], elapsed);
    MPI_Finalize();
    return 0;
}
"""


@pytest.fixture
def link(tmp_path: Path) -> Iterator[DelayedLink]:
    """Two hosts and what joins them."""
    if lack := missing():
        pytest.skip(lack)
    made = DelayedLink(tmp_path, DELAY_S)
    try:
        yield made
    finally:
        made.close()


def test_a_limit_that_asks_over_a_slow_link_is_found_and_proved(
    link: DelayedLink, tmp_path: Path
) -> None:
    """Known best: no question is asked, so a message takes one delay in place of three."""
    compiler, launcher = shutil.which("mpicc.openmpi"), shutil.which("mpirun.openmpi")
    if compiler is None or launcher is None:
        pytest.skip("Open MPI is not installed; `make test` installs it")
    try:
        bench_program(Family.OPENMPI)
    except MissingEnvironmentError as error:
        pytest.skip(str(error))
    (tmp_path / "main.c").write_text(SOURCE)
    subprocess.run([compiler, "-O1", tmp_path / "main.c", "-o", tmp_path / "app"], check=True)
    line = [launcher, *link.mpirun_words(), str(tmp_path / "app"), str(CALLS), str(BYTES)]
    options = ["--no-collectives", "--pairs", "9", "--runs", "16", "--json"]
    options += ["--result", "result .*", "--time", r"time (\S+)"]
    words = [sys.executable, "-m", "halocline", "tune", *options, "--", *line]
    done = subprocess.run(
        link.on_first(words), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["decision"], report["reason"]
    assert report["proof"]["gain"]["ratio"] < 0.67
    rules = json.loads((tmp_path / "tune" / "rules.json").read_text())
    assert rules["environment"]["OMPI_MCA_btl_tcp_eager_limit"] == str(4 * 65536)
