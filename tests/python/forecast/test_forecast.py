# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline forecast`: what is refused, what is written, and a whole forecast of a small case."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.errors import InvalidInputError
from halocline.forecast.forecast import Question, forecast, require_one_mesh
from halocline.forecast.known_runs import sanity_rows
from halocline.forecast.machine import Machine
from halocline.forecast.network import Link, link_of_p2p
from halocline.forecast.page import page
from halocline.forecast.parts import Division
from halocline.forecast.report import FORECAST, Forecast
from halocline.forecast.solvers import Collectives
from halocline.launch.programs import find_program
from halocline.record.store import read_record, write_record

sys.path.append(str(Path(__file__).parent))
import made_up

NETWORK = "latency=1.5us,bandwidth=12.5GB/s"
REFERENCE = Path(__file__).parents[3] / "data" / "mgcfd-reference" / "natural"
needs_programs = pytest.mark.skipif(
    find_program("halocline-solve") is None
    or find_program("halocline-meshtool") is None
    or find_program("halocline-cores") is None
    or shutil.which("mpirun") is None,
    reason="halocline-solve and halocline-meshtool are not built here; `make test` builds them",
)


def made_forecast(*ranks: int) -> Forecast:
    """A forecast of the made-up machine."""
    link = Link(made_up.LATENCY_S, made_up.BYTES_PER_S, "given")

    def divide(parts: int, *_way: str) -> Division:
        return made_up.division(parts)

    question = Question(
        "made <up>", Path("mesh/input.dat"), ranks, (("sfc", "geom"),), Collectives(4.0)
    )
    runs = [made_up.run(count) for count in (1, 2, 4)]
    return forecast(question, runs, Machine(link, link, 2, 2), divide)


def test_a_forecast_is_written_and_read_again(
    tmp_path: Path, halocline: Callable[..., Any]
) -> None:
    made = made_forecast(32, 256, 4096)
    FORECAST.write(made, tmp_path / "forecast.json")
    assert FORECAST.read(tmp_path / "forecast.json") == made
    shown = halocline("forecast", "--from", tmp_path / "forecast.json")
    assert shown.code == 0
    assert "4,096" in shown.out
    assert "Left out and predicted" in shown.out
    assert made.ways[0].stops in " ".join(shown.out.split())
    data = halocline("forecast", "--json", "--from", tmp_path / "forecast.json").data
    assert [row["ranks"] for row in data["ways"][0]["rows"]] == [32, 256, 4096]


def test_the_page_stands_alone_and_escapes() -> None:
    made = made_forecast(32, 64, 128, 256, 4096)
    text = page(made, "halocline forecast 'a<b'")
    assert "made &lt;up&gt;" in text
    assert "a&lt;b" in text
    assert "http" not in text.replace("http://www.w3.org", "")
    assert "left out and predicted" in text
    assert "OP2 on Kunpeng" in text
    assert len(text) < 300_000


def test_published_runs_stand_beside_the_same_numbers_of_ranks() -> None:
    rows = sanity_rows(made_forecast(32, 64, 128, 256, 4096))
    assert [row.ranks for row in rows] == [32, 64, 128, 256]
    assert rows[-1].published_speedup == pytest.approx(56.864 / 16.972)
    assert sanity_rows(made_forecast(7, 64)) == []


def test_doubts_are_told() -> None:
    doubts = " ".join(made_forecast(32, 4096).doubts)
    assert "The largest measured job has 4 ranks" in doubts


def test_records_of_another_mesh_are_refused() -> None:
    other = made_up.record(2).plain()
    other["mesh"]["levels"][0]["nodes"] = 7
    from halocline.documents.store import parse
    from halocline.forecast.measured import measured
    from halocline.record.model import Record

    run = measured(parse(Record, other, "other"), "other.json")
    with pytest.raises(InvalidInputError, match=r"other\.json: its mesh has levels of \[7, "):
        require_one_mesh([made_up.run(1), run])


def test_a_run_of_two_ranks_is_needed_for_halos() -> None:
    link = Link(1e-6, 1e9, "given")
    question = Question("x", Path("m"), (4,), (("sfc", "geom"),), Collectives())
    with pytest.raises(InvalidInputError, match="no measured run has two ranks or more"):
        forecast(
            question,
            [made_up.run(1)],
            Machine(link, link, 1, 1),
            lambda parts, *_: made_up.division(parts),
        )


