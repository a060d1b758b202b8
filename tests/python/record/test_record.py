# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Run records: round trip, strictness, and documents that follow the model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from halocline.errors import InvalidInputError
from halocline.record.model import Record
from halocline.record.store import read_record, write_record
from halocline.record.summary import headline, loop_totals


def test_a_record_survives_writing_and_reading(record_file: Path, tmp_path: Path) -> None:
    record = read_record(record_file)
    write_record(record, tmp_path / "copy.json")
    assert read_record(tmp_path / "copy.json") == record
    given = json.loads(record_file.read_text())
    assert json.loads((tmp_path / "copy.json").read_text()) == given


def test_a_folder_stands_for_the_record_in_it(record_file: Path, tmp_path: Path) -> None:
    assert read_record(tmp_path) == read_record(record_file)
    record_file.rename(tmp_path / "a_record.json")
    assert read_record(tmp_path).program == "mgcfd"
    (tmp_path / "b_record.json").write_text("{}")
    with pytest.raises(InvalidInputError, match=r"several run records.*a_record.*b_record"):
        read_record(tmp_path)


def change(data: dict, path: str, value: object) -> None:
    *parents, last = path.split(".")
    for key in parents:
        data = data[int(key)] if key.isdigit() else data[key]
    if value is None:
        del data[last]
    else:
        data[last] = value


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("halo.exchange", 3, ["halo.exchange", "Did you mean 'exchanges'?"]),
        ("loops.0.nmae", "x", ["loops.0.nmae", "Did you mean 'name'?"]),
        ("lops", [], ["'lops'", "Did you mean 'loops'?"]),
        ("halo.messages", "48", ["halo.messages", "integer"]),
        ("halo.messages", 4.5, ["halo.messages"]),
        ("layout.ranks", 0, ["layout.ranks"]),
        ("settings.legacy_mode", 1, ["settings.legacy_mode", "boolean"]),
        ("results.rms", None, ["results.rms", "required"]),
        ("setup.read_s", -1.0, ["setup.read_s"]),
        ("status.state", "fine", ["status.state"]),
        ("mesh.levels", [], ["mesh.levels"]),
        ("schema_version", 2, ["schema_version 2"]),
        ("schema", "other", ["not a run record"]),
    ],
)
def test_a_wrong_key_or_value_is_named(
    record_file: Path, path: str, value: object, words: list[str]
) -> None:
    data = json.loads(record_file.read_text())
    change(data, path, value)
    record_file.write_text(json.dumps(data))
    with pytest.raises(InvalidInputError) as failed:
        read_record(record_file)
    assert str(record_file) in str(failed.value)
    assert all(word in str(failed.value) for word in words), str(failed.value)


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '{"a": NaN}'])
def test_what_is_not_a_record_is_said_so(record_file: Path, text: str) -> None:
    record_file.write_text(text)
    with pytest.raises(InvalidInputError, match=str(record_file)):
        read_record(record_file)


def test_nan_is_refused_and_null_accepted_in_residuals(record_file: Path) -> None:
    data = json.loads(record_file.read_text())
    data["results"]["rms"] = [1e-9, None]
    record_file.write_text(json.dumps(data))
    assert read_record(record_file).results.rms == [1e-9, None]
    data["results"]["rms"] = [float("nan")]
    record_file.write_text(json.dumps(data))
    with pytest.raises(InvalidInputError):
        read_record(record_file)


def test_every_key_of_the_example_is_known_and_all_parts_are_shown(record_file: Path) -> None:
    data = json.loads(record_file.read_text())
    assert set(data) == {key.name or name for name, key in Record.__keys__.items()}


def test_loops_are_summed_over_levels_with_rates_from_the_sums(record_file: Path) -> None:
    flux, step = loop_totals(read_record(record_file))
    assert (flux.name, step.name) == ("flux_edge", "time_step")
    assert flux.calls == 18
    assert flux.seconds == pytest.approx(0.020)
    # 780e6 bytes in 0.020 s; 22.44e6 elements in 0.020 s; the triad of the example is 50 GB/s.
    assert flux.gb_per_s == pytest.approx(39.0)
    assert flux.ns_per_element == pytest.approx(0.020e9 / 22.44e6)
    assert flux.percent_of_triad == pytest.approx(78.0)
    assert flux.share + step.share == pytest.approx(1.0)


def test_the_headline_says_what_ran_where(record_file: Path) -> None:
    rows = dict(headline(read_record(record_file)))
    assert "3,000,000 edges" in rows["mesh"]
    assert rows["where"] == "2 ranks × 2 threads on node1"
    assert "ptscotch" in rows["partition"]


def test_the_headline_calls_a_mesh_without_a_name_of_mgcfd_by_its_folder(
    record_file: Path, tmp_path: Path
) -> None:
    record = json.loads(record_file.read_text())
    record["mesh"] |= {"name": "m6wing", "input": "meshes/cavity/input.dat"}
    file = tmp_path / "other.json"
    file.write_text(json.dumps(record))
    assert dict(headline(read_record(file)))["mesh"].startswith("cavity, ")
