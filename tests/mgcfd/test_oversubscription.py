# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""More threads than cores, and threads that the system does not give."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from mgcfd_support import all_results, make_box, run

cpus = len(os.sched_getaffinity(0))


@pytest.mark.skipif(
    cpus > 8,
    reason="26 threads crowd 8 cpus at most: `taskset -c 0,1 make test` runs it",
)
def test_spinning_threads_give_way_where_cores_are_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """26 threads that spin on two cores did not end within minutes."""
    case = make_box(tmp_path / "case", (8, 8, 8), 2)
    alone = run(case, "-g", "3", "--output-variables")
    assert alone.code == 0, alone.err
    expected = all_results(case)
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    words = ("-d", str(case), "-g", "3", "--output-variables", "--no-triad")
    done = run(tmp_path, *words, ranks=13, threads=2)
    assert done.code == 0, done.err
    assert done.messages == []
    first_lines = done.out.split("Loading")[0]
    assert "13 ranks x 2 threads on the" in first_lines
    assert "they take turns and wait passively" in first_lines
    assert any("13 ranks x 2 threads" in each for each in done.record()["layout"]["findings"])
    assert all_results(tmp_path) == expected


@pytest.mark.parametrize("flag", [True, False])
def test_one_rank_of_many_threads_gives_way_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flag: bool
) -> None:
    case = make_box(tmp_path / "case", (8, 8, 8), 2)
    threads = 4 * cpus
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    monkeypatch.setenv("GOMP_SPINCOUNT", "infinite")
    words = ["--threads", str(threads)] if flag else []
    done = run(
        tmp_path, "-d", str(case), "-g", "1", "--no-triad", *words, threads=1 if flag else threads
    )
    assert done.code == 0, done.err
    assert f"1 rank x {threads} threads on the" in done.out
    assert "wait passively" in done.out


def test_threads_that_fit_wait_as_they_were_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = make_box(tmp_path / "case")
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    done = run(tmp_path, "-d", str(case), "-g", "1", "--no-triad")
    assert done.code == 0, done.err
    assert "take turns" not in done.out


@pytest.mark.skipif(
    cpus < 2,
    reason="one cpu binds alike whatever is asked: `make test` on two or more runs it",
)
def test_a_crowd_keeps_the_places_of_its_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenMP binds the first thread before main; what begins anew must not be left that one cpu."""
    case = make_box(tmp_path / "case", (8, 8, 8), 2)
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    monkeypatch.setenv("OMP_PROC_BIND", "true")
    monkeypatch.setenv("OMP_PLACES", "threads")
    threads = 2 * cpus
    done = run(tmp_path, "-d", str(case), "-g", "1", "--no-triad", threads=threads)
    assert done.code == 0, done.err
    assert "wait passively" in done.out
    (binding,) = done.record()["layout"]["bindings"]
    assert set(binding["threads"]) == {str(cpu) for cpu in os.sched_getaffinity(0)}


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("text", ["99999999999", "4097", "0", "-2", "many", "2.5", "2,x,", ","])
def test_an_impossible_number_of_threads_is_one_sentence(
    tmp_path: Path, text: str, ranks: int
) -> None:
    case = make_box(tmp_path / "case")
    done = run(tmp_path, "-d", str(case), "-g", "1", "--no-triad", ranks=ranks, threads=text)
    if text == "2,x,":  # a list: the first number is the one of a rank
        assert done.code == 0, done.err
        return
    assert done.code == 2, done.err
    (message,) = done.messages
    assert f"OMP_NUM_THREADS is '{text}'" in message
    assert "1 to 4096" in message
    assert "--threads" in message


@pytest.mark.parametrize("ranks", [1, 2])
def test_threads_that_the_system_does_not_give_are_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ranks: int
) -> None:
    """A stack for which there is no memory: OpenMP's own way out is exit code 1."""
    case = make_box(tmp_path / "case")
    monkeypatch.setenv("OMP_STACKSIZE", "60T")
    done = run(tmp_path, "-d", str(case), "-g", "1", "--threads", "2", ranks=ranks)
    assert done.code == 4, (done.code, done.err)
    (message,) = done.messages
    assert "1 of 2 threads" in message
    assert "ulimit -u" in message
    assert "OMP_STACKSIZE" in message