def test_links_are_taken_from_results_of_p2p(tmp_path: Path) -> None:
    import runpy

    made = runpy.run_path(str(Path(__file__).parents[1] / "p2p" / "results.py"))
    row, result = made["row"], made["result"]()
    result["rows"] = []
    file = tmp_path / "p2p.json"
    file.write_text(json.dumps(result))
    with pytest.raises(InvalidInputError, match="pattern 'latency'"):
        link_of_p2p(file)
    result["rows"] = [row("host", 8, 2e-6), row("host", 1000008, 102e-6)]
    file.write_text(json.dumps(result))
    link = link_of_p2p(file)
    assert (link.latency_s, link.bytes_per_s) == pytest.approx((2e-6, 1e10))


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        ([], 2, "no case file is given"),
        (["CASE"], 2, "--network is missing"),
        (["CASE", "--network", "latency=1us"], 2, "both latency and bandwidth"),
        (["CASE", "--network", NETWORK, "--ranks", "64,x"], 2, "'x' is not a number of ranks"),
        (["CASE", "--network", NETWORK, "--ranks", "0"], 2, "'0' is not a number of ranks"),
        (["CASE", "--network", NETWORK, "-m", "ptscoth"], 2, "Did you mean 'ptscotch'?"),
        (["CASE", "--network", NETWORK, "-m", "sfc:kwy"], 2, "Did you mean 'kway'?"),
        (["CASE", "--network", NETWORK, "--record", "nowhere.json"], 3, "Cannot read"),
        (["CASE", "--network", "nowhere.json"], 3, "Cannot read nowhere.json"),
        (["nowhere.toml", "--network", NETWORK], 3, "nowhere.toml"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    halocline: Callable[..., Any],
    case_file: Path,
    words: list[str],
    code: int,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(case_file.parent)
    failed = halocline("forecast", *[str(case_file) if word == "CASE" else word for word in words])
    assert (failed.code, len(failed.err.splitlines())) == (code, 1), failed.err
    assert sentence in failed.err
    assert not (case_file.parent / "forecast").exists()


def test_a_record_of_a_failed_run_is_refused(
    halocline: Callable[..., Any], case_file: Path, tmp_path: Path
) -> None:
    record = made_up.record(2)
    write_record(
        record.changed(status=record.status.changed(state="diverged")), tmp_path / "r.json"
    )
    failed = halocline("forecast", case_file, "--network", NETWORK, "--record", tmp_path / "r.json")
    assert failed.code == 3
    assert "the run ended diverged" in failed.err


def test_a_dry_run_says_what_would_be_done(
    halocline: Callable[..., Any], case_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(case_file.parent)
    words = ("--network", NETWORK, "--ranks", "64,10000", "-m", "sfc:geom", "--measure", "1,2")
    shown = halocline("forecast", case_file, *words, "--dry-run")
    assert shown.code == 0, shown.err
    assert "on 1, 2 ranks" in shown.out
    assert "divide the mesh by sfc geom into 64, 10,000 parts" in shown.out
    data = halocline("forecast", case_file, *words, "--dry-run", "--json").data
    assert data["ranks"] == [64, 10000]
    assert not (case_file.parent / "forecast").exists()


@needs_programs
@pytest.mark.mpi
@pytest.mark.timeout(300)
def test_a_small_case_is_measured_divided_and_foretold(
    halocline: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMPI_MCA_mpi_yield_when_idle", "1")
    (tmp_path / "case.toml").write_text(
        f"[mesh]\ndirectory = {json.dumps(str(REFERENCE))}\n[parallel]\nbackend = 'openmp'\n"
        "partitioner = 'inertial'\n"
    )
    words = ("--measure", "1,2", "--cycles", "2", "--repeats", "1", "--network", NETWORK)
    done = halocline(
        *("forecast", "case.toml", "--ranks", "2,64,500", *words),
        *("-m", "inertial:geom", "-m", "random", "--json"),
    )
    assert done.code == 0, done.err
    best, worst = done.data["ways"]
    assert [row["ranks"] for row in best["rows"]] == [2, 64, 500]
    for good, bad in zip(best["rows"], worst["rows"], strict=True):
        assert good["cycle_s"] < bad["cycle_s"]
        assert sum(good["components"].values()) == pytest.approx(good["cycle_s"])
    assert (tmp_path / "forecast" / "forecast.html").is_file()
    record = read_record(tmp_path / "forecast" / "runs" / "2-1")
    finest = record.halo.levels[0].elements / record.mesh.levels[0].nodes
    if record.partition is not None and record.partition.method == "geom":
        assert best["rows"][0]["halo_share"] == pytest.approx(finest)


@needs_programs
@pytest.mark.mpi
@pytest.mark.timeout(300)
def test_parts_that_are_listed_add_up_to_what_is_reported() -> None:
    """Sums over parts are the report's own; links carry the halos; each edge has one owner."""
    import numpy as np
    from halocline.forecast.parts import read_division
    from halocline.mesh.partition import PartitionJob, partition_mesh

    for partitioner in ("inertial", "random", "block"):
        job = PartitionJob(REFERENCE, 7, partitioner, link="1,1", per_part=True)
        report = partition_mesh(job)
        made = read_division(report)
        for level, said, size in zip(
            made.levels, report["ways"][0]["levels"], report["mesh"]["levels"], strict=True
        ):
            assert level.nodes.sum() == size["nodes"]
            assert level.nodes.max() == said["largest_part"]
            assert level.halo.sum() == said["halo_nodes"]
            assert len(level.link_nodes) == said["messages_per_exchange"]
            assert level.own_edges.sum() == size["edges"]
            assert level.edges.sum() >= size["edges"] + said["edge_cut"] * (said["edge_cut"] > 0)
            sent = np.bincount(level.senders, weights=level.link_nodes, minlength=7)
            assert np.all(level.shared <= np.minimum(sent, level.nodes))
            assert np.all((level.shared > 0) == (sent > 0))
