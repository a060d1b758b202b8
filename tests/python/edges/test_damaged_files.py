# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Readers of every text file that we write, fed with damaged ones.

Mutations are drawn from a seeded generator: the same on every machine. Whatever a file holds, a
reader ends well or with a sentence and a code of the table, and prints nothing that acts on a
terminal. HALOCLINE_FUZZ_ROUNDS asks for more mutations of each kind.
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from halocline.cli.app import _invoke
from halocline.cli.problems import exit_code_of
from halocline.errors import ExitCode

ROUNDS = int(os.environ.get("HALOCLINE_FUZZ_ROUNDS", "16"))
GOOD = {int(code) for code in ExitCode}
HOSTILE = "[/x]\x1b[31m\u202e\ud800"
NESTED: Any = "[" * 3000 + "]" * 3000
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**31, 2**63, -(2**63) - 1, 10**400, 0.5, -0.0, 1e308, 5e-324),
    *("", "x", HOSTILE, "1", "x" * 5000, [], {}, [[]], [None], {"": None}, [1, 2, 3]),
    *(float("nan"), float("inf"), -float("inf")),
)


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a JSON value below the top, as keys and indices."""
    items: Any = ()
    if isinstance(data, dict):
        items = data.items()
    elif isinstance(data, list):
        items = enumerate(data)
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def mutated(data: Any, rng: Random) -> Any:
    """A copy with one to three places removed, renamed, doubled or replaced."""
    changed = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        found = list(places(changed))
        if not found:
            return changed
        *outer, last = rng.choice(found)
        parent = changed
        for key in outer:
            parent = parent[key]
        kind = rng.randrange(8)
        if kind == 0:
            del parent[last]
        elif kind == 1 and isinstance(parent, dict):
            parent[str(last) + HOSTILE] = parent.pop(last)
        elif kind == 2 and isinstance(parent, list):
            parent.append(copy.deepcopy(parent[last]))
        elif kind == 3 and isinstance(parent[last], int | float):
            parent[last] = parent[last] * rng.choice((-1, 0, 1000, 10**12, 10**18))
        else:
            parent[last] = copy.deepcopy(rng.choice(VALUES))
    return changed


def spelt(data: Any) -> bytes:
    """JSON text; what is not a finite number is written as other writers do."""
    text = json.dumps(data).replace("-Infinity", "-1e400").replace("Infinity", "1e400")
    return text.encode()


def broken(text: bytes, rng: Random) -> Iterator[bytes]:
    """The text cut off, in wrong encodings, with bytes changed, or something else altogether."""
    yield b""
    yield text[: rng.randrange(len(text))]
    yield text.decode().encode("utf-16")
    yield b"\xef\xbb\xbf" + text
    yield b"\xff\xfe" + text
    yield text + text
    yield text.replace(b":", b"\x00:", 1)
    yield NESTED.encode()
    yield b'{"a":' * 3000
    yield b"null"
    yield b"[]"
    yield b'"' + HOSTILE.encode(errors="replace") + b'"'
    for _ in range(ROUNDS // 4):
        place = rng.randrange(len(text))
        yield text[:place] + bytes([rng.randrange(256)]) + text[place + 1 :]


@dataclass(frozen=True)
class Reader:
    """A file, what it should hold, and what reads it."""

    file: Path
    data: Any
    read: Callable[[], object]

    def variants(self, seed: str) -> Iterator[bytes]:
        rng = Random(seed)  # noqa: S311 - repeatable, on purpose
        yield from broken(spelt(self.data), rng)
        for _ in range(ROUNDS):
            yield spelt(mutated(self.data, rng))


Expect = Callable[[Reader], None]


@pytest.fixture
def expect_sentences(capfd: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> Expect:
    """Feed a reader with everything; name the first file that it does not survive."""

    def feed(reader: Reader) -> None:
        reader.file.write_bytes(spelt(reader.data))
        assert exit_code_of(reader.read) == 0, capfd.readouterr().err
        for number, text in enumerate(reader.variants(request.node.name)):
            reader.file.write_bytes(text)
            code = exit_code_of(reader.read)
            said = capfd.readouterr()
            problem = f"variant {number}: code {code}, {said.err[-400:]}\n{text[:3000]!r}"
            assert code in GOOD, problem
            assert "internal error" not in said.err, problem
            assert "Traceback" not in said.err, problem
            assert code == 0 or said.err.startswith("halocline"), problem
            assert not set("\x1b\u202e\x07") & set(said.out + said.err), problem

    return feed


def command(*words: object) -> Callable[[], object]:
    """A command line as a reader."""
    return lambda: _invoke([str(word) for word in words])


def test_run_records(expect_sentences: Expect, record_file: Path) -> None:
    from halocline.cli.run import print_summary
    from halocline.record.store import read_record

    data = json.loads(record_file.read_text())
    expect_sentences(
        Reader(record_file, data, lambda: print_summary(read_record(record_file), "x"))
    )


def test_run_records_as_pictures(
    expect_sentences: Expect, record_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without saving, which takes most of the time."""
    from halocline.plot import loop_shares

    monkeypatch.setattr(loop_shares, "save_picture", lambda *_: None)
    monkeypatch.setattr(loop_shares, "png", lambda _: b"")
    data = json.loads(record_file.read_text())
    read = command("plot", "--record", record_file, "-o", record_file.with_suffix(".png"))
    expect_sentences(Reader(record_file, data, read))


