# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Settings files and variables of endpoints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from halocline.endpoints.settings import (
    EndpointSettings,
    environment_settings,
    load_settings,
    variable_of,
)
from halocline.errors import InvalidInputError, UsageError

SOURCE = Path(__file__).parents[3] / "tools" / "collectives" / "settings.cpp"


def test_a_file_becomes_variables_of_the_library(tmp_path: Path) -> None:
    file = tmp_path / "endpoints.toml"
    file.write_text("enable = true\nnum_threads = 4\nbcast_threshold = 0\nbudget = 0.25\n")
    assert load_settings(file).variables() == {
        "MEP_ENABLE": "1",
        "MEP_NUM_THREADS": "4",
        "MEP_BCAST_THRESHOLD": "0",
        "MEP_BUDGET": "0.25",
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("num_thread = 2", r"unknown key 'num_thread'. Did you mean 'num_threads'"),
        ("num_threads = 0", "num_threads"),
        ('num_threads = "2"', "num_threads"),
        ("num_threads =", "not TOML"),
    ],
)
def test_mistakes_name_file_and_key(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "endpoints.toml"
    file.write_text(text)
    with pytest.raises(InvalidInputError, match=problem) as caught:
        load_settings(file)
    assert str(file) in str(caught.value)


def test_misspelt_variables_are_refused() -> None:
    assert environment_settings({"MEP_ENABLE": "0", "HOME": "/"}) == {"MEP_ENABLE": "0"}
    with pytest.raises(UsageError, match="Did you mean 'MEP_ALLREDUCE_THRESHOLD'"):
        environment_settings({"MEP_ALREDUCE_THRESHOLD": "1"})


def test_the_library_knows_the_same_names() -> None:
    table = SOURCE.read_text().partition("known_names = {")[2].partition("};")[0]
    names = set(re.findall(r'"(MEP_\w+)"', table))
    assert names == {variable_of(key) for key in EndpointSettings.__keys__}
