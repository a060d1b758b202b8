# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Catalogues of settings: what is wrong with one is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from halocline.errors import InvalidInputError
from halocline.preload.family import Family
from halocline.tune.library import Library, Variable
from halocline.tune.parameters import catalogue, known_parameters

HEAD = '[[parameter]]\nfamily = "openmpi"\nkind = "variable"\nname = "v"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[parameters]]\nname = "v"', "unknown key 'parameters'"),
        (HEAD, "either 'values' or 'factors'"),
        (HEAD + 'values = "one"', "not a list of texts or whole numbers"),
        (HEAD + "values = [1.5]", "not a list of texts or whole numbers"),
        (HEAD + 'factors = ["2"]', "not a list of numbers"),
        (HEAD + "valus = [1]", "Did you mean 'values'"),
        ('[[parameter]]\nfamily = "mpi"\nkind = "variable"\nname = "v"', "no family 'mpi'"),
    ],
)
def test_a_wrong_catalogue_gets_a_sentence(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(InvalidInputError, match=words):
        catalogue(file)


def test_values_that_the_library_does_not_know_or_has_already_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(HEAD + 'values = ["on", "1", "off", "auto", "2"]')
    items = ((0, "off"), (1, "on"), (2, "auto"))
    variable = Variable("v", "int", "1", True, items, "")
    library = Library(Family.OPENMPI, "x", 2, {"v": variable})
    (found,) = known_parameters(library, ["mpirun", "-n", "2", "true"], catalogue(file))
    assert found.values == ("off", "auto", "2")
