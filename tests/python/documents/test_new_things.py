# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What ARCHITECTURE.md and docs/new_solver.md say of new things suffices: each is added for trial.

A copy of an existing one gets a new name in a copy of the sources. CMake then makes the registries,
compilers compile what is new, and the Python package reads a case that asks for it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

TOP = Path(__file__).parents[3]
SOURCES = TOP / "src" / "halocline"
PACKAGE = TOP / "python" / "halocline"
# The layer's own CMakeLists.txt, in a project that does not look for compilers and libraries.
PROJECT = """cmake_minimum_required(VERSION 3.24)
project(trial LANGUAGES NONE)
function(halocline_add_layer name)
    cmake_parse_arguments(PARSE_ARGV 1 LAYER "" "" "SOURCES;DEPENDS;LIBRARIES")
    file(WRITE "${CMAKE_BINARY_DIR}/sources.txt" "${LAYER_SOURCES}")
endfunction()
add_subdirectory(halocline/dist)
"""
# An editable install of the package would find its own sources first.
SCRIPT = """import sys
sys.meta_path[:] = [one for one in sys.meta_path if "ScikitBuild" not in type(one).__name__]
sys.path.insert(0, sys.argv[1])
from halocline.case.load import parse_case
from halocline.case.resolve import case_schema_text
section, key, word = sys.argv[2:]
print(getattr(getattr(parse_case({section: {key: word}}, "trial"), section), key))
print(case_schema_text())
"""


def run(words: Sequence[object], folder: Path) -> str:
    command = [str(word) for word in words]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} here")
    return found


def copied(source: Path, trial: Path, names: dict[str, str]) -> None:
    """Write a copy of a source with other names."""
    text = source.read_text(encoding="utf-8")
    for old, new in names.items():
        assert old in text
        text = text.replace(old, new)
    trial.write_text(text, encoding="utf-8")


def symbols(source: Path, folder: Path, kind: str) -> str:
    """Compile a source of the copy; return the functions that it defines (T) or asks for (U)."""
    mpicxx = program("mpicxx")
    target = folder / f"{source.stem}.o"
    run(
        [mpicxx, "-std=c++20", "-O0", "-fopenmp", "-I", SOURCES.parent, "-c", source, "-o", target],
        folder,
    )
    listed = run(["nm", "--demangle", target], folder).splitlines()
    return "\n".join(line for line in listed if f" {kind} " in line)


