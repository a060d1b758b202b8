# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline-p2p` from outside: results, refusals, a broken transport, bad input."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

TIME_LIMIT_S = 300.0  # only keeps a hung program from hanging the suite
QUICK = ("--time", "0.001", "--emulate", "none")


def run(ranks: int, *words: str, preload: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the program on `ranks` ranks."""
    program = str(Path(os.environ["HALOCLINE_PROGRAMS"]) / "halocline-p2p")
    flags = os.environ["HALOCLINE_MPIRUN_FLAGS"].split()
    command = [os.environ["HALOCLINE_MPIRUN"], "-n", str(ranks), *flags]
    if preload:
        command += ["env", f"LD_PRELOAD={preload}"]
    return subprocess.run(
        [*command, program, *words],
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT_S,
        check=False,
    )


def results(tmp_path: Path, ranks: int, *words: str) -> dict[str, Any]:
    """Run and return the JSON of the program."""
    file = tmp_path / "p2p.json"
    done = run(ranks, *QUICK, "--json", str(file), *words)
    assert done.returncode == 0, done.stderr
    data: dict[str, Any] = json.loads(file.read_text())
    return data


def test_all_paths_and_patterns_of_two_ranks(tmp_path: Path) -> None:
    data = results(tmp_path, 2, "--sizes", "1,64K", "--window", "8", "--emulate", "mpi-access")
    assert data["format"] == "halocline-p2p-result"
    ran = {path["name"] for path in data["paths"] if path["state"] == "ran"}
    assert ran == {"host", "staged", "pipelined", "direct", "peer"}
    rows = {(row["path"], row["pattern"], row["bytes"]): row for row in data["rows"]}
    assert len(rows) == 5 * 3 * 2
    for row in rows.values():
        assert 0 < row["min_s"] <= row["median_s"] <= row["p99_s"] <= row["max_s"]
        assert row["bytes_per_s"] == pytest.approx(row["iteration_bytes"] / row["median_s"])
        assert row["first_s"] > 0
    # A ping-pong is compared at both ends, before and after: four messages.
    assert rows["host", "latency", 65536]["checked_bytes"] == 4 * 65536
    # 8 messages of 64 KiB in a window, one end, before and after.
    assert rows["staged", "bandwidth", 65536]["checked_bytes"] == 2 * 8 * 65536
    assert {row["bytes"] for row in data["judge"]} == {1, 65536}
    # Open MPI 4.1 is slower from the next level on, and plain programs ask for this one.
    assert data["thread_level"] == "single"
    assert {row["buffers"] for row in data["rows"]} == {"reused"}


def test_messages_have_buffers_of_their_own_when_asked_for(tmp_path: Path) -> None:
    words = ("--sizes", "4K", "--pattern", "bandwidth", "--path", "host", "--buffers", "distinct")
    assert results(tmp_path, 2, *words)["rows"][0]["buffers"] == "distinct"
    wrong = run(2, *QUICK, "--buffers", "both")
    assert wrong.returncode == 2
    assert "--buffers" in wrong.stderr


def test_link_traffic_is_counted_by_path(tmp_path: Path) -> None:
    words = ("--sizes", "1M", "--pattern", "latency", "--block", "64K")
    data = results(tmp_path, 2, *words)
    copies = {row["path"]: (row["link_copies"], row["link_bytes"]) for row in data["rows"]}
    assert copies["host"] == (0, 0)
    assert copies["staged"] == (2, 2 * 2**20)
    assert copies["pipelined"] == (2 * 16, 2 * 2**20)
    assert copies["peer"] == (0, 0)


def test_what_cannot_be_is_refused_with_the_reason(tmp_path: Path) -> None:
    data = results(tmp_path, 2, "--sizes", "8", "--pattern", "latency")
    direct = next(path for path in data["paths"] if path["name"] == "direct")
    assert direct["state"] == "refused"
    assert "fault" in direct["reason"]
    named = run(2, *QUICK, "--path", "direct")
    assert named.returncode == 4
    assert "path 'direct' cannot be used" in named.stderr
    assert data["gpudirect_rdma"]["verdict"].startswith("not available")
    assert all(item["source"] for item in data["gpudirect_rdma"]["evidence"])


def test_a_real_pattern_moves_what_its_file_says(tmp_path: Path) -> None:
    file = tmp_path / "pattern.json"
    sends = [
        [{"peer": 1, "elements": 100}, {"peer": 2, "bytes": 17}],
        [{"peer": 0, "bytes": 1}],
        [],
    ]
    content = {"format": "halocline-exchange-pattern", "version": 1, "ranks": 3}
    file.write_text(json.dumps({**content, "bytes_per_element": 40, "sends": sends}))
    words = ("--pattern", "sparse", "--pattern-file", str(file), "--path", "host,pipelined")
    data = results(tmp_path, 3, *words)
    for row in data["rows"]:
        assert row["messages"] == 3
        assert row["iteration_bytes"] == 4018
        assert row["checked_bytes"] == 2 * 4018
    wrong = run(2, *QUICK, *words)
    assert wrong.returncode == 2
    assert "for 3 ranks" in wrong.stderr


def test_pairs_run_on_four_ranks(tmp_path: Path) -> None:
    words = ("--pattern", "pairs", "--path", "host", "--sizes", "64", "--window", "4")
    (row,) = results(tmp_path, 4, *words)["rows"]
    assert (row["pairs"], row["messages"], row["iteration_bytes"]) == (2, 8, 512)


@pytest.mark.parametrize("path", ["host", "staged", "pipelined", "direct"])
def test_wrong_data_is_a_failure(path: str) -> None:
    words = (*QUICK, "--emulate", "mpi-access", "--path", path, "--sizes", "8K")
    assert run(2, *words, "--pattern", "latency").returncode == 0
    broken = run(2, *words, "--pattern", "latency", preload=os.environ["HALOCLINE_TEST_DAMAGE"])
    assert broken.returncode == 5
    assert f"wrong data over path '{path}'" in broken.stderr


def test_a_sweep_writes_blocks_that_the_next_run_uses(tmp_path: Path) -> None:
    blocks = tmp_path / "blocks.json"
    words = ("--sweep", "--sizes", "4K,64K", "--sweep-blocks", "1K:32K:4")
    data = results(tmp_path, 2, *words, "--write-blocks", str(blocks))
    large = data["sweep"]["rows"][1]
    assert [block["block_bytes"] for block in large["blocks"]] == [1024, 4096, 16384]
    # Never slower than whole: otherwise the choice is the whole message.
    for row in data["sweep"]["rows"]:
        assert row["confirmed_best_s"] <= row["confirmed_staged_s"]
    written = json.loads(blocks.read_text())
    assert [entry["block_bytes"] for entry in written["entries"]] == [
        row["best_block_bytes"] for row in data["sweep"]["rows"]
    ]
    chosen = {**written, "entries": [{"message_bytes": 0, "block_bytes": 2048}]}
    blocks.write_text(json.dumps(chosen))
    os.environ["HALOCLINE_TRANSFER_BLOCKS"] = str(blocks)
    try:
        again = results(
            tmp_path, 2, "--path", "pipelined", "--pattern", "latency", "--sizes", "64K"
        )
    finally:
        del os.environ["HALOCLINE_TRANSFER_BLOCKS"]
    assert again["blocks_origin"] == str(blocks)
    assert again["rows"][0]["block_bytes"] == 2048


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (("--pth", "host"), 2, "--path"),
        (("--path", "pipelines"), 2, "Did you mean 'pipelined'?"),
        (("--pattern", "latencyy"), 2, "Did you mean 'latency'?"),
        (("--sizes", "4X"), 2, "'4X' is not a size"),
        (("--emulate", "bandwith=1"), 2, "Did you mean 'bandwidth'?"),
        (("--write-blocks", "f.json"), 2, "needs --sweep"),
        (("--pattern", "pairs"), 2, "four ranks"),
        (("--pattern-file", "/nonexistent.json"), 3, "/nonexistent.json: cannot be read"),
        (("--device", "none", "--path", "peer"), 4, "no device takes part"),
        (
            ("--json", "/nonexistent/x.json", "--sizes", "1", "--path", "host"),
            5,
            "cannot be created",
        ),
    ],
)
def test_bad_input_is_one_sentence(words: tuple[str, ...], code: int, part: str) -> None:
    done = run(2, *QUICK, *words)
    assert done.returncode == code, done.stderr
    said = [line for line in done.stderr.splitlines() if line.startswith("halocline-p2p: ")]
    assert len(said) == 1
    assert part in said[0]