def test_results_of_p2p(
    expect_sentences: Expect, tmp_path: Path, p2p_result: dict[str, Any]
) -> None:
    file = tmp_path / "p2p.json"
    expect_sentences(Reader(file, p2p_result, command("p2p", "--from", file)))


def test_results_of_halo(
    expect_sentences: Expect, tmp_path: Path, halo_result: dict[str, Any]
) -> None:
    file = tmp_path / "made.json"
    expect_sentences(Reader(file, halo_result, command("halo", "--from", file)))


def test_results_of_cores(
    expect_sentences: Expect, tmp_path: Path, cores_result: dict[str, Any]
) -> None:
    file = tmp_path / "cores.json"
    expect_sentences(Reader(file, cores_result, command("cores", "--from", file)))


@pytest.fixture
def snapshot_folder(tmp_path: Path, snapshot_ranks: ModuleType) -> Path:
    """Rank files of a run with call sites, messages and files."""
    return snapshot_ranks.write_files(tmp_path / "made", snapshot_ranks.solver_run(2))


def test_rank_files_of_snapshots(expect_sentences: Expect, snapshot_folder: Path) -> None:
    file, report = snapshot_folder / "rank-1.json", snapshot_folder / "snapshot.json"

    def read() -> object:
        report.unlink(missing_ok=True)
        return _invoke(["snapshot", "show", str(snapshot_folder)])

    expect_sentences(Reader(file, json.loads(file.read_text()), read))


def test_snapshots(expect_sentences: Expect, snapshot_folder: Path, tmp_path: Path) -> None:
    from halocline.snapshot.html import html_page
    from halocline.snapshot.store import read_snapshot

    assert exit_code_of(command("snapshot", "show", snapshot_folder)) == 0
    data = json.loads((snapshot_folder / "snapshot.json").read_text())
    good, file = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(data))

    def read() -> None:
        read_snapshot(file)
        html_page(read_snapshot(file))
        _invoke(["snapshot", "show", str(file)])
        _invoke(["snapshot", "diff", str(good), str(file)])
        _invoke(["snapshot", "diff", str(file), str(good)])

    expect_sentences(Reader(file, data, read))


def test_snapshots_at_several_scales(
    expect_sentences: Expect, snapshot_folder: Path, tmp_path: Path, snapshot_ranks: ModuleType
) -> None:
    other = snapshot_ranks.write_files(tmp_path / "other", snapshot_ranks.solver_run(3))
    for folder in (snapshot_folder, other):
        assert exit_code_of(command("snapshot", "show", folder)) == 0
    data = json.loads((snapshot_folder / "snapshot.json").read_text())
    file = tmp_path / "bad.json"
    read = command("snapshot", "scale", file, other, "-o", tmp_path / "scale.html")
    expect_sentences(Reader(file, data, read))


def test_reports_of_endpoints(expect_sentences: Expect, tmp_path: Path) -> None:
    from halocline.cli.output import print_json
    from halocline.endpoints.report import REPORT

    row = {"communicator": "w", "ranks": 2, "communicators": 1, "function": "Bcast"}
    row |= {"bytes_from": 1, "calls": 2, "split_calls": 1, "trials": 1, "plain_s": 0.1}
    data = {
        "schema": "halocline.endpoints",
        "schema_version": 1,
        "active": True,
        "why_inactive": "",
        "ranks": 2,
        "endpoints": 2,
        "oversubscribed": False,
        "allreduce_threshold": 1,
        "bcast_threshold": 1,
        "calibrate": True,
        "watched": False,
        "raised": False,
        "mpi_calls": 3,
        "watched_s": 0.0,
        "next_run": "",
        "why_next": "",
        "elapsed_s": 1.0,
        "trial_cost_s": 0.1,
        "gained_s": 0.1,
        "duplicated_communicators": 1,
        "rows": [{**row, "split_s": 0.1, "decision": "split"}],
        "passed_on": {
            "Bcast": {"small": 1, "user_operation": 0, "inside_mpi": 0, "communicator": 0}
        },
    }
    file = tmp_path / "endpoints.json"

    def read() -> None:
        print_json(REPORT.read(file).plain())

    expect_sentences(Reader(file, data, read))


