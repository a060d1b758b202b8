# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reading case files: defaults, `--set`, and one sentence for each kind of mistake."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from halocline.case.load import load_case, parse_case
from halocline.case.pictures import PictureSection
from halocline.case.resolve import case_hash, case_schema_text, resolved_case, write_resolved
from halocline.case.solvers.incompressible import (
    BoundarySection,
    FlowSection,
    IncompressibleSolver,
    PressureSection,
    ScalarSection,
)
from halocline.errors import InvalidInputError, UsageError


def test_an_empty_case_has_the_documented_defaults() -> None:
    case = parse_case({}, "case.toml")
    assert (case.solver.name, case.solver.cycles, case.parallel.ranks) == ("mgcfd", 25, "auto")
    assert case.parallel.renumber


def flow(keys: dict[str, Any]) -> dict[str, Any]:
    """A case of the incompressible solver."""
    return {"solver": {"name": "incompressible", **keys}}


def lid(keys: dict[str, Any]) -> dict[str, Any]:
    """The same with one boundary."""
    return flow({"boundaries": {"lid": keys}})


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"solver": {"cycels": 3}}, ["'solver.cycels'", "Did you mean 'cycles'?"]),
        ({"sovler": {}}, ["unknown key 'sovler'", "Did you mean 'solver'?"]),
        ({"mesh": {"make": {"shap": "box"}}}, ["'mesh.make.shap'", "Did you mean 'shape'?"]),
        ({"mesh": {"make": {"nodes": 1000}}}, ["'mesh.make.shape' is missing"]),
        ({"solver": {"cycles": 0}}, ["'solver.cycles' is 0", "greater than or equal to 1"]),
        ({"solver": {"cycles": "3"}}, ["'solver.cycles' is '3'", "integer"]),
        ({"solver": {"cycles": 2.5}}, ["'solver.cycles' is 2.5"]),
        ({"solver": "mgcfd"}, ["'solver' is a section", "[solver]"]),
        ({"solver": {"name": "mgcdf"}}, ["'solver.name'", "Did you mean 'mgcfd'?"]),
        ({"parallel": {"backend": "opnmp"}}, ["'parallel.backend'", "Did you mean 'openmp'?"]),
        ({"parallel": {"ranks": 0}}, ["'parallel.ranks' is 0", '"auto"']),
        ({"parallel": {"threads": "many"}}, ["'parallel.threads' is 'many'", '"auto"']),
        ({"parallel": {"launcher_args": [3]}}, ["'parallel.launcher_args.0'"]),
        ({"output": {"prefix": "a/b"}}, ["'output.prefix'", "'/'"]),
        ({"output": {"interval": 0}}, ["'output.interval' is 0", "steps", '"30s"']),
        ({"output": {"variables": 1}}, ["'output.variables' is 1"]),
        (flow({"viscosity": -1.0}), ["'solver.viscosity' is -1.0"]),
        (flow({"upwind": 1.5}), ["'solver.upwind' is 1.5"]),
        (flow({"courant": 0.0}), ["'solver.courant' is 0.0"]),
        (flow({"end_time": -2.0}), ["'solver.end_time' is -2.0"]),
        (flow({"scheme": "bdf"}), ["'solver.scheme'", "Did you mean 'bdf2'?"]),
        (flow({"viscosty": 1.0}), ["'solver.viscosty'", "Did you mean 'viscosity'?"]),
        (flow({"body_force": [1.0]}), ["'solver.body_force' has 1 components", "x and y"]),
        (flow({"pressure": {"metod": "x"}}), ["'solver.pressure.metod'", "'method'"]),
        (flow({"pressure": {"method": "plane"}}), ["Did you mean 'plain'?"]),
        (lid({"kind": "wal"}), ["'solver.boundaries.lid.kind'", "Did you mean 'wall'?"]),
        (lid({"velocty": ["1", "0"]}), ["boundaries.lid.velocty'", "Did you mean 'velocity'?"]),
        (lid({"velocity": ["1", True]}), ["'solver.boundaries.lid.velocity.1' is True"]),
        ({"submit": {"nodse": 2}}, ["'submit.nodse'", "Did you mean 'nodes'?"]),
        ({"submit": {"time": "90"}}, ["'submit.time' is '90'", "HH:MM:SS"]),
        ({"submit": {"memory": "3"}}, ["'submit.memory' is '3'", "64G"]),
        ({"submit": {"queue": "a b"}}, ["'submit.queue' is 'a b'", "letters"]),
        ({"submit": {"directives": ["a\nb"]}}, ["'submit.directives.0'", "line break"]),
        ({"submit": {"environment": {"A B": ""}}}, ["'submit.environment.A B' is"]),
    ],
)
def test_a_mistake_names_file_and_key_in_one_line(raw: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(InvalidInputError) as failed:
        parse_case(raw, "case.toml")
    message = str(failed.value)
    assert message.startswith("case.toml: ")
    assert all(word in message for word in words), message
    assert "\n" not in message


def test_every_mistake_is_reported_at_once() -> None:
    with pytest.raises(InvalidInputError, match=r"cycels.*rnaks"):
        parse_case({"solver": {"cycels": 3}, "parallel": {"rnaks": 2}}, "case.toml")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "Cannot read"),
        (b"[solver\n", "not TOML"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_an_unreadable_file_is_named(
    tmp_path: Path, content: bytes | None, words: list[str]
) -> None:
    path = tmp_path / "case.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InvalidInputError, match=words) as failed:
        load_case(path)
    assert str(path) in str(failed.value)


def test_set_replaces_adds_and_reads_toml_values(case_file: Path) -> None:
    case = load_case(
        case_file,
        [
            "solver.cycles=50",
            "output.directory = out",
            "parallel.launcher_args=['--x', '1']",
            "mesh.make.shape=box",
            "mesh.make.nodes=1000",
            "output.variables=false",
        ],
    )
    assert case.solver.cycles == 50
    assert case.output.directory == "out"
    assert case.parallel.launcher_args == ["--x", "1"]
    assert case.mesh.make is not None
    assert case.mesh.make.nodes == 1000
    assert case.output.variables is False


def test_set_with_an_unknown_key_suggests_the_nearest(case_file: Path) -> None:
    with pytest.raises(InvalidInputError, match="Did you mean 'cycles'"):
        load_case(case_file, ["solver.cycls=50"])


@pytest.mark.parametrize("setting", ["cycles", "=3", "solver.=3", "title.x=1"])
def test_set_without_key_and_value_is_a_usage_error(case_file: Path, setting: str) -> None:
    with pytest.raises(UsageError, match="--set"):
        load_case(case_file, [setting])


def test_the_resolved_case_reads_back_as_the_same_case(tmp_path: Path) -> None:
    raw = {
        "title": 'quotes " and \\ and ü',
        "mesh": {"make": {"shape": "rotor37", "nodes": 5000}},
        "parallel": {"launcher_args": ["--hostfile", "a b"]},
    }
    case = resolved_case(parse_case(raw, "case.toml"), ranks=4, threads=2)
    path = write_resolved(case, tmp_path, Path("case.toml"))
    text = path.read_text()
    assert tomllib.loads(text)["parallel"]["ranks"] == 4
    assert load_case(path) == case
    assert case_hash(case) in text


def test_formulae_may_be_numbers_and_names_have_spaces(tmp_path: Path) -> None:
    raw = flow({"boundaries": {"upper wall": {"velocity": ["sin(t)", 0.5], "scalar": 1}}})
    case = parse_case(raw, "case.toml")
    assert isinstance(case.solver, IncompressibleSolver)
    wall = case.solver.boundaries["upper wall"]
    assert (wall.velocity, wall.scalar) == (["sin(t)", "0.5"], "1")
    assert load_case(write_resolved(case, tmp_path, Path("case.toml"))) == case


def test_the_hash_follows_the_content_not_the_layout() -> None:
    one = parse_case({"solver": {"cycles": 25}}, "a")
    assert case_hash(one) == case_hash(parse_case({}, "b"))
    assert case_hash(one) != case_hash(parse_case({"solver": {"cycles": 26}}, "c"))


def test_the_schema_forbids_unknown_keys() -> None:
    schema = json.loads(case_schema_text())
    assert schema["additionalProperties"] is False
    assert {"MgcfdSolver", "AdvectionDiffusionSolver"} <= set(schema["$defs"])


def test_the_documentation_names_every_key() -> None:
    from halocline.case import model
    from halocline.case.solvers import SOLVERS

    page = (Path(__file__).parents[3] / "docs" / "case_file.md").read_text()
    for section in (
        model.MeshSection,
        model.MakeRecipe,
        model.ParallelSection,
        model.OutputSection,
        PictureSection,
        BoundarySection,
        FlowSection,
        PressureSection,
        ScalarSection,
        *SOLVERS.values(),
    ):
        for key in (field.alias or name for name, field in section.model_fields.items()):
            assert f"`{key}`" in page, f"{section.__name__}.{key}"


def test_how_a_case_is_submitted_changes_neither_hash_nor_run() -> None:
    plain, submitted = parse_case({}, "a"), parse_case({"submit": {"nodes": 2}}, "b")
    assert case_hash(plain) == case_hash(submitted)
    assert submitted.submit is not None
    assert submitted.submit.nodes == 2


def test_a_resolved_case_keeps_its_submit_table(tmp_path: Path) -> None:
    raw = {"submit": {"nodes": 2, "environment": {"A": "x y"}}}
    written = write_resolved(parse_case(raw, "a"), tmp_path, tmp_path / "a.toml")
    again = load_case(written)
    assert again.submit == parse_case(raw, "a").submit


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ({"interval": ""}, ["'output.pictures'", "'output.interval' is empty"]),
        ({"pictures": [{"form": "x"}]}, ["unknown key 'output.pictures.0.form'", "'from'"]),
        ({"pictures": [{"slice": "w=1"}]}, ["'output.pictures.0.slice'", '"x=0.5"']),
        ({"pictures": [{"iso": "density"}]}, ["'output.pictures.0.iso'", '"density=1.1"']),
        ({"pictures": [{"from": "up"}]}, ["'output.pictures.0.from'", '"1,1,0.5"']),
        ({"pictures": [{"range": [2.0, 1.0]}]}, ["'output.pictures.0.range'", "lower one first"]),
        ({"pictures": [{"level": 1}]}, ["'output.pictures.0.level'", "'output.levels' ([0])"]),
        ({"pictures": [{}, {"slice": "x"}]}, ["'output.pictures.1.name'", "'picture'"]),
    ],
)
def test_a_mistake_in_pictures_names_the_key(output: dict[str, Any], words: list[str]) -> None:
    given = {"interval": 5, "pictures": [{"field": "mach"}], **output}
    with pytest.raises(InvalidInputError) as failure:
        parse_case({"output": given}, "case.toml")
    for word in words:
        assert word in str(failure.value)


def test_pictures_read_back_and_change_no_hash(tmp_path: Path) -> None:
    plain = parse_case({"output": {"interval": 5}}, "case.toml")
    pictures = [{"field": "mach", "from": "-z", "range": [0.5, 1.0]}, {"slice": "x"}]
    case = parse_case({"output": {"interval": 5, "pictures": pictures}}, "case.toml")
    assert case_hash(case) == case_hash(plain)
    assert load_case(write_resolved(case, tmp_path, Path("case.toml"))) == case
