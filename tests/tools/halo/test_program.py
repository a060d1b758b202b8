# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline-halo` from outside: results against the formulae, a broken transport, bad input."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

TIME_LIMIT_S = 300.0  # only keeps a hung program from hanging the suite
QUICK = ("--vertices", "1000", "--repetitions", "3", "--device", "emulated")
SCHEMES = ["whole", "neighbour", "packed", "direct", "peer", "host"]


def run(ranks: int, *words: str, preload: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the program on `ranks` ranks."""
    program = str(Path(os.environ["HALOCLINE_PROGRAMS"]) / "halocline-halo")
    flags = os.environ["HALOCLINE_MPIRUN_FLAGS"].split()
    command = [os.environ["HALOCLINE_MPIRUN"], "-n", str(ranks), *flags]
    if preload:
        command += ["env", f"LD_PRELOAD={preload}"]
    return subprocess.run(
        [*command, program, *QUICK, *words],
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT_S,
        check=False,
    )


def results(tmp_path: Path, ranks: int, *words: str) -> dict[str, Any]:
    """Run and return the only run of the program's JSON."""
    file = tmp_path / "halo.json"
    done = run(ranks, "--json", str(file), *words)
    assert done.returncode == 0, done.stderr
    data = json.loads(file.read_text())
    assert data["format"] == "halocline-halo-result"
    (only,) = data["runs"]
    found: dict[str, Any] = only
    return found


@pytest.mark.parametrize("ranks", [2, 3])
def test_costs_follow_from_the_sizes_that_are_told(tmp_path: Path, ranks: int) -> None:
    data = results(tmp_path, ranks)
    assert data["domains"] == ranks
    (mesh,) = data["meshes"]
    assert [row["scheme"] for row in mesh["rows"]] == 3 * SCHEMES
    for row in mesh["rows"]:
        fields = row["fields"]
        copies = {"whole": 2 * fields, "neighbour": fields * mesh["directions"], "packed": 2}
        size = {
            "whole": 2 * fields * mesh["whole_bytes"],
            "neighbour": fields * mesh["halo_bytes"],
            "packed": fields * mesh["halo_bytes"],
        }
        assert row["link_copies"] == copies.get(row["scheme"], 0)
        assert row["link_bytes"] == size.get(row["scheme"], 0)
        assert row["messages"] == mesh["sent_to"]
        assert row["message_bytes"] == fields * mesh["sent_bytes"]
        assert 0 < row["min_s"] <= row["lower_s"] <= row["median_s"] <= row["upper_s"]


def test_two_domains_of_a_cube_share_one_plane(tmp_path: Path) -> None:
    (mesh,) = results(tmp_path, 2, "--fields", "1")["meshes"]
    assert mesh["vertices"] == 1000
    assert mesh["whole_bytes"] == (500 + 100) * 8
    assert mesh["halo_bytes"] == 2 * 100 * 8
    assert mesh["all_are_neighbours"]


def test_ranks_without_devices_are_the_reference(tmp_path: Path) -> None:
    data = results(tmp_path, 2, "--device", "none", "--fields", "3")
    assert data["device"]["kind"] == "none"
    assert [row["scheme"] for row in data["meshes"][0]["rows"]] == ["host"]
    assert {one["scheme"] for one in data["refused"]} == set(SCHEMES) - {"host"}


@pytest.mark.parametrize("scheme", ["whole", "packed", "host"])
def test_wrong_values_are_a_failure(scheme: str) -> None:
    words = ("--schemes", scheme, "--fields", "1")
    assert run(2, *words).returncode == 0
    broken = run(2, *words, preload=os.environ["HALOCLINE_TEST_DAMAGE"])
    assert broken.returncode == 5, broken.stderr
    assert f"halo scheme '{scheme}' brought " in broken.stderr
    assert "wrong values" in broken.stderr


@pytest.mark.parametrize(
    ("ranks", "words", "code", "part"),
    [
        (1, (), 2, "one domain exchanges nothing"),
        (2, ("--schemes", "pakced"), 2, "Did you mean 'packed'?"),
        (2, ("--fields", "0"), 2, "--fields 0 is not a number of fields"),
        (2, ("--vertices", "2X"), 2, "'2X' is not a number of vertices"),
        (2, ("--link", "fast"), 2, "--link fast is not LATENCY,RATE"),
        (2, ("--partitioner", "inertal"), 2, "did you mean 'inertial'?"),
        (2, ("--device", "none", "--schemes", "packed"), 4, "no device takes part"),
        (2, ("--vertices", "8", "--json", "/nonexistent/x.json"), 5, "cannot be created"),
    ],
)
def test_bad_input_is_one_sentence(
    ranks: int, words: tuple[str, ...], code: int, part: str
) -> None:
    done = run(ranks, *words)
    assert done.returncode == code, done.stderr
    said = [line for line in done.stderr.splitlines() if line.startswith("halocline-halo: ")]
    assert len(said) == 1
    assert part in said[0]