STUDY = """
[program]
command = "true {level}"
[vary]
level = [1, 2]
[run]
noise_rounds = 0
most = 6
[measure]
snapshot = "never"
"""


@pytest.fixture
def study_file(tmp_path: Path) -> Path:
    """A study that has run."""
    file = tmp_path / "study.toml"
    file.write_text(STUDY)
    assert exit_code_of(command("study", file)) == 0
    return file


def test_results_of_studies(expect_sentences: Expect, study_file: Path, tmp_path: Path) -> None:
    from halocline.study.markdown import markdown
    from halocline.study.page import page
    from halocline.study.result import RESULT

    data = json.loads((study_file.with_suffix("") / "study.json").read_text())
    file = tmp_path / "bad.json"

    def read() -> None:
        _invoke(["report", str(file), "-o", str(tmp_path / "report.html")])
        result = RESULT.read(file)
        page(result)
        markdown(result)

    expect_sentences(Reader(file, data, read))


def test_journals_of_studies(study_file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    journal = study_file.with_suffix("") / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    rng = Random("journals")  # noqa: S311 - repeatable, on purpose
    for number in range(ROUNDS):
        place = rng.randrange(len(lines))
        damaged = spelt(mutated(json.loads(lines[place]), rng)) + b"\n"
        journal.write_bytes(b"".join([*lines[:place], damaged, *lines[place + 1 :]]))
        code = exit_code_of(command("study", study_file))
        said = capfd.readouterr()
        assert code in GOOD, f"variant {number}: {said.err}"
        assert "internal error" not in said.err, f"variant {number}: {said.err}\n{damaged!r}"
        assert not set("\x1b\u202e") & set(said.out + said.err)


def test_forecasts(expect_sentences: Expect, tmp_path: Path) -> None:
    """Its page is made, too, of whatever is read without a sentence."""
    import sys

    from halocline.forecast.page import page
    from halocline.forecast.report import FORECAST

    sys.path.append(str(Path(__file__).parents[1] / "forecast"))
    from test_forecast import made_forecast

    data = made_forecast(32, 64).plain()
    file = tmp_path / "forecast.json"

    def read() -> None:
        page(FORECAST.read(file), "halocline forecast")
        _invoke(["forecast", "--from", str(file)])

    expect_sentences(Reader(file, data, read))


def test_reports_of_tools_on_ranks(expect_sentences: Expect, tmp_path: Path) -> None:
    from halocline.cli.with_tools import show_report
    from halocline.rank_tools.report import TOOL_REPORT

    row = {"rank": 0, "host": "n", "pid": 7, "files": ["gdb.0.log"], "said": "exited normally"}
    data = {
        "schema": "halocline.with",
        "schema_version": 1,
        "code_version": "0.1.0",
        "command": ["mpirun", "./app"],
        "exit_code": 0,
        "folder": "tools",
        "tools": [{"name": "gdb", "words": ["gdb"], "ranks": "0", "rows": [row]}],
    }
    file = tmp_path / "with.json"
    expect_sentences(Reader(file, data, lambda: show_report(TOOL_REPORT.read(file))))


def test_reports_of_partitions(expect_sentences: Expect, tmp_path: Path) -> None:
    from halocline.cli.mesh.partition_tables import print_comparison, print_partition
    from halocline.mesh.partition import read_report

    level = {"level": 0, "imbalance": 1.0, "largest_part": 5, "smallest_part": 5, "edge_cut": 3}
    level |= {"halo_nodes": 4, "messages_per_exchange": 2, "bytes_per_exchange": 160}
    level |= {"neighbours": {"mean": 1.0, "max": 1}, "disconnected_parts": 0}
    way = {"partitioner": "sfc", "method": "geom", "library": "own", "wall_s": 0.1, "cpu_s": 0.1}
    way |= {"memory_bytes": 1000, "halo_elements": 8}
    data = {
        "schema": "halocline.partition-report",
        "schema_version": 1,
        "ranks": 1,
        "parts": 2,
        "mesh": {"input": "input.dat", "levels": [{"nodes": 10, "edges": 20}]},
        "link": {"latency_s": 1e-6, "bytes_per_s": 1e10, "origin": "given"},
        "ways": [
            {**way, "levels": [{**level, "predicted_exchange_s": None}]},
            {"partitioner": "metis", "method": "kway", "error": "no"},
        ],
    }
    file = tmp_path / "report.json"

    def read() -> None:
        report = read_report(file)
        print_comparison(report)
        if report["ways"][0].get("levels"):
            print_partition(report)

    expect_sentences(Reader(file, data, read))


def test_job_files(
    expect_sentences: Expect, halocline: Callable[..., Any], tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    done = halocline("submit", "--scheduler", "local", "--interval", 0.1, "--wait", "--", "true")
    assert done.code == 0, done.err
    file = tmp_path / "true.job.json"
    reader = Reader(file, json.loads(file.read_text()), command("submit", "--status", file))
    expect_sentences(reader)


def test_answers_of_schedulers() -> None:
    """Whatever a scheduler prints, a state comes of it, if only `unknown`."""
    from halocline.submit.schedulers import lsf, pbs, slurm

    rng = Random("answers")  # noqa: S311
    of_pbs = {"Jobs": {"7.server": {"job_state": "F", "exec_host": "n1", "Exit_status": 271}}}
    of_lsf = {"RECORDS": [{"STAT": "EXIT", "EXIT_CODE": "3", "EXIT_REASON": "TERM_OWNER"}]}
    code = {"return_code": {"set": True, "number": 3}, "signal": {"id": {"set": False}}}
    of_slurm = {"job_id": 7, "job_state": ["FAILED"], "exit_code": code, "nodes": "n1"}
    for _ in range(ROUNDS * 20):
        pbs.read_state(spelt(mutated(of_pbs, rng)).decode(), "7")
        lsf.read_state(spelt(mutated(of_lsf, rng)).decode())
        slurm._read(mutated(of_slurm, rng))


def test_notes_of_job_scripts(tmp_path: Path) -> None:
    """Lines may be cut, foreign or absurd: what cannot be read is left out."""
    from halocline.submit.run_status import read_progress, read_status

    rng = Random("notes")  # noqa: S311
    text = b"1 7 started host\n2 7 running\n3 7 signal TERM\n4 7 ended 0\n5 7 finished 75\n"
    log = b"halocline: job 7\ncycle 1 / 9\ncycle 999999999999999999999999 / 3\n"
    for source, read in ((text, read_status), (log, read_progress)):
        for _ in range(ROUNDS * 10):
            damaged = bytearray(source)
            for _ in range(rng.randrange(1, 6)):
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
            (tmp_path / "file").write_bytes(bytes(damaged[: rng.randrange(1, len(damaged))]))
            read(tmp_path / "file")


CASE = """
title = "x"
[mesh]
directory = "mesh"
[mesh.make]
shape = "box"
nodes = 200
[solver]
cycles = 3
[parallel]
ranks = 2
[submit]
nodes = 1
time = "1h"
"""
TOML_VALUES = (
    *("nan", "inf", "-1", "1e400", "9" * 30, "[]", "{}", "''", "1979-05-27"),
    '"\\u001b[31m\\u0000"',
)


def toml_variants(text: str, rng: Random) -> Iterator[bytes]:
    yield from broken(text.encode(), rng)
    lines = text.splitlines()
    for _ in range(ROUNDS):
        changed = list(lines)
        place = rng.randrange(len(changed))
        key = changed[place].partition("=")[0].strip() or "x"
        changed[place] = rng.choice(
            ["", changed[place] * 2, *(f"{key} = {value}" for value in TOML_VALUES)]
        )
        yield "\n".join(changed).encode()


@pytest.mark.parametrize("kind", ["case", "site", "settings"])
def test_toml_files(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, stand_in: Path, kind: str
) -> None:
    assert stand_in.parent == tmp_path
    file = tmp_path / f"{kind}.toml"
    site = 'name = "x"\nscheduler = "slurm"\n[machine]\ncores_per_node = 4\n[limits]\nnodes = 4\n'
    settings = "num_threads = 2\nbudget = 1.0\ncalibrate = true\n"
    (tmp_path / "libhalocline-endpoints-openmpi.so").touch()
    os.environ["HALOCLINE_TOOLS"] = str(tmp_path)
    text, words = {
        "case": (CASE, ("run", file, "--dry-run")),
        "site": (site, ("submit", "--site", file, "--dry-run", "--", "true")),
        "settings": (
            settings,
            ("endpoints", "--config", file, "--mpi", "openmpi", "--dry-run", "--", "true"),
        ),
    }[kind]
    file.write_text(text)
    assert exit_code_of(command(*words)) == 0, capfd.readouterr().err
    for variant in toml_variants(text, Random(kind)):  # noqa: S311
        file.write_bytes(variant)
        code = exit_code_of(command(*words))
        said = capfd.readouterr()
        assert code in GOOD, (code, variant, said.err)
        assert "internal error" not in said.err, (variant, said.err)
        assert "\x1b" not in said.out + said.err
    del os.environ["HALOCLINE_TOOLS"]


def tune_gain() -> dict[str, Any]:
    """The gain of a tuning as JSON data."""
    return {"ratio": 0.5, "low": 0.4, "high": 0.6, "error_rate": 0.01, "pairs": 12, "noise": 0.1}


def test_rules_of_tune(expect_sentences: Expect, tmp_path: Path) -> None:
    (tmp_path / "openmpi-rules.conf").write_text("0\n")
    ruling = {"function": "MPI_Bcast", "members": 2, "low_bytes": 0, "high_bytes": None}
    data = {
        "schema": "halocline.tune-rules",
        "schema_version": 1,
        "made_by": "halocline",
        "made": "2026-01-01T00:00:00Z",
        "family": "openmpi",
        "library": "Open MPI v0",
        "command": ["mpirun", "./app"],
        "ranks": 2,
        "environment": {"A": "b"},
        "files": {"OMPI_MCA_x": "openmpi-rules.conf"},
        "launch": [],
        "rulings": [{**ruling, "algorithm": "ring", "ratio": 0.5}],
        "gain": tune_gain(),
    }
    file = tmp_path / "rules.json"

    def read() -> None:
        from halocline.tune.rules import read_rules

        rules, folder = read_rules(file)
        rules.setting(folder)

    expect_sentences(Reader(file, data, read))


def test_reports_of_tune(expect_sentences: Expect, tmp_path: Path) -> None:
    side = {"median_s": 1.0, "low_s": 0.9, "high_s": None, "times_s": [1.0, None], "peak_bytes": 9}
    algorithm = {"name": "ring", "state": "ok", "median_s": 1e-6, "ratio": 0.5, "low": 0.4}
    algorithm |= {"high": 0.6, "verdict": "faster", "wins": True}
    point = {"function": "MPI_Bcast", "members": 2, "bytes": 8, "calls": 9, "seconds": 0.1}
    point |= {"percent": 1.0, "default_s": 1e-6, "noise": 0.1, "saving_s": 0.1}
    trial = {"change": "x=y", "single": True, "ratio": 0.9, "runs": 1, "peak_bytes": 9}
    data = {
        "schema": "halocline.tune",
        "schema_version": 1,
        "made_by": "halocline",
        "made": "2026-01-01T00:00:00Z",
        "host": "here",
        "command": ["mpirun", "./app"],
        "family": "openmpi",
        "library": "Open MPI v0",
        "ranks": 2,
        "decision": True,
        "reason": None,
        "time_is": "from start to end",
        "first_run_s": 1.0,
        "recorded_s": 1.0,
        "points": [{**point, "algorithms": [algorithm]}],
        "rulings": [],
        "trials": [{**trial, "base_peak_bytes": 9, "problem": None}],
        "change": "x=y",
        "proof": {
            "sides": [{"name": name, **side} for name in ("base", "again", "tuned")],
            "gain": tune_gain(),
            "compared_results": True,
        },
        "launch_line": "mpirun ./app",
        "apply_line": "halocline tune",
    }
    file = tmp_path / "tune.json"
    expect_sentences(Reader(file, data, command("tune", "--show", file)))

    def draw() -> None:
        from halocline.tune.page import page
        from halocline.tune.report import REPORT

        page(REPORT.read(file))

    expect_sentences(Reader(file, data, draw))


def test_journals_of_tune(expect_sentences: Expect, tmp_path: Path) -> None:
    from halocline.tune.journal import Journal

    data = {"format": "halocline.tune-journal", "version": 1, "identity": {"command": ["a"]}}
    file = tmp_path / "journal.jsonl"
    expect_sentences(Reader(file, data, lambda: Journal(file, {"command": ["a"]}).close()))