def accepted(package: Path, section: str, key: str, word: str) -> str:
    """Have a copy of the Python package read a case; return the schema of cases."""
    read, _, schema = run(
        [sys.executable, "-c", SCRIPT, package.parent, section, key, word], package
    ).partition("\n")
    assert read == word
    return schema


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the Python package."""
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(PACKAGE, tmp_path / "python" / "halocline", ignore=ignored))


@pytest.mark.parametrize(
    ("pattern", "names", "table", "key"),
    [
        (
            "partition/partitioners/random.cpp",
            {"random": "trial", "Random": "Trial"},
            "partitioner_table.cpp",
            "partitioner",
        ),
        (
            "exchange/halo_schemes/p2p.cpp",
            {"p2p": "trial", "Persistent": "Trial"},
            "halo_scheme_table.cpp",
            "halo_scheme",
        ),
    ],
)
def test_one_file_adds_a_partitioner_or_a_scheme(
    tmp_path: Path, package: Path, pattern: str, names: dict[str, str], table: str, key: str
) -> None:
    shutil.copytree(SOURCES / "dist", tmp_path / "halocline" / "dist")
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    place = tmp_path / "halocline" / "dist" / pattern
    trial = place.with_name("trial.cpp")
    copied(place, trial, names)

    run([program("cmake"), "-S", ".", "-B", "build"], tmp_path)
    assert str(trial) in (tmp_path / "build" / "sources.txt").read_text().split(";")
    made = tmp_path / "build" / "halocline" / "dist" / table
    assert '{"trial", make_trial_' in made.read_text()
    (maker,) = re.findall(r"make_trial_\w+", symbols(trial, tmp_path, "T"))
    assert maker in symbols(made, tmp_path, "U")

    # `halocline-solve --names` writes this file from that table.
    words = package / "case" / "names.json"
    copied(words, words, {f'"parallel.{key}": [': f'"parallel.{key}": [\n    "trial",'})
    assert '"trial"' in accepted(package, "parallel", key, "trial")


PRINTED = """#include <cstdio>
#include "fluxes.hpp"
#include "limiters.hpp"
using namespace halocline::advection_diffusion;
int main() {
    for (const auto name : Fluxes::names) std::printf("%.*s ", int(name.size()), name.data());
    for (const auto name : Limiters::names) std::printf("%.*s ", int(name.size()), name.data());
}
"""


def test_one_struct_adds_a_flux_or_a_limiter(tmp_path: Path) -> None:
    home = SOURCES / "solver" / "advection_diffusion"
    (tmp_path / "print.cpp").write_text(PRINTED)
    for file, struct, name in [
        ("fluxes.hpp", "Central", "central"),
        ("limiters.hpp", "Venkatakrishnan", "venkatakrishnan"),
    ]:
        (definition,) = re.findall(
            rf"^struct {struct} {{.*?^}};$", (home / file).read_text(), re.DOTALL | re.MULTILINE
        )
        trial = definition.replace(struct, f"Trial{struct}").replace(f'"{name}"', f'"trial-{name}"')
        copied(
            home / file,
            tmp_path / file,
            {definition: f"{definition}\n{trial}", f"{struct}>": f"{struct}, Trial{struct}>"},
        )
        # Nothing else in the sources names it, so there is no other place to go to.
        where = [
            path
            for folder in (TOP / "src", TOP / "apps")
            for path in folder.rglob("*.[ch]pp")
            if re.search(rf'\b{struct}\b|"{name}"', path.read_text(encoding="utf-8"))
        ]
        assert where == [home / file]
    words = [program("mpicxx"), "-std=c++20", "-O0", "-I", tmp_path, "-I", SOURCES.parent]
    run([*words, "print.cpp", "-o", "print"], tmp_path)
    printed = run(["./print"], tmp_path).split()
    assert {"trial-central", "trial-venkatakrishnan"} <= set(printed)


def test_the_steps_of_the_page_add_a_solver(tmp_path: Path, package: Path) -> None:
    page = (TOP / "docs" / "new_solver.md").read_text(encoding="utf-8")
    (copying,) = re.findall(r"```sh\n(cp -r .*?)```", page, re.DOTALL)
    for folder in ("src/halocline/solver", "apps/solve"):
        shutil.copytree(TOP / folder, tmp_path / folder)
    run(["bash", "-e", "-c", copying], tmp_path)

    lists = re.findall(r"^\| `([\w/.]+)` \| (.*) \|$", page, re.MULTILINE)
    lines = {file: re.findall(r"`([^`]+)`", what) for file, what in lists}
    assert set(lines) == {
        "src/halocline/solver/CMakeLists.txt",
        "apps/solve/CMakeLists.txt",
        "apps/solve/solvers.cpp",
        "apps/solve/names.cpp",
        "python/halocline/case/solvers/__init__.py",
    }
    solvers = tmp_path / "apps" / "solve" / "solvers.cpp"
    include, entry = lines["apps/solve/solvers.cpp"]
    copied(
        solvers,
        solvers,
        {
            '#include "incompressible_case.hpp"': f'{include}\n#include "incompressible_case.hpp"',
            '    {"incompressible",': f'    {entry}\n    {{"incompressible",',
        },
    )
    assert "run_decay" in symbols(solvers, tmp_path, "U")
    solvers_py = package / "case" / "solvers" / "__init__.py"
    copied(
        solvers_py,
        solvers_py,
        {
            "from halocline.case.solvers.inc": "from halocline.case.solvers.decay import "
            "DecaySolver\nfrom halocline.case.solvers.inc",
            '    "incompressible": ': '    "decay": DecaySolver,\n    "incompressible": ',
            "    | Annotated[Inc": '    | Annotated[DecaySolver, Tag("decay")]\n'
            "    | Annotated[Inc",
        },
    )
    names = package / "case" / "names.json"
    copied(
        names,
        names,
        {
            '  "advection_diffusion.flux"': '  "decay.flux": ["upwind"],\n'
            '  "decay.limiter": ["none"],\n  "decay.problem": ["wave"],\n'
            '  "advection_diffusion.flux"'
        },
    )
    assert '"DecaySolver"' in accepted(package, "solver", "name", "decay")
