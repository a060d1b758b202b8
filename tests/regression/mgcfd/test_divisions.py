# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Every way to divide and every halo scheme on 5 and 8 ranks writes the files of the serial run.

The solver alone runs all combinations in tests/mpi/solver; a launch of eight ranks takes a second,
so here the program runs each way and each scheme at least once.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mgcfd_support import make_box, run

shape = (9, 7, 6)
levels = 3
schemes = ["p2p", "rma", "auto"]
environment_lacks = 4


def known_ways(folder: Path) -> list[tuple[str, str]]:
    """Partitioners with their methods, as the program lists them to who asks for the impossible."""
    (sentence,) = run(folder, "-m", "nonesuch").messages
    (listed,) = re.findall(r"Choose one of: (.*)\.", sentence)
    ways = []
    for entry in listed.split(", "):
        name, _, methods = entry.partition(" with ")
        ways += [(name, method) for method in (methods or "auto").split(" or ")]
    return ways


def file_bytes(folder: Path) -> dict[str, bytes]:
    """Every result file as it lies on disk."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*cycle*.h5"))}


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three levels of a box; on eight ranks the coarsest has a node or two for each."""
    folder = make_box(tmp_path_factory.mktemp("case"), shape, levels)
    nodes = shape[0] * shape[1] * shape[2]
    for ranks in (5, 8):
        # Two interleaved combs: unequal parts in many pieces.
        parts = "".join(f"{(node // 7 + node % 2) % ranks}\n" for node in range(nodes))
        (folder / f"combs.{ranks}").write_text(parts)
    return folder


def words_of(case: Path) -> list[str]:
    """All that a run can write."""
    always = ["-d", str(case), "-g", "3", "-I", "2", "--no-triad"]
    return [*always, "--output-variables", "--output-step-factors"]


@pytest.fixture(scope="module")
def judge(case: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Serial back end, one rank, file order."""
    folder = tmp_path_factory.mktemp("judge")
    done = run(folder, *words_of(case), "--backend", "serial", "--no-renumber")
    assert done.code == 0, done.err
    files = file_bytes(folder)
    assert len(files) == 2 * levels + 1
    return files


@pytest.mark.parametrize("ranks", [5, 8])
def test_every_division_writes_the_bytes_of_the_serial_run(
    case: Path, judge: dict[str, bytes], tmp_path: Path, ranks: int
) -> None:
    table, wrong, met = [], [], set()
    for k, (partitioner, method) in enumerate(known_ways(tmp_path)):
        scheme = schemes[k % len(schemes)]
        folder = tmp_path / f"{k}"
        folder.mkdir()
        words = [*words_of(case), "-m", partitioner, "-r", method, "--halo-scheme", scheme]
        if partitioner == "file":
            words += ["--partition-file", str(case / f"combs.{ranks}")]
        done = run(folder, *words, ranks=ranks)
        if done.code == environment_lacks:
            verdict = f"refused: {done.messages[0]}"
        elif done.code != 0:
            verdict = f"failed with {done.code}: {done.err}"
            wrong.append((partitioner, method, scheme))
        else:
            same = file_bytes(folder) == judge
            verdict = f"{len(judge)} files, {'same bytes' if same else 'DIFFERENT'}"
            met.add(scheme)
            if not same:
                wrong.append((partitioner, method, scheme))
        table.append(f"  {ranks} ranks  {partitioner:<9} {method:<8} {scheme:<9} {verdict}")
    print("\n".join(["", *table]))
    assert wrong == []
    assert met == set(schemes)
