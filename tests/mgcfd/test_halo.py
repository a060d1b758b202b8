# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Halo exchange from outside: schemes, the ledger in the record, a rank lost in mid-exchange."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mgcfd_support import (
    Run,
    all_results,
    box_level,
    environment,
    launcher,
    make_box,
    patience_s,
    program,
    run,
    wait_for,
    write_input,
    write_level,
)

schemes = ["p2p", "rma"]


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two levels of a box."""
    return make_box(tmp_path_factory.mktemp("box"), (10, 8, 6), 2)


def run_box(box: Path, folder: Path, *words: str, ranks: int = 3, cycles: int = 3) -> Run:
    """Runs the box with all variables written."""
    folder.mkdir(exist_ok=True)
    always = ["-d", str(box), "-g", str(cycles), "--output-variables", "--no-triad", "-m", "block"]
    return run(folder, *always, *words, ranks=ranks)


def halo_of(done: Run) -> dict[str, Any]:
    """The record's ledger of a run that succeeded."""
    assert done.code == 0, done.err
    halo: dict[str, Any] = done.record()["halo"]
    return halo


def expect_exact(record: dict[str, Any]) -> None:
    """Loops add up to the whole, and each sent what the partition predicts."""
    halo = record["halo"]
    loops = [loop for loop in record["loops"] if loop["halo"]]
    assert loops
    for key in ("exchanges", "messages", "bytes"):
        assert sum(loop["halo"][key] for loop in loops) == halo[key]
    for loop in loops:
        # Restriction reads the state of the finer level, correction 5 + 3 values of the coarser.
        step, values = {"restrict": (-1, 5), "correct": (1, 8)}.get(loop["name"], (0, 5))
        predicted = halo["levels"][loop["level"] + step]
        sent = loop["halo"]
        assert sent["messages"] == sent["exchanges"] * predicted["messages"], loop["name"]
        assert sent["bytes"] == sent["exchanges"] * predicted["elements"] * values * 8, loop["name"]


@pytest.mark.parametrize("ranks", [2, 3])
def test_every_scheme_has_the_same_bits_and_the_same_ledger(
    box: Path, tmp_path: Path, ranks: int
) -> None:
    judge = run(
        tmp_path,
        "-d",
        str(box),
        "-g",
        "3",
        "--output-variables",
        "--no-triad",
        "--backend",
        "serial",
    )
    assert judge.code == 0, judge.err
    counts = []
    for scheme in schemes:
        done = run_box(box, tmp_path / scheme, "--halo-scheme", scheme, ranks=ranks)
        halo = halo_of(done)
        assert halo["scheme"] == scheme
        assert all_results(done.folder) == all_results(tmp_path)
        expect_exact(done.record())
        counts.append([halo[key] for key in ("exchanges", "messages", "bytes")])
    assert all(count == counts[0] for count in counts)


def test_halos_of_a_box_in_two_blocks_follow_the_formula(box: Path, tmp_path: Path) -> None:
    """10 x 8 x 6 nodes, last index fastest: the cut lies between the planes i = 4 and i = 5.

    Each rank sends one plane of 8 x 6 nodes. The coarse level has 5 x 4 x 3 nodes; parents i / 2 of
    the planes 4 and 5 are 2 and 2, so the coarse plane 2 has children on both sides, half each, and
    goes to the lower rank: it owns planes 0-2 and needs plane 3, the other needs plane 2, of 4 x 3.
    """
    halo = halo_of(run_box(box, tmp_path / "run", ranks=2))
    assert halo["levels"][0] == {"level": 0, "messages": 2, "elements": 2 * 8 * 6}
    assert halo["levels"][1] == {"level": 1, "messages": 2, "elements": 2 * 4 * 3}


def test_auto_measures_prints_and_records(box: Path, tmp_path: Path) -> None:
    done = run_box(box, tmp_path / "run", "--halo-scheme", "auto")
    halo = halo_of(done)
    assert halo["requested"] == "auto"
    assert [trial["scheme"] for trial in halo["trials"]] == schemes
    kept = [trial["scheme"] for trial in halo["trials"] if trial["verdict"] == "kept"]
    assert kept == [halo["scheme"]]
    assert halo["reason"] in done.out
    for trial in halo["trials"]:
        assert re.search(rf"^  {trial['scheme']} .*{trial['verdict']}$", done.out, re.MULTILINE)
    expect_exact(done.record())


def test_a_single_rank_exchanges_nothing(box: Path, tmp_path: Path) -> None:
    halo = halo_of(run_box(box, tmp_path / "run", "--halo-scheme", "auto", ranks=1))
    assert (halo["scheme"], halo["messages"], halo["trials"]) == ("p2p", 0, [])


