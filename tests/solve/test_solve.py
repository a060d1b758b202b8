# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""halocline-solve: a case file says what mgcfd's flags say, flags change it, mistakes are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mgcfd_support import Run, all_results, make_box, run

case_text = """
title = "a box"

[mesh]
directory = "mesh"

[solver]
name = "mgcfd"
cycles = 3
measure_triad = "off"

[parallel]
partitioner = "inertial"
partitioner_method = "geom"
halo_scheme = "rma"

[output]
directory = "results"
step_factors = true

[submit]
site = "lab"
"""


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A case file with its mesh beside it."""
    make_box(tmp_path / "case" / "mesh", (6, 5, 4), 2)
    file = tmp_path / "case" / "case.toml"
    file.write_text(case_text)
    return file


def solve(case: Path, *words: str, ranks: int = 1) -> Run:
    """Runs the case from a folder beside it: relative paths start at the case file."""
    elsewhere = case.parent.parent / "elsewhere"
    elsewhere.mkdir(exist_ok=True)
    return run(
        case.parent / "results",
        str(case),
        *words,
        ranks=ranks,
        name="halocline-solve",
        cwd=elsewhere,
    )


def sentence(done: Run) -> str:
    """The only thing the program said on stderr."""
    (said,) = [line for line in done.err.splitlines() if line.startswith("halocline-solve: ")]
    return said


def test_a_case_file_brings_the_results_of_the_flags(case: Path, tmp_path: Path) -> None:
    done = solve(case, ranks=2)
    assert done.code == 0, done.err
    flags = ["-d", str(case.parent / "mesh"), "-g", "3", "--no-triad"]
    flags += ["--output-variables", "--output-step-factors"]
    by_flags = tmp_path / "flags"
    by_flags.mkdir()
    assert run(by_flags, *flags).code == 0
    assert len(all_results(by_flags)) == 4
    assert all_results(done.folder) == all_results(by_flags)
    record = done.record()
    assert record["program"] == "halocline-solve"
    assert record["case"] == {"file": str(case), "hash": None}
    assert (record["partition"]["partitioner"], record["partition"]["method"]) == (
        "inertial",
        "geom",
    )
    assert record["halo"]["scheme"] == "rma"


def test_flags_and_settings_change_what_the_file_says(case: Path) -> None:
    words = ["-m", "sfc", "-r", "geomkway", "--halo-scheme", "rma", "--backend", "serial"]
    done = solve(case, *words, "--set", "solver.cycles=2", "--set", "output.prefix=b.", ranks=2)
    assert done.code == 0, done.err
    record = done.record("b.record.json")
    assert (record["partition"]["partitioner"], record["partition"]["method"]) == (
        "sfc",
        "geomkway",
    )
    assert (record["halo"]["scheme"], record["backend"]) == ("rma", "serial")
    assert record["results"]["cycles"] == 2


@pytest.mark.parametrize("ranks", [1, 2])
def test_the_record_says_what_memory_is_for(case: Path, ranks: int) -> None:
    done = solve(case, ranks=ranks)
    assert done.code == 0, done.err
    record = done.record()
    parts = record["memory"]["parts"]
    levels = record["mesh"]["levels"]
    two_ends = sum(2 * 4 * level["edges"] for level in levels)
    a_state = sum(5 * 8 * level["nodes"] for level in levels)
    assert parts["map_bytes"] >= two_ends
    assert parts["dat_bytes"] >= a_state
    assert parts["plan_bytes"] > 0
    assert parts["program_bytes"] > 1_000_000 * ranks
    assert sum(parts.values()) <= 1.1 * ranks * record["memory"]["peak_rss_bytes"]["max"]
    assert record["results"]["compute_cpu_s"] > 0.0


def test_a_rank_count_that_the_launcher_did_not_start_is_told(case: Path) -> None:
    done = solve(case, "--set", "parallel.ranks=3", ranks=2)
    assert done.code == 0, done.err
    assert "parallel.ranks is 3, 2 were started" in done.out


def test_a_dry_run_shows_and_leaves_nothing(case: Path) -> None:
    done = solve(case, "--dry-run", "-m", "sfc")
    assert done.code == 0, done.err
    assert "partitioner  sfc" in done.out
    assert str(case.parent / "mesh" / "input.dat") in done.out
    assert not done.folder.exists()


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("solver.cycels=4", ["unknown key 'solver.cycels'", "Did you mean 'cycles'?"]),
        ("paralel.ranks=4", ["unknown key 'paralel'", "Did you mean 'parallel'?"]),
        ("solver.cycles=0", ["key 'solver.cycles' is 0", "whole number from 1"]),
        ("solver.cycles=2.5", ["key 'solver.cycles' is 2.5"]),
        ("solver.cycles=9999999999", ["key 'solver.cycles'", "too large"]),
        ("solver.name=mgcdf", ["key 'solver.name' is 'mgcdf'", "Did you mean 'mgcfd'?"]),
        ("solver.mesh_check=strikt", ["'solver.mesh_check'", "Did you mean 'strict'?"]),
        ("solver.legacy_mode=1", ["'solver.legacy_mode' is 1", "true or false"]),
        ("parallel.ranks=0", ["'parallel.ranks' is 0", '"auto"']),
        ("parallel.partitioner=ptscoth", ["'parallel.partitioner'", "Did you mean 'ptscotch'?"]),
        ("parallel.partitioner_method=kway", ["'parallel.partitioner_method'", "inertial with"]),
        ("parallel.halo_scheme=p2", ["'parallel.halo_scheme'", "Did you mean 'p2p'?"]),
        ("parallel.backend=opnmp", ["'parallel.backend'", "openmp"]),
        ("parallel.weights=heavy", ["'parallel.weights'", "list of numbers"]),
        ("parallel.device_strategies=auto", ["'parallel.device_strategies'", "list of strings"]),
        (
            "parallel.device_strategies=['onse']",
            ["'parallel.device_strategies'", "Did you mean 'once'?"],
        ),
        (
            "parallel.device_strategies=['flux_stage1=gather']",
            ["'parallel.device_strategies'", "Did you mean 'flux_stage_1'?"],
        ),
        ("output.prefix=a/b", ["'output.prefix' is 'a/b'", "no '/'"]),
        ("output=5", ["'output' is a section, not a value"]),
        ("mesh.input=other.dat", ["'mesh.input'", "other.dat, which is missing"]),
        ("mesh.make.levels=2", ["key 'mesh.make.shape' is missing"]),
    ],
)
def test_a_wrong_key_gets_a_sentence_with_file_and_key(
    case: Path, setting: str, words: list[str]
) -> None:
    done = solve(case, "--set", setting)
    assert done.code == 3
    said = sentence(done)
    assert said.startswith(f"halocline-solve: {case}")
    assert [word for word in words if word not in said] == []


flow_text = """
[solver]
name = "incompressible"
[solver.boundaries.lid]
velocity = ["1", 0]
"""


@pytest.fixture
def flow(case: Path) -> Path:
    """A case of the incompressible solver, which needs no mesh of its own to be refused."""
    case.write_text(flow_text)
    return case


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("solver.viscosity=-1", ["'solver.viscosity' is -1", "from 0"]),
        ("solver.upwind=2", ["'solver.upwind' is 2", "from 0 to 1"]),
        ("solver.courant=0", ["'solver.courant' is 0", "above 0"]),
        ("solver.end_time=-1.5", ["'solver.end_time' is -1.5", "above 0"]),
        ("solver.scheme=bdf", ["'solver.scheme' is 'bdf'", "Did you mean 'bdf2'?"]),
        ("solver.body_force=[1]", ["'solver.body_force' has 1 components"]),
        ("solver.pressure.metod=plain", ["'solver.pressure.metod'", "Did you mean 'method'?"]),
        ("solver.boundaries.lid.kind=wal", ["boundaries.lid.kind'", "Did you mean 'wall'?"]),
        ("solver.boundaries.lid.kin=wall", ["boundaries.lid.kin'", "Did you mean 'kind'?"]),
        ("solver.boundaries.lid=wall", ["'solver.boundaries.lid' is a section, not a value"]),
        ("solver.boundaries.lid.kind=slip", ["boundaries.lid.velocity'", "no meaning"]),
        ("solver.boundaries.lid.pressure=1", ["boundaries.lid.pressure'", "only outlet"]),
        ("solver.boundaries.lid.velocity=['1']", ["has 1 components"]),
        ("solver.boundaries.lid.velocity=['1', false]", ["a formula in quotes, or a number"]),
        ("solver.boundaries.lid.velocity=['sqrtt(x)', 0]", ["Did you mean 'sqrt'?"]),
        ("solver.initial.pressure='r^2'", ["'solver.initial.pressure'", "'r' is unknown"]),
        ("solver.exact.velocity=['2*(x', 0]", ["'solver.exact.velocity'", "position"]),
        ("solver.scalar.initial='x+'", ["'solver.scalar.initial'", "cannot be read"]),
    ],
)
def test_a_mistake_in_a_flow_gets_a_sentence(flow: Path, setting: str, words: list[str]) -> None:
    done = solve(flow, "--dry-run", "--set", setting)
    assert done.code == 3
    said = sentence(done)
    assert said.startswith(f"halocline-solve: {flow}")
    assert [word for word in words if word not in said] == []


def test_a_formula_in_the_file_is_named_with_its_line(flow: Path) -> None:
    flow.write_text(flow_text.replace('"1"', '"u"'))
    assert f"{flow}:5: key 'solver.boundaries.lid.velocity'" in sentence(solve(flow, "--dry-run"))


def test_a_flow_is_shown_by_a_dry_run(flow: Path) -> None:
    done = solve(flow, "--dry-run", "--set", "solver.steady=true", "--set", "solver.end_time=4")
    assert done.code == 0, done.err
    assert "incompressible, until steady, at most to time 4" in done.out


def test_a_mistake_in_the_file_names_its_line(case: Path) -> None:
    case.write_text('[mesh]\ndirectory = "mesh"\n[solver]\ncycles = "many"\n')
    assert f"{case}:4: key 'solver.cycles'" in sentence(solve(case))
    case.write_text('title = "a\n')
    done = solve(case)
    assert done.code == 3
    assert f"{case}:1: this is not TOML" in sentence(done)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--set", "solver.cycles"], "is not key=value"),
        (["--set", "title.x=1"], "'title' is a value, not a section"),
        (["--partitoner", "sfc"], "Did you mean '--partitioner'?"),
        (["-m", "sfc", "-r", "kway"], "no method 'kway'"),
    ],
)
def test_wrong_flags_are_usage_errors(case: Path, words: list[str], said: str) -> None:
    done = solve(case, *words)
    assert done.code == 2
    assert said in sentence(done)


def test_no_case_file_is_a_usage_error(tmp_path: Path) -> None:
    done = run(tmp_path, name="halocline-solve")
    assert done.code == 2
    assert "no case file given" in sentence(done)


def test_a_missing_mesh_with_a_recipe_points_to_who_makes_it(case: Path) -> None:
    words = ["--set", "mesh.directory=new", "--set", "mesh.make.shape=box"]
    done = solve(case, *words, "--set", "mesh.make.nodes=1000")
    assert done.code == 3
    assert f"halocline run {case}" in sentence(done)


def test_a_mesh_made_by_another_recipe_is_refused(case: Path) -> None:
    recipe = {"shape": "box", "nodes": 120, "levels": 4, "shuffle": False, "seed": 1}
    recipe |= {"scaling": "natural", "stretch": 1.0, "aspect": ""}
    (case.parent / "mesh" / "recipe.json").write_text(json.dumps(recipe))
    words = ["--set", "mesh.make.shape=box", "--set", "mesh.make.nodes=120", "--dry-run"]
    assert solve(case, *words).code == 0
    done = solve(case, *words, "--set", "mesh.make.levels=3")
    assert done.code == 3
    assert "differs in levels" in sentence(done)


def test_help_names_solvers_and_examples(tmp_path: Path) -> None:
    done = run(tmp_path, "--help", name="halocline-solve")
    assert done.code == 0
    assert "halocline-solve case.toml --dry-run" in done.out
    assert "MG-CFD's multigrid Euler solver" in done.out


def test_the_python_package_has_the_names_of_the_library(tmp_path: Path) -> None:
    """Else: halocline-solve --names > python/halocline/case/names.json, then the schema."""
    stored = Path(__file__).parents[2] / "python" / "halocline" / "case" / "names.json"
    done = run(tmp_path, "--names", name="halocline-solve")
    assert done.code == 0
    assert json.loads(done.out) == json.loads(stored.read_text())


def test_the_help_lists_the_names_of_the_library(tmp_path: Path) -> None:
    names = json.loads(run(tmp_path, "--names", name="halocline-solve").out)
    text = " ".join(run(tmp_path, "--help", name="halocline-solve").out.split())
    for key in ("parallel.backend", "parallel.partitioner", "parallel.partitioner_method"):
        assert " | ".join(names[key]) in text
    for scheme in names["parallel.halo_scheme"]:
        assert scheme == "default" or f"{scheme} |" in text
