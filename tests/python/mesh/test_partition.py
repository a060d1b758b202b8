# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline mesh partition`: the command it starts, its tables, and the whole path."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from halocline.cli.mesh.partition_tables import print_comparison, print_partition
from halocline.errors import InvalidInputError, RunFailedError
from halocline.launch.programs import find_program
from halocline.mesh.partition import (
    PROGRAM,
    PartitionJob,
    best_ways,
    partition_command,
    partition_mesh,
    read_report,
)

MESH = Path(__file__).parents[3] / "data" / "mgcfd-reference" / "natural"


def way(partitioner: str, halo_nodes: int) -> dict[str, Any]:
    level = {
        "level": 0,
        "imbalance": 1.01,
        "largest_part": 6,
        "smallest_part": 5,
        "edge_cut": 7,
        "halo_nodes": halo_nodes,
        "neighbours": {"mean": 1.5, "max": 2},
        "messages_per_exchange": 6,
        "bytes_per_exchange": 40 * halo_nodes,
        "disconnected_parts": 0,
        "predicted_exchange_s": None,
    }
    return {
        "partitioner": partitioner,
        "method": "geom",
        "library": "halocline",
        "wall_s": 0.5,
        "cpu_s": 0.25,
        "memory_bytes": None,
        "halo_elements": 30,
        "levels": [level],
    }


def report(*ways: dict[str, Any]) -> dict[str, Any]:
    levels = [{"level": 0, "nodes": 16, "edges": 24, "boundary_entries": 12}]
    mesh = {"input": "m/input.dat", "levels": levels}
    return {"mesh": mesh, "parts": 3, "ranks": 1, "link": None, "ways": list(ways)}


def test_the_cheapest_exchange_comes_first_and_failures_last() -> None:
    failed = {"partitioner": "metis", "method": "kway", "error": "too large."}
    names = [w["partitioner"] for w in best_ways([failed, way("block", 40), way("sfc", 20)])]
    assert names == ["sfc", "block", "metis"]


def test_tables_name_what_was_not_predicted(capsys: pytest.CaptureFixture[str]) -> None:
    print_partition(report(way("sfc", 20)))
    failed = {"partitioner": "metis", "method": "kway", "error": "too large."}
    print_comparison(report(way("sfc", 20), failed))
    shown = capsys.readouterr().out
    assert "3 parts by sfc geom" in shown
    assert "metis kway: too large." in shown
    assert shown.count("Give --link") == 2


def test_a_report_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps({"schema": "halocline.partition-report", "schema_version": 99}))
    with pytest.raises(RunFailedError, match="another version"):
        read_report(path)


def test_a_mesh_that_is_not_there_is_named() -> None:
    with pytest.raises(InvalidInputError, match="nowhere"):
        partition_mesh(PartitionJob(Path("nowhere"), 2))


@pytest.mark.mpi
@pytest.mark.skipif(
    find_program(PROGRAM) is None or shutil.which("mpirun") is None,
    reason=f"{PROGRAM} is not built here; `make test` builds it first",
)
def test_a_written_partition_is_read_again_and_has_the_same_costs(
    tmp_path: Path,
) -> None:
    parts, pattern = tmp_path / "parts", tmp_path / "pattern.json"
    made = partition_mesh(
        PartitionJob(MESH, 5, "inertial", link="2,10", output=parts, pattern=pattern)
    )
    again = partition_mesh(PartitionJob(MESH, 5, "file", partition_file=parts, link="2,10"))
    assert made["ways"][0]["levels"] == again["ways"][0]["levels"]
    level = made["ways"][0]["levels"][0]
    sends = json.loads(pattern.read_text())["sends"]
    assert sum(map(len, sends)) == level["messages_per_exchange"]
    assert sum(message["elements"] for row in sends for message in row) == level["halo_nodes"]


def test_folders_that_look_like_options_reach_the_tool_as_paths(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("halocline.mesh.partition.require_program", lambda _: tmp_path / PROGRAM)
    job = PartitionJob(Path("-mesh"), 2, ranks=1, output=Path("-out"), pattern=Path("-pattern"))
    words = partition_command(job, Path("report.json"))
    for flag, path in (("-d", "./-mesh"), ("--output", "./-out"), ("--pattern", "./-pattern")):
        assert words[words.index(flag) + 1] == path