def test_without_overlap_every_exchange_is_waited_for(box: Path, tmp_path: Path) -> None:
    """A message of this network takes 2 ms at least, and nothing runs meanwhile."""
    model = ["--network-model", "2000,1"]
    done = run_box(box, tmp_path / "run", "--no-halo-overlap", *model, ranks=2)
    halo = halo_of(done)
    assert halo["overlap"] is False
    assert halo["network_model"] == {"latency_us": 2000.0, "gb_per_s": 1.0}
    assert halo["exposed_s"] >= halo["exchanges"] * 2e-3
    expect_exact(done.record())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--halo-scheme", "neighbor"], "Known: auto, p2p, rma."),
        (["--halo-scheme", "p2"], "Did you mean 'p2p'?"),
        (["--network-model", "fast"], "50,0.125"),
        (["--network-model", "1,0"], "50,0.125"),
    ],
)
def test_wrong_words_are_usage_errors(
    box: Path, tmp_path: Path, words: list[str], sentence: str
) -> None:
    done = run_box(box, tmp_path / "run", *words, ranks=1)
    assert done.code == 2
    assert len(done.messages) == 1
    assert sentence in done.messages[0]


# --- a rank lost in mid-exchange ----------------------------------------------------------------


def ranks_of(job: int) -> list[int]:
    """Processes of the job that run the program, whoever started them."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            parents[int(entry.name)] = (int(stat[1]), words[0].endswith(b"mgcfd"))
    found = []
    for process, (parent, runs) in parents.items():
        ancestor = parent
        while runs and ancestor not in (0, job):
            ancestor = parents.get(ancestor, (0, False))[0]
        if runs and ancestor == job:
            found.append(process)
    return sorted(found)


@pytest.mark.parametrize("scheme", schemes)
def test_a_rank_killed_in_mid_exchange_ends_the_job_with_one_message(
    box: Path, tmp_path: Path, scheme: str
) -> None:
    """Messages take 1.5 s on the modelled network: the victim dies while they travel."""
    words = ["-d", str(box), "-g", "1000", "-m", "block", "--halo-scheme", scheme]
    words += ["--network-model", "1500000,1", "--no-triad"]
    log = tmp_path / "log"
    with log.open("w") as out:
        job = subprocess.Popen(
            [*launcher(3), program(), *words],
            cwd=tmp_path,
            env=environment(),
            stdout=out,
            stderr=out,
        )
        try:
            wait_for(lambda: "Compute beginning" in log.read_text(), patience_s)
            time.sleep(0.5)
            victims = ranks_of(job.pid)
            assert len(victims) == 3
            os.kill(victims[1], signal.SIGKILL)
            assert job.wait(timeout=patience_s) != 0
            wait_for(
                lambda: not any(Path(f"/proc/{rank}").exists() for rank in victims), patience_s
            )
        finally:
            job.kill()
            job.wait()
    said = log.read_text().split("Compute beginning")[1]
    assert len(re.findall(r"signal 9|KILLED", said)) == 1, said
    assert "mgcfd: " not in said, "the survivors have nothing to add"


# --- meshes that are hard to divide -------------------------------------------------------------


def test_a_mesh_smaller_than_the_job_gets_a_sentence(tmp_path: Path) -> None:
    case = make_box(tmp_path / "case", (2, 1, 1), 1)
    done = run_box(case, tmp_path / "run", ranks=3)
    assert done.code == 3
    assert len(done.messages) == 1
    assert "ranks" in done.messages[0]


@pytest.mark.parametrize("scheme", schemes)
def test_coarse_levels_with_ranks_that_hold_nothing_work(tmp_path: Path, scheme: str) -> None:
    """Four ranks; the coarsest level has two nodes, so some ranks have none of it."""
    case = make_box(tmp_path / "case", (5, 3, 2), 3)
    judge = run(tmp_path, "-d", str(case), "-g", "2", "--output-variables", "--no-triad")
    assert judge.code == 0, judge.err
    done = run_box(case, tmp_path / "run", "--halo-scheme", scheme, ranks=4, cycles=2)
    assert done.code == 0, done.err
    assert all_results(done.folder) == all_results(tmp_path)


@pytest.fixture(scope="module")
def islands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two boxes that nothing joins."""
    folder = tmp_path_factory.mktemp("islands")
    first, second = box_level((4, 4, 4), False), box_level((3, 5, 3), False)
    offset = len(first["node_coordinates"])
    for key in ("edge-->node", "bnd_node-->node"):
        second[key] = second[key] + offset
    second["node_coordinates"] = second["node_coordinates"] + [10.0, 0.0, 0.0]
    level = {key: np.concatenate([first[key], second[key]]) for key in first}
    write_level(folder / "mesh.L0.h5", level)
    write_input(folder, 1)
    return folder


@pytest.mark.parametrize(
    "words",
    ["ptscotch kway", "parmetis kway", "metis kway", "inertial geomkway", "sfc geomkway"],
)
def test_a_disconnected_mesh_works(islands: Path, tmp_path: Path, words: str) -> None:
    judge = run(tmp_path, "-d", str(islands), "-g", "2", "--output-variables", "--no-triad")
    assert judge.code == 0, judge.err
    partitioner, method = words.split()
    way = ["-m", partitioner, "-r", method]
    done = run_box(islands, tmp_path / "run", *way, ranks=5, cycles=2)
    assert done.code == 0, done.err
    assert all_results(done.folder) == all_results(tmp_path)
