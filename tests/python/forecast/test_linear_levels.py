# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Levels that a pressure solver makes: what loops run over, what travels, what all ranks sum."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from halocline.forecast.machine import Machine
from halocline.forecast.measured import Exchange, Run, measured
from halocline.forecast.messages import exchange_seconds
from halocline.forecast.network import Link
from halocline.forecast.parts import Division, read_division
from halocline.forecast.solvers import SOLVERS
from halocline.launch.programs import find_program
from halocline.mesh.partition import PartitionJob, partition_mesh
from halocline.record.store import read_record

sys.path.append(str(Path(__file__).parent))
import made_up

NETWORK = "latency=1.5us,bandwidth=12.5GB/s"
CASES = Path(__file__).parents[3] / "examples" / "cases"
needs_programs = pytest.mark.skipif(
    find_program("halocline-solve") is None
    or find_program("halocline-meshtool") is None
    or find_program("halocline-cores") is None
    or shutil.which("mpirun") is None,
    reason="halocline-solve and halocline-meshtool are not built here; `make test` builds them",
)


def test_a_whole_level_is_brought_to_all_ranks_by_a_message_a_pair() -> None:
    """Parts 0 and 1 on one host, 2 on another; they sum up 10, 0 and 30 nodes of 8 B.

    Part 0 sends two messages, one inside; 1 receives two, one inside; 2 sends two outside, and of
    its host's card leave 2 × 240 B. Into the other host come 2 × 240 B, out of it 80 B.
    """
    level = made_up.chain(3)
    sums = np.array([10.0, 0.0, 30.0])
    whole = replace(level, nodes=sums).whole()
    assert whole.nodes.tolist() == [40.0] * 3
    assert whole.halo.sum() == 0.0
    network, inside = Link(1e-6, 1e9, "network"), Link(1e-7, 1e10, "inside")
    machine = Machine(network, inside, ranks_per_host=2, cores_per_host=2)
    division = Division("x", "none", 3, (level, whole))
    waits = exchange_seconds(Exchange(1, 1.0, 8.0, False, to_all=True), division, machine, 1e-9)
    assert waits.latency == pytest.approx([1e-6 + 1e-7, 1e-6 + 1e-7, 2e-6])
    travel = [480e-9 + 80e-10, 480e-9 + 80e-10, 480e-9]
    assert waits.travel - waits.latency == pytest.approx(travel)
    assert waits.packing == pytest.approx([160e-9, 0.0, 480e-9])


def test_levels_from_the_first_whole_one_on_are_whole() -> None:
    parts = {
        "nodes": [3, 2],
        "shared_nodes": [1, 1],
        "edges": [2, 2],
        "edges_of_others": [0, 1],
        "boundary": [],
        "links": {"from": [0, 1], "to": [1, 0], "nodes": [1, 1]},
    }
    level = {"parts": parts}
    way = {"partitioner": "block", "method": "none", "cpu_s": 1.0, "levels": [level]}
    report = {"ranks": 2, "parts": 2, "ways": [way | {"pressure_levels": [level, level]}]}
    made = read_division(report, 2)
    assert [one.nodes.tolist() for one in made.levels] == [[3.0, 2.0], [3.0, 2.0], [5.0, 5.0]]
    assert made.levels[2].edges.tolist() == [4.0, 4.0]
    assert made.held_nodes.tolist() == [4.0, 3.0]


def cavity(folder: Path, cells: int = 96) -> Path:
    """A cavity of 96 × 96 cells: levels 0 and 1 are divided, those below whole on every rank.

    Of 48 × 48 cells only level 0 is divided.
    """
    text = (CASES / "cavity.toml").read_text().replace("128,128", f"{cells},{cells}")
    (folder / "case.toml").write_text(text + '\n[parallel]\npartitioner = "inertial"\n')
    return folder / "case.toml"


def runs_of(folder: Path) -> list[Run]:
    """Runs that a forecast has measured."""
    found = sorted((folder / "forecast" / "runs").iterdir())
    return [measured(read_record(one), one) for one in found]


