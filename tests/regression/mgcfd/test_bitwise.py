# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Ranks, threads, numbering, partitioner and back end change no bit of any result."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from mgcfd_support import all_results, make_box, run

shuffled = Path(os.environ["HALOCLINE_TEST_DATA_DIR"]) / "mgcfd-reference" / "boosted_shuffled"
cycles = 4


@dataclass(frozen=True)
class Results:
    """All result files of a run, and rms of every cycle."""

    files: dict[str, bytes]
    rms: list[float]


def run_case(case: Path, folder: Path, *words: str, ranks: int = 1, threads: int = 1) -> Results:
    """Writes everything that a run can write."""
    folder.mkdir()
    always = ["-d", str(case), "-g", str(cycles), "-I", "2", "--no-triad"]
    always += ["--output-variables", "--output-step-factors"]
    done = run(folder, *always, *words, ranks=ranks, threads=threads)
    assert done.code == 0, done.err
    return Results(all_results(folder), done.record()["results"]["rms"])


@pytest.fixture(scope="session")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three levels of a box; on seven ranks the coarsest has a node or two for each."""
    return make_box(tmp_path_factory.mktemp("box"), (9, 7, 6), 3)


@pytest.fixture(scope="session")
def box_judge(box: Path, tmp_path_factory: pytest.TempPathFactory) -> Results:
    """The serial back end on one rank in file order: the judge of all others."""
    judge = run_case(
        box, tmp_path_factory.mktemp("judge") / "box", "--backend", "serial", "--no-renumber"
    )
    assert len(judge.files) == 2 * 3 + cycles // 2
    return judge


def expect_same(actual: Results, judge: Results) -> None:
    """Equal bytes, file by file."""
    assert actual.files.keys() == judge.files.keys()
    assert [name for name in judge.files if actual.files[name] != judge.files[name]] == []
    assert actual.rms == judge.rms


@pytest.mark.parametrize(
    ("ranks", "threads", "renumber", "partitioner"),
    [
        (1, 1, "--renumber", "ptscotch"),
        (1, 2, "--no-renumber", "ptscotch"),
        (2, 1, "--renumber", "ptscotch"),
        (3, 2, "--renumber", "block"),
        (4, 1, "--no-renumber", "ptscotch"),
        (7, 1, "--renumber", "ptscotch"),
    ],
)
def test_a_box_has_the_same_bits(
    box: Path,
    box_judge: Results,
    tmp_path: Path,
    ranks: int,
    threads: int,
    renumber: str,
    partitioner: str,
) -> None:
    words = [renumber, "-m", partitioner]
    expect_same(run_case(box, tmp_path / "run", *words, ranks=ranks, threads=threads), box_judge)


@pytest.mark.parametrize("backend", ["serial", "check"])
def test_other_back_ends_have_the_same_bits_on_three_ranks(
    box: Path, box_judge: Results, tmp_path: Path, backend: str
) -> None:
    expect_same(run_case(box, tmp_path / "run", "--backend", backend, ranks=3), box_judge)


@pytest.mark.parametrize("words", [[], ["--no-device-graph"], ["--loop-times", "all"]])
def test_the_emulated_device_has_the_same_bits_and_no_stale_reads(
    box: Path, box_judge: Results, tmp_path: Path, words: list[str]
) -> None:
    words = ["--backend", "emulated", "--check-stale-reads", *words]
    expect_same(run_case(box, tmp_path / "run", *words), box_judge)


@pytest.mark.parametrize("scheme", ["packed", "neighbour", "whole", "direct", "peer", "auto"])
def test_emulated_devices_of_three_ranks_have_the_same_bits(
    box: Path, box_judge: Results, tmp_path: Path, scheme: str
) -> None:
    words = ["--backend", "emulated", "--check-stale-reads", "--halo-scheme", scheme]
    words += ["--assume-gpu-aware"] if scheme == "direct" else []
    expect_same(run_case(box, tmp_path / "run", *words, ranks=3), box_judge)
    halo = json.loads((tmp_path / "run" / "record.json").read_text())["halo"]
    assert halo["scheme"] == scheme or scheme == "auto"
    assert (halo["device_copies"] == 0) == (halo["scheme"] in ("direct", "peer"))


@pytest.fixture(scope="session")
def gpu(box: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skips where no GPU can be used, with the program's reason."""
    folder = tmp_path_factory.mktemp("gpu")
    done = run(folder, "-d", str(box), "-g", "1", "--no-triad", "--backend", "cuda")
    if done.code == 4 and "no GPU " in done.err:
        pytest.skip(done.messages[-1])
    assert done.code == 0, done.err


@pytest.mark.gpu
@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("words", [[], ["--no-device-graph"], ["--loop-times", "all"]])
def test_a_gpu_has_the_same_bits_and_no_stale_reads(
    box: Path, box_judge: Results, tmp_path: Path, words: list[str]
) -> None:
    words = ["--backend", "cuda", "--check-stale-reads", *words]
    expect_same(run_case(box, tmp_path / "run", *words), box_judge)


