# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The C++ side of run records is made of the model, and says what the model says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from halocline.documents.reference import parts_below
from halocline.record import cpp
from halocline.record.model import Record

FOLDER = Path(__file__).parents[3] / "src" / "halocline" / "io"
REMEDY = "run python -m halocline.record.cpp src/halocline/io"


@pytest.mark.parametrize(
    ("name", "made"), [(cpp.STRUCTS, cpp.structs()), (cpp.KEYS, cpp.visitors())]
)
def test_the_headers_are_the_models(name: str, made: str) -> None:
    assert (FOLDER / name).read_text() == made, REMEDY


def struct(name: str) -> str:
    found = re.search(rf"struct {name}\b.*?\n}};\n", cpp.structs(), re.DOTALL)
    assert found is not None
    return found[0]


def keys_of(name: str) -> list[str]:
    found = re.search(rf"void for_each_key\(const {name}&.*?\n}}\n", cpp.visitors(), re.DOTALL)
    assert found is not None
    return re.findall(r'visit\("(\w+)"', found[0])


def test_every_part_has_all_its_keys_in_the_order_of_the_file() -> None:
    for part in [Record, *parts_below(Record)]:
        assert keys_of(part.__name__) == [key.name or name for name, key in part.__keys__.items()]


def test_what_the_model_allows_the_member_says() -> None:
    # Null for a key that may be absent, for a number that is not finite, for an older file.
    assert "std::optional<std::string> git{};" in struct("Code")
    assert "double last_rate = std::numeric_limits<double>::quiet_NaN();" in struct("LinearSolver")
    assert "std::vector<double> rms{};" in struct("Results")
    assert "std::int64_t writes = 0;" in struct("Io")
    # Defaults, first choices and least values.
    assert "bool overlap = true;" in struct("Halo")
    assert 'std::string state = "ok";' in struct("Status")
    assert "std::int64_t ranks = 1;" in struct("Host")
    assert "double imbalance = 1.0;" in struct("PartitionLevel")


def test_a_part_stands_before_what_holds_it() -> None:
    text = cpp.structs()
    places = [text.index(f"struct {name} ") for name in ("HaloCounts", "Halo", "Loop", "Record")]
    assert places == sorted(places)


def test_what_never_changes_is_no_member() -> None:
    assert "schema" not in struct("Record")
    assert 'visit("schema", "halocline.record");' in cpp.visitors()
    assert 'visit("schema_version", std::int64_t{1});' in cpp.visitors()