@needs_programs
@pytest.mark.mpi
@pytest.mark.timeout(300)
def test_a_cavity_is_measured_divided_and_foretold(
    halocline: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMPI_MCA_mpi_yield_when_idle", "1")
    words = ("--measure", "1,2", "--cycles", "3", "--repeats", "1", "--network", NETWORK)
    done = halocline("forecast", cavity(tmp_path), "--ranks", "2,64,500", *words, "--json")
    assert done.code == 0, done.err
    made = done.data
    assert made["whole_from"] == 2
    assert made["iterations"] > 1.0
    one, two = runs_of(tmp_path)
    assert (one.first_whole, two.first_whole) == (None, 2)
    assert one.iterations == two.iterations
    assert made["levels"] == len(two.levels) > 3
    for row in made["ways"][0]["rows"]:
        assert sum(row["components"].values()) == pytest.approx(row["cycle_s"])
        assert len(row["levels_s"]) == made["levels"]
    assert any("iterations of the pressure" in doubt for doubt in made["doubts"])

    # What travels by the model, of the division that ran, is what the ledger counts.
    job = PartitionJob(
        tmp_path / "mesh", 2, "inertial", link="1,1", per_part=True, pressure_levels=True
    )
    division = read_division(partition_mesh(job), 2)
    sizes = [(int(level.nodes.sum()), int(level.own_edges.sum())) for level in division.levels]
    assert sizes[:2] == [(level.nodes, level.edges) for level in two.levels[:2]]
    said = 0.0
    for loop in two.loops:
        if loop.exchange is not None:
            level = division.levels[loop.exchange.level]
            nodes = level.link_nodes.sum() if level.sums is None else level.sums.sum()
            said += two.cycles * loop.exchange.times * nodes * loop.exchange.bytes_per_node
    assert said == pytest.approx(two.record.halo.bytes, rel=1e-12)


@needs_programs
@pytest.mark.mpi
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("incompressible", ()),
        ("incompressible", ("solver.pressure.method=single_reduction",)),
        (
            "incompressible",
            ("solver.pressure.method=plain", "solver.pressure.preconditioner=jacobi"),
        ),
        (
            "incompressible",
            (
                "solver.pressure.preconditioner=chebyshev",
                "solver.pressure.sweeps=2",
                "solver.scheme=rk3",
            ),
        ),
        ("advection_diffusion", ()),
    ],
)
def test_sums_over_all_ranks_are_those_that_a_snapshot_counts(
    halocline: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    words: tuple[str, ...],
) -> None:
    """Runs of 2 and 4 steps: the difference is that of steps alone, set-up and end fall out."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMPI_MCA_mpi_yield_when_idle", "1")
    cells = 48 if words else 96
    text = cavity(tmp_path, cells).read_text() if name == "incompressible" else ADVECTED
    (tmp_path / "few.toml").write_text(text)
    mesh = ("--set=parallel.ranks=1", *(f"--set={word}" for word in SOLVERS[name].few(1)))
    assert halocline("run", "few.toml", *mesh).code == 0
    fewer, more = (_sums(halocline, tmp_path, (name, steps), words) for steps in (2, 4))
    for before, after in zip(fewer, more, strict=True):
        assert after[0] - before[0] == pytest.approx(after[1] - before[1])


ADVECTED = """
[mesh]
directory = "box"
[mesh.make]
shape = "box"
nodes = 2000
levels = 1
scaling = "natural"
[solver]
name = "advection_diffusion"
"""


def allreduces(folder: Path) -> dict[int, int]:
    """Calls of MPI_Allreduce of a rank by bytes of the smallest message of their bin."""
    raw = json.loads((folder / "ranks" / "rank-0.json").read_text())
    points = raw["collective_points"]
    found = {8: 0, 48: 0}
    for row in points["rows"]:
        entry = dict(zip(points["columns"], row, strict=True))
        if entry["function"] == "MPI_Allreduce" and entry["calls"]:
            size = round(entry["bytes"] / entry["calls"])
            if size in found:
                found[size] += entry["calls"]
    return found


def _sums(
    halocline: Callable[..., Any], folder: Path, run: tuple[str, int], changes: Sequence[str]
) -> list[tuple[float, float]]:
    """Allreduce of 8 bytes as counted and foretold, and those of 48."""
    name, steps = run
    own, snap = folder / f"{name}{steps}", folder / f"snap-{name}{steps}"
    solver = SOLVERS[name]
    words = [*solver.few(steps), *changes, f"output.directory={json.dumps(str(own))}"]
    # Runs that take longer than a second measure the triad at their end, by sums of their own.
    program = ("halocline-solve", "few.toml", "--no-triad")
    mpirun = ("mpirun", "-n", "2", "--oversubscribe", *program)
    settings = [part for word in words for part in ("--set", word)]
    done = halocline("snapshot", "-o", snap, "--", *mpirun, *settings)
    assert done.code == 0, done.err
    together = solver.together(measured(read_record(own), own))
    counted = allreduces(snap)
    return [
        (counted[8], steps * together.reductions),
        (counted[48], steps * together.exact_sums),
    ]
