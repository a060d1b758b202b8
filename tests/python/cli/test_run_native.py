# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The whole path with the real programs: case file, launch, record, comparison, picture."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.launch.programs import find_program
from halocline.record.store import read_record

REFERENCE = Path(__file__).parents[3] / "data" / "mgcfd-reference"

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.skipif(
        find_program("halocline-solve") is None or shutil.which("mpirun") is None,
        reason="halocline-solve is not built here; `make test` builds it first",
    ),
]


@pytest.fixture
def reference_case(tmp_path: Path) -> Callable[[str], Path]:
    """Write a case on one of the reference meshes, 2 ranks; results go to a temporary folder."""

    def write(kind: str) -> Path:
        path = tmp_path / f"{kind}.toml"
        path.write_text(
            f'[mesh]\ndirectory = "{REFERENCE / kind}"\n'
            f"[solver]\ncycles = 5\nlegacy_mode = {str(kind == 'legacy').lower()}\n"
            f'[parallel]\nranks = 2\nthreads = 1\n[output]\ndirectory = "{kind}"\n'
        )
        return path

    return write


@pytest.mark.parametrize("kind", ["natural", "boosted_shuffled", "legacy"])
def test_results_agree_with_the_stored_ones(
    halocline: Callable[..., Any],
    reference_case: Callable[[str], Path],
    tmp_path: Path,
    kind: str,
) -> None:
    done = halocline("run", reference_case(kind))
    assert done.code == 0, done.err
    stored = REFERENCE / kind / "result_4level.h5"
    # The project's promise: 1e-13 absolute on quantities of order one.
    answer = halocline(
        "compare", tmp_path / kind, stored, "--tolerance", "1e-13", "--common", "--json"
    )
    assert answer.code == 0, answer.out
    assert len(answer.data["data_sets"]) == 4


def test_the_record_of_a_real_run_keeps_its_promises(
    halocline: Callable[..., Any], reference_case: Callable[[str], Path], tmp_path: Path
) -> None:
    done = halocline("run", reference_case("natural"))
    assert done.code == 0, done.err
    record = read_record(tmp_path / "natural")
    assert record.status.state == "ok"
    assert (record.layout.ranks, record.layout.threads_per_rank) == (2, 1)
    assert [level.nodes for level in record.mesh.levels] == [5049, 765, 135, 30]
    assert record.partition is not None
    assert record.partition.levels[0].edge_cut > 0
    assert record.halo.messages > 0
    assert len(record.results.rms) == record.results.cycles == 5
    for loop in record.loops:
        if loop.elements and loop.ns_per_element is not None:
            derived = 1e9 * loop.seconds / loop.elements
            assert math.isclose(loop.ns_per_element, derived, rel_tol=1e-6), loop.name
        if loop.gb_per_s is not None:
            derived = loop.bytes / loop.seconds / 1e9
            assert math.isclose(loop.gb_per_s, derived, rel_tol=1e-6), loop.name


def test_a_run_can_be_drawn_without_naming_its_mesh(
    halocline: Callable[..., Any], reference_case: Callable[[str], Path], tmp_path: Path
) -> None:
    done = halocline("run", reference_case("natural"))
    assert done.code == 0, done.err
    picture = tmp_path / "a.png"
    drawn = halocline("plot", tmp_path / "natural", "-o", picture, "--size", "240x160", "--json")
    assert drawn.code == 0, drawn.err
    assert drawn.data["mesh"].startswith(str(REFERENCE))
    assert picture.stat().st_size > 10_000


def test_a_run_that_stopped_goes_on_and_all_its_steps_are_drawn(
    halocline: Callable[..., Any], reference_case: Callable[[str], Path], tmp_path: Path
) -> None:
    pytest.importorskip("pyvista")
    case = reference_case("natural")
    case.write_text(case.read_text().replace("cycles = 5", "cycles = 3"))  # a picture takes seconds
    with case.open("a") as file:
        file.write(
            'interval = 1\n[[output.pictures]]\nfield = "mach"\nwidth = 96\nheight = 64\n'
            'movie = "gif"\n[checkpoint]\nkeep = 1\n'
        )
    stopped = halocline("run", case, "--set", "checkpoint.time_limit=1e-3")
    assert stopped.code == 75, stopped.err
    assert "stopped early. Go on with: halocline run" in stopped.err
    done = halocline("run", case, "--restart", "auto")
    assert done.code == 0, done.err
    names = {file.name for file in (tmp_path / "natural" / "pictures").iterdir()}
    assert names == {"mach.gif", *(f"mach.{step}.png" for step in range(1, 4))}
    # One run in two files; the last step is what the run left at its end.
    ends = (tmp_path / "natural" / "variables.L0.cycles=3.h5",)
    same = halocline("compare", tmp_path / "natural" / "flow", *ends, "--bitwise", "--common")
    assert same.code == 0, same.out
