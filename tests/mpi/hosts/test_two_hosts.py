# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The program over two hosts and a slow network: the same bits, messages behind computation.

No time is judged here; docs/halo-exchange.md has figures, made by two_hosts.py.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mgcfd_support import Run, all_results, environment, make_box, program, run, time_limit_s
from two_hosts import Hosts, two_hosts, why_impossible

reason = why_impossible()
if not reason and "mpich" in os.environ["HALOCLINE_MPIRUN"]:
    reason = "the launch agent speaks Open MPI's language"
pytestmark = pytest.mark.skipif(bool(reason), reason=reason)


@pytest.fixture(scope="module")
def hosts() -> Iterator[Hosts]:
    """Two hosts joined at 200 Mbit/s."""
    with two_hosts() as pair:
        pair.limit("200mbit")
        yield pair


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A box whose halo takes a while at 200 Mbit/s."""
    return make_box(tmp_path_factory.mktemp("box"), (40, 24, 20), 2)


def run_apart(hosts: Hosts, box: Path, folder: Path, *words: str) -> Run:
    """One rank on each host."""
    folder.mkdir()
    always = ["-d", str(box), "-g", "4", "--output-variables", "--no-triad", "-m", "block"]
    mpirun = os.environ["HALOCLINE_MPIRUN"]
    done = subprocess.run(
        hosts.command(mpirun, program(), *always, *words),
        cwd=folder,
        env={**environment(), **hosts.environment},
        capture_output=True,
        text=True,
        timeout=time_limit_s,
        check=False,
    )
    return Run(done.returncode, done.stdout, done.stderr, folder)


@pytest.fixture(scope="module")
def judge(box: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The same on one rank."""
    folder = tmp_path_factory.mktemp("judge")
    done = run(folder, "-d", str(box), "-g", "4", "--output-variables", "--no-triad")
    assert done.code == 0, done.err
    return done


@pytest.mark.parametrize("scheme", ["p2p", "neighbor", "auto"])
def test_schemes_bring_the_same_bits_between_hosts(
    hosts: Hosts, box: Path, judge: Run, tmp_path: Path, scheme: str
) -> None:
    done = run_apart(hosts, box, tmp_path / "run", "--halo-scheme", scheme)
    assert done.code == 0, done.err
    assert all_results(done.folder) == all_results(judge.folder)
    assert [host["name"] for host in done.record()["hosts"]] == hosts.names


def test_one_sided_messages_work_or_are_refused_in_a_sentence(
    hosts: Hosts, box: Path, judge: Run, tmp_path: Path
) -> None:
    """Debian's Open MPI 4.1.4 has no one-sided messages over TCP."""
    done = run_apart(hosts, box, tmp_path / "run", "--halo-scheme", "rma")
    if done.code == 0:
        assert all_results(done.folder) == all_results(judge.folder)
    else:
        assert done.code == 5
        assert len(done.messages) == 1
        assert "--halo-scheme p2p" in done.messages[0]


def compare_overlap(hosts: Hosts, box: Path, folder: Path) -> bool:
    """Whether more was hidden with overlap than without; bytes are the same in any case."""
    folder.mkdir()
    ledgers: dict[str, dict[str, Any]] = {}
    for name, words in {"overlap": [], "waiting": ["--no-halo-overlap"]}.items():
        done = run_apart(hosts, box, folder / name, *words)
        assert done.code == 0, done.err
        ledgers[name] = done.record()["halo"]
        print(name, {key: f"{ledgers[name][key]:.4f}" for key in ("total_s", "exposed_s")})
    assert ledgers["overlap"]["bytes"] == ledgers["waiting"]["bytes"]
    return bool(ledgers["overlap"]["hidden_s"] > ledgers["waiting"]["hidden_s"])


def test_messages_travel_behind_core_elements(hosts: Hosts, box: Path, tmp_path: Path) -> None:
    """One of five attempts must show it: a machine that stops a rank spoils an attempt."""
    assert any(compare_overlap(hosts, box, tmp_path / f"{attempt}") for attempt in range(5))


def test_a_modelled_network_is_refused_between_hosts(
    hosts: Hosts, box: Path, tmp_path: Path
) -> None:
    done = run_apart(hosts, box, tmp_path / "run", "--network-model", "50,1")
    assert done.code == 2
    assert "one host" in done.err
