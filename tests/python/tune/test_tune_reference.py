# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Schemas and key tables say what the models say; the catalogue of settings can be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from halocline.errors import InvalidInputError
from halocline.preload.family import Family
from halocline.tune.library import Library, Variable
from halocline.tune.parameters import catalogue, known_parameters
from halocline.tune.settings import Setting


def _library(*variables: Variable) -> Library:
    return Library(Family.OPENMPI, "v", 2, {each.name: each for each in variables})


def _known(words: list[str], *variables: Variable) -> dict[str, tuple[str, ...]]:
    found = known_parameters(_library(*variables), words, catalogue())
    return {each.name: each.values for each in found}


EAGER = Variable("btl_vader_eager_limit", "other", "4096", False, (), "")
YIELD = Variable("mpi_yield_when_idle", "other", "0", False, ((0, "false"), (1, "true")), "")
COPY = Variable("btl_vader_single_copy_mechanism", "int", "3", False, ((1, "cma"), (3, "none")), "")
LINE = ["mpirun", "-n", "2", "./app"]


def test_only_what_the_library_lists_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("btl_vader_eager_limit", "mpi_yield_when_idle"):
        monkeypatch.delenv(f"OMPI_MCA_{name}", raising=False)
    found = _known(LINE, EAGER, YIELD, COPY)
    assert found == {
        "btl_vader_eager_limit": ("2048", "16384", "65536"),
        "mpi_yield_when_idle": ("1",),
        "btl_vader_single_copy_mechanism": ("cma",),  # `none` is the present value
        "--bind-to": ("core", "none"),
        "--map-by": ("core", "socket"),
    }


def test_what_the_user_says_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMPI_MCA_mpi_yield_when_idle", "0")
    line = ["mpirun", "--bind-to", "core", "--mca", "btl_vader_eager_limit", "1", "-n", "2", "./a"]
    assert _known(line, EAGER, YIELD) == {"--map-by": ("core", "socket")}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[parameter]]\nfamily = 'openmpi'\nkind = 'variable'\nnam = 'x'", "Did you mean 'name'"),
        ("[[parameter]]\nfamily = 'openmpi'\nkind = 'variable'", "key 'name' is missing"),
        ("[[parameter]]\nfamily = 'lam'\nkind = 'launch'\nname = 'x'", "no family 'lam'"),
        ("[[parameter]]\nfamily = 'mpich'\nkind = 'launch'\nname = 'x'", "either 'values'"),
        ("parameter = 3", "is not a list of tables"),
    ],
)
def test_a_catalogue_that_is_wrong_gets_a_sentence(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(InvalidInputError, match=r"settings\.toml") as raised:
        catalogue(file)
    assert words in str(raised.value)


def test_settings_become_words_and_variables() -> None:
    setting = Setting({"OMPI_MCA_a": "1", "UCX_B": "2"}, ("--bind-to", "core"))
    words = setting.command(["mpirun", "-n", "2", "./a"], Family.OPENMPI)
    assert words == ["mpirun", "--bind-to", "core", "-x", "UCX_B", "-n", "2", "./a"]
    words = Setting({"UCX_B": "2"}).command(["mpirun", "-n", "2", "./a"], Family.MPICH)
    assert words == ["mpirun", "-n", "2", "./a"]
    line = setting.shell_line(["mpirun", "./a b"], Family.OPENMPI)
    assert line == "OMPI_MCA_a=1 UCX_B=2 mpirun --bind-to core -x UCX_B './a b'"