@pytest.mark.gpu
@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("scheme", ["packed", "neighbour", "whole", "peer", "auto"])
@pytest.mark.parametrize("ranks", [2, 3])
def test_ranks_on_gpus_have_the_same_bits(
    box: Path, box_judge: Results, tmp_path: Path, ranks: int, scheme: str
) -> None:
    words = ["--backend", "cuda", "--check-stale-reads", "--halo-scheme", scheme]
    expect_same(run_case(box, tmp_path / "run", *words, ranks=ranks), box_judge)


@pytest.mark.gpu
@pytest.mark.usefixtures("gpu")
def test_a_gpu_and_cores_in_one_job_have_the_same_bits(
    box: Path, box_judge: Results, tmp_path: Path
) -> None:
    words = ["--backend", "cuda", "--device", "mixed", "--device-ranks", "1"]
    expect_same(run_case(box, tmp_path / "run", *words, ranks=3), box_judge)


@pytest.mark.parametrize("ranks", [2, 5])
def test_cycles_of_several_devices_are_recorded_where_no_host_takes_part(
    box: Path, box_judge: Results, tmp_path: Path, ranks: int
) -> None:
    records = {}
    for name, words in {
        "graph": ["peer"],
        "launches": ["peer", "--no-device-graph"],
        "no overlap": ["peer", "--no-halo-overlap"],
        "all timed": ["peer", "--loop-times", "all"],
        "once": ["peer", "--device-strategy", "once,restrict=gather"],
        "packed": ["packed"],
    }.items():
        folder = tmp_path / name.replace(" ", "-")
        how = ["--backend", "emulated", "--halo-scheme", *words]
        expect_same(run_case(box, folder, *how, ranks=ranks), box_judge)
        records[name] = json.loads((folder / "record.json").read_text())
    graphs = {name: record["device_use"]["graph"] for name, record in records.items()}
    assert graphs == {name: name in ("graph", "no overlap", "once") for name in records}
    for count in ("exchanges", "messages", "bytes"):
        counts = {record["halo"][count] for record in records.values()}
        assert len(counts) == 1, (count, counts)
    assert records["graph"]["device_use"]["to_host_copies"] <= ranks * 26


@pytest.mark.parametrize("ranks", [2, 3, 5])
@pytest.mark.parametrize("scheme", ["packed", "whole"])
def test_cores_and_devices_in_one_job_have_the_same_bits(
    box: Path, box_judge: Results, tmp_path: Path, ranks: int, scheme: str
) -> None:
    words = ["--backend", "emulated", "--device", "mixed", "--halo-scheme", scheme]
    expect_same(run_case(box, tmp_path / "run", *words, ranks=ranks), box_judge)
    record = json.loads((tmp_path / "run" / "record.json").read_text())
    assert [rank["backend"] for rank in record["ranks"]] == ["emulated"] + ["openmp"] * (ranks - 1)
    assert sum(rank["nodes"] for rank in record["ranks"]) == record["mesh"]["levels"][0]["nodes"]
    assert all(rank["nodes_per_s"] > 0.0 for rank in record["ranks"])
    stages = [loop for loop in record["loops"] if loop["name"].startswith("flux_stage")]
    assert {loop["ran_on"] for loop in stages} == {"both"}


def test_given_weights_divide_a_mixed_job(box: Path, box_judge: Results, tmp_path: Path) -> None:
    words = ["--backend", "emulated", "--device", "mixed", "--device-ranks", "2"]
    expect_same(
        run_case(box, tmp_path / "run", *words, "--weights", "3,2,1", "-m", "block", ranks=3),
        box_judge,
    )
    ranks = json.loads((tmp_path / "run" / "record.json").read_text())["ranks"]
    assert [rank["backend"] for rank in ranks] == ["emulated", "emulated", "openmp"]
    assert [rank["weight"] for rank in ranks] == [1.5, 1.0, 0.5]
    assert [rank["nodes_per_s"] for rank in ranks] == [None] * 3
    nodes = [rank["nodes"] for rank in ranks]
    assert nodes[0] > nodes[1] > nodes[2]


def test_a_shuffled_mesh_has_the_same_bits(tmp_path: Path) -> None:
    judge = run_case(shuffled, tmp_path / "judge", "--backend", "serial", "--no-renumber")
    expect_same(run_case(shuffled, tmp_path / "one", threads=2), judge)
    expect_same(run_case(shuffled, tmp_path / "three", "-m", "ptscotch", ranks=3), judge)


def test_measuring_the_memory_bound_changes_no_bit(
    box: Path, box_judge: Results, tmp_path: Path
) -> None:
    expect_same(run_case(box, tmp_path / "run", "-b", ranks=2), box_judge)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ranks", "threads", "renumber", "partitioner"),
    list(product([1, 2, 3, 4, 7], [1, 2], ["--renumber", "--no-renumber"], ["ptscotch", "block"])),
)
def test_the_whole_matrix_has_the_same_bits(
    box: Path,
    box_judge: Results,
    tmp_path: Path,
    ranks: int,
    threads: int,
    renumber: str,
    partitioner: str,
) -> None:
    words = [renumber, "-m", partitioner]
    expect_same(run_case(box, tmp_path / "run", *words, ranks=ranks, threads=threads), box_judge)
