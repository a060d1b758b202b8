# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""halocline-solve and `halocline run` read the same case file: same keys, words and results."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from halocline.case.model import Case, MakeRecipe
from halocline.case.resolve import case_schema_text
from halocline.case.solvers import SOLVERS
from halocline.case.toml_text import to_toml
from halocline.launch.programs import find_program
from pydantic import BaseModel

REFERENCE = Path(__file__).parents[3] / "data" / "mgcfd-reference" / "natural"

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.skipif(
        find_program("halocline-solve") is None or shutil.which("mpirun") is None,
        reason="halocline-solve is not built here; `make test` builds it first",
    ),
]

# Words that only belong together are tried by hand below.
IN_LISTS = {"output.pictures.movie"}
"""Keys of tables in a list, which `--set` does not reach."""
TOGETHER = {"parallel.partitioner", "parallel.partitioner_method"}


def solve(*words: object) -> subprocess.CompletedProcess[str]:
    """Run halocline-solve on one rank."""
    program = str(find_program("halocline-solve"))
    command = [program, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def whole_case(solver: str) -> dict[str, Any]:
    """Every key there is for a solver, at its default, the mesh recipe included."""
    raw = {"mesh": {"directory": str(REFERENCE)}, "solver": {"name": solver}}
    case = Case.model_validate(raw)
    data = case.model_dump(mode="json", exclude={"submit"})
    data["mesh"]["make"] = MakeRecipe(shape="box", nodes=1000).model_dump(mode="json")
    return data


@pytest.fixture(params=SOLVERS)
def case_file(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The whole case of each solver as a file."""
    path = tmp_path / "case.toml"
    path.write_text(to_toml(whole_case(request.param)))
    return path


def choices(model: type[BaseModel], path: str = "") -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Keys that take one of some words, with these."""
    for name, field in model.model_fields.items():
        key = f"{path}{name}"
        below = f"{key}.wall." if get_origin(field.annotation) is dict else f"{key}."
        kinds = [field.annotation, *get_args(field.annotation)]
        if get_origin(field.annotation) is Literal:
            yield key, get_args(field.annotation)
        elif key != "submit":
            for kind in kinds:
                if isinstance(kind, type) and issubclass(kind, BaseModel):
                    yield from choices(kind, below)


def test_the_program_has_the_schema_of_the_model() -> None:
    assert solve("--schema").stdout == case_schema_text()


def test_every_solver_of_the_program_is_in_the_schema() -> None:
    table = (
        solve("--help").stdout.partition("Solvers (key solver.name):")[2].partition("Examples")[0]
    )
    offered = {line.split()[0] for line in table.splitlines() if line.strip()}
    assert offered == set(SOLVERS)


def test_every_key_of_the_schema_is_read(case_file: Path) -> None:
    done = solve(case_file, "--dry-run")
    assert done.returncode == 0, done.stderr


def test_every_word_of_the_schema_is_known(case_file: Path) -> None:
    """The first words of all keys in one run, the second in the next."""
    found = dict(choices(Case))
    name = tomllib.loads(case_file.read_text())["solver"]["name"]
    found |= dict(choices(SOLVERS[name], "solver."))
    assert {"parallel.backend", "parallel.halo_scheme", "solver.mesh_check"} <= found.keys()
    set_alone = [key for key in found if key not in TOGETHER and key not in IN_LISTS]
    free = [[f"{key}={word}" for word in found[key]] for key in set_alone]
    for settings in zip_longest(*free):
        words = [word for setting in settings if setting for word in ("--set", setting)]
        done = solve(case_file, "--dry-run", *words)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "words",
    ["ptscotch kway", "parmetis geomkway", "sfc geom", "inertial auto", "block auto", "file auto"],
)
def test_partitioners_of_the_schema_are_known(case_file: Path, words: str) -> None:
    partitioner, method = words.split()
    settings = ["--set", f"parallel.partitioner={partitioner}"]
    settings += ["--set", f"parallel.partitioner_method={method}"]
    done = solve(case_file, "--dry-run", *settings)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "setting",
    [
        "mesh.directry=x",
        "solver.mesh_chek=warn",
        "parallel.rank=2",
        "output.flow_intervall=2",
        "tittle=a",
    ],
)
def test_both_refuse_an_unknown_key_and_name_the_same_one(
    halocline: Callable[..., Any], case_file: Path, setting: str
) -> None:
    native = solve(case_file, "--dry-run", "--set", setting)
    python = halocline("run", case_file, "--dry-run", "--set", setting)
    assert (native.returncode, python.code) == (3, 3)
    key = setting.partition("=")[0]
    for said in (native.stderr, python.err):
        assert f"unknown key '{key}'" in said
    suggested = native.stderr.split("Did you mean")[1:]
    assert [text.strip() for text in suggested] == [
        text.strip() for text in python.err.split("Did you mean")[1:]
    ]


def test_both_bring_the_same_files(halocline: Callable[..., Any], tmp_path: Path) -> None:
    results = []
    for name in ("run", "solve"):
        case = tmp_path / f"{name}.toml"
        case.write_text(
            f'[mesh]\ndirectory = "{REFERENCE}"\n[solver]\ncycles = 2\n'
            f'[parallel]\nranks = 1\nthreads = 1\n[output]\ndirectory = "{name}"\n'
            "step_factors = true\nflow_interval = 1\n"
        )
        if name == "run":
            assert halocline("run", case).code == 0
        else:
            done = solve(case)
            assert done.returncode == 0, done.stderr
        files = (tmp_path / name).glob("*.h5")
        results.append({path.name: path.read_bytes() for path in files})
    assert len(results[0]) == 4 + 4 + 2
    assert results[0] == results[1]
