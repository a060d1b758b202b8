# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark: what it is told, what it checks, what is left out when it breaks down."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from halocline.errors import MissingEnvironmentError
from halocline.preload import Family
from halocline.tune.bench import (
    Bench,
    BenchPoint,
    Contender,
    Outcome,
    _read,
    _without_culprit,
    bench_program,
    in_place_of_program,
    job_text,
)
from halocline.tune.points import Point
from halocline.tune.settings import Setting

FUNCTIONS = (
    *("Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv"),
    *("Alltoall", "Alltoallv", "Reduce", "Allreduce", "Reduce_scatter", "Reduce_scatter_block"),
    *("Scan", "Exscan"),
)
# A variable of each library that a running program may set, and one that it may not.
VARIABLES = {
    Family.OPENMPI: ("coll_tuned_bcast_algorithm=1", "coll_tuned_allgatherv_algorithm=1"),
    Family.MPICH: ("MPIR_CVAR_BCAST_INTRA_ALGORITHM=1", "MPIR_CVAR_NO_SUCH=1"),
}


def _point(function: str, members: int = 2, size: int = 1000) -> Point:
    return Point(function, members, size, 512, 1024, 10, 1.0)


def test_a_job_names_points_and_candidates() -> None:
    contenders = (Contender("default"), Contender("a=1", ("a=1", "b=2")))
    text = job_text([BenchPoint(_point("Bcast"), contenders)], 8, 3)
    assert text.splitlines()[3:] == [
        "point Bcast/2/512 Bcast 2 1000",
        "candidate default",
        "candidate a=1 a=1 b=2",
    ]


def test_the_bench_takes_the_place_of_every_program() -> None:
    words = ["mpirun", "-n", "1", "./a", "x", ":", "-n", "2", "./b"]
    found = in_place_of_program(words, ["bench", "job"])
    assert found == ["mpirun", "-n", "1", "bench", "job", ":", "-n", "2", "bench", "job"]


def test_what_was_under_way_when_a_launch_broke_down_is_left_out(tmp_path: Path) -> None:
    output = tmp_path / "out"
    output.write_text(
        '{"point":"Bcast/2/512","begin":"default"}\n'
        '{"point":"Bcast/2/512","begin":null}\n'
        '{"point":"Bcast/2/512","candidate":"default","state":"ok","calls":1,"ns":[5,6]}\n'
        '{"point":"Scan/2/512","begin":"default"}\n'
        '{"point":"Scan/2/512","begin":"bad"}\n'
        '{"point":"Sc'
    )
    done, begun = _read(output)
    assert done == {"Bcast/2/512": {"default": Outcome("ok", [5, 6])}}
    contenders = (Contender("default"), Contender("bad"), Contender("good"))
    rest = [BenchPoint(_point("Scan"), contenders), BenchPoint(_point("Exscan"), contenders)]
    found: dict[str, dict[str, Outcome]] = {}
    left = _without_culprit(rest, begun, found)
    assert found["Scan/2/512"]["bad"].state == "crashed"
    assert [len(each.contenders) for each in left] == [2, 3]


def test_a_launch_that_broke_down_in_the_rounds_gives_up_the_point() -> None:
    rest = [BenchPoint(_point(name), (Contender("default"),)) for name in ("Scan", "Bcast")]
    left = _without_culprit(rest, ("Scan/2/512", ""), {})
    assert [each.point.function for each in left] == ["Bcast"]
    assert _without_culprit(rest, None, {}) == []


@pytest.fixture(params=list(Family))
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Family, Bench]:
    """The bench of each installed family on three ranks."""
    family: Family = request.param
    launcher = shutil.which(f"mpirun.{family}")
    if launcher is None:
        pytest.skip(f"{family.label} is not installed; `make test` installs it")
    try:
        program = bench_program(family)
    except MissingEnvironmentError as error:
        pytest.skip(str(error))
    options = ["--oversubscribe", "--bind-to", "none"] if family is Family.OPENMPI else []
    return family, Bench([launcher, "-n", "3", *options, str(program)], family, tmp_path)


@pytest.mark.mpi
@pytest.mark.timeout(300)
def test_every_function_brings_what_it_has_to(bench: tuple[Family, Bench]) -> None:
    _, runner = bench
    points = [
        BenchPoint(Point(name, members, size, low, 1024, 1, 1.0), (Contender("default"),))
        for name in FUNCTIONS
        for members, size, low in ((2, 1000, 512), (3, 13, 8), (3, 0, 0))
    ]
    found = runner.measure(points, Setting(), 1, 1, 200.0)
    assert {name: outcomes["default"].state for name, outcomes in found.items()} == {
        each.point.name: "ok" for each in points
    }


@pytest.mark.mpi
@pytest.mark.timeout(300)
def test_variables_are_set_where_the_library_lets_one(bench: tuple[Family, Bench]) -> None:
    family, runner = bench
    contenders = tuple(Contender(word, (word,)) for word in VARIABLES[family])
    point = BenchPoint(_point("Bcast"), (Contender("default"), *contenders))
    found = runner.measure([point], Setting(), 2, 1, 200.0)[point.point.name]
    states = [found[each.name].state for each in point.contenders]
    assert states == ["ok", "ok", "refused"]
    assert len(found["default"].times_ns) == 2


@pytest.mark.mpi
@pytest.mark.timeout(300)
def test_the_library_lists_its_variables(bench: tuple[Family, Bench]) -> None:
    family, runner = bench
    name = VARIABLES[family][0].partition("=")[0]
    prefix = "OMPI_MCA_" if family is Family.OPENMPI else ""
    value = {Family.OPENMPI: "3", Family.MPICH: "binomial"}[family]
    library = runner.describe(Setting({prefix + name: value}))
    assert library.ranks == 3
    assert library.family is family
    assert library.value(name) == {Family.OPENMPI: "3", Family.MPICH: "1"}[family]
    assert library.value("no such variable") is None
