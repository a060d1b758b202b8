# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The program over two hosts and a slow network: the same bits, messages behind computation.

No time is judged here; docs/halo-exchange.md has figures, made by two_hosts.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mgcfd_support import Run, all_results, make_box, program, run, run_words
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
    return run_words(folder, hosts.command(mpirun, program(), *always, *words), hosts.environment)


@pytest.fixture(scope="module")
def judge(box: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The same on one rank."""
    folder = tmp_path_factory.mktemp("judge")
    done = run(folder, "-d", str(box), "-g", "4", "--output-variables", "--no-triad")
    assert done.code == 0, done.err
    return done


@pytest.mark.parametrize("scheme", ["p2p", "auto"])
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


def finest_fluxes(done: Run) -> list[dict[str, Any]]:
    """Halo accounts of the loops that wait for the finest level's halo, core elements first."""
    assert done.code == 0, done.err
    halos = [loop["halo"] for loop in done.record()["loops"] if loop["level"] == 0]
    return [halo for halo in halos if halo is not None and halo["exchanges"] > 0]


def test_messages_travel_behind_core_elements(hosts: Hosts, box: Path, tmp_path: Path) -> None:
    """Counts, no times: the core has more elements than lie between two looks at messages."""
    flying = run_apart(hosts, box, tmp_path / "overlap")
    waiting = run_apart(hosts, box, tmp_path / "waiting", "--no-halo-overlap")
    fluxes = finest_fluxes(flying)
    assert fluxes
    assert [halo["overlapped"] for halo in fluxes] == [halo["exchanges"] for halo in fluxes]
    assert [halo["overlapped"] for halo in finest_fluxes(waiting)] == [0] * len(fluxes)
    assert flying.record()["halo"]["bytes"] == waiting.record()["halo"]["bytes"]
    assert all_results(flying.folder) == all_results(waiting.folder)


def test_a_modelled_network_is_refused_between_hosts(
    hosts: Hosts, box: Path, tmp_path: Path
) -> None:
    done = run_apart(hosts, box, tmp_path / "run", "--network-model", "50,1")
    assert done.code == 2
    assert "one host" in done.err
