# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs with the real program say how nodes were renumbered, and have the same bits in any order."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.launch.programs import find_program
from halocline.record.store import read_record

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.skipif(
        find_program("halocline-solve") is None or shutil.which("mpirun") is None,
        reason="halocline-solve is not built here; `make test` builds it first",
    ),
]

CASE = """[mesh]
directory = "mesh"
[mesh.make]
shape = "{shape}"
cells = "{cells}"
levels = 1
shuffle = {shuffle}
[solver]
cycles = 2
measure_triad = "off"
[parallel]
threads = 1
"""


def run(halocline: Callable[..., Any], case: Path, ranks: int, *, renumber: bool) -> Path:
    """Run a case; return its results."""
    name = f"{ranks}{renumber}"
    settings = (f"parallel.ranks={ranks}", f"parallel.renumber={str(renumber).lower()}")
    words = [word for one in (*settings, f"output.directory={name}") for word in ("--set", one)]
    done = halocline("run", case, *words)
    assert done.code == 0, done.err
    return case.parent / name


# Layers of the channel over the bump are 0.004 high, cells 0.19 wide. Each of two ranks has more
# than the 16384 nodes below which order does not matter.
@pytest.mark.parametrize(
    ("shape", "cells", "ranks", "expected"),
    [
        ("bump", "16,256,8", (1, 2), "hilbert_tiles"),
        ("box", "27,27,27", (1,), "hilbert"),
        ("bump", "8,64,4", (1,), "hilbert"),
    ],
)
def test_only_meshes_of_thin_cells_get_tiles_and_no_bit_changes(
    halocline: Callable[..., Any],
    tmp_path: Path,
    shape: str,
    cells: str,
    ranks: tuple[int, ...],
    expected: str,
) -> None:
    case = tmp_path / "case.toml"
    case.write_text(CASE.format(shape=shape, cells=cells, shuffle="true"))
    in_file_order = run(halocline, case, 1, renumber=False)
    assert read_record(in_file_order).settings.renumber == "none"
    name = "variables.L0.cycles=2.h5"
    for number in ranks:
        renumbered = run(halocline, case, number, renumber=True)
        assert read_record(renumbered).settings.renumber == expected
        assert (renumbered / name).read_bytes() == (in_file_order / name).read_bytes()


def test_a_file_in_a_local_order_keeps_it(halocline: Callable[..., Any], tmp_path: Path) -> None:
    case = tmp_path / "case.toml"
    case.write_text(CASE.format(shape="box", cells="12,12,12", shuffle="false"))
    for ranks in (1, 2):
        assert read_record(run(halocline, case, ranks, renumber=True)).settings.renumber == "none"
