# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""OpenMP gives fewer threads than a run asks for: same bits, and it is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from mgcfd_support import Run, all_results, make_box, run


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Large enough for three threads on two levels: a thread gets 64 blocks of eight at least."""
    return make_box(tmp_path_factory.mktemp("case"), (40, 30, 24), 2)


@pytest.fixture(scope="module")
def serial(case: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Results of the serial back end."""
    folder = tmp_path_factory.mktemp("serial")
    assert solve(case, folder, "--backend", "serial").code == 0
    return all_results(folder)


def solve(case: Path, folder: Path, *words: str, ranks: int = 1, threads: int = 3) -> Run:
    """Three cycles with results."""
    return run(
        folder,
        *("-d", str(case), "-g", "3", "--output-variables", *words),
        ranks=ranks,
        threads=threads,
    )


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("limit", [1, 2])
def test_a_thread_limit_keeps_the_bits_and_is_said(
    case: Path,
    serial: dict[str, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    ranks: int,
    limit: int,
) -> None:
    monkeypatch.setenv("OMP_THREAD_LIMIT", str(limit))
    done = solve(case, tmp_path, ranks=ranks)
    assert done.code == 0, done.err
    assert all_results(tmp_path) == serial
    layout = done.record()["layout"]
    assert layout["threads_per_rank"] == limit
    assert layout["threads_asked"] == 3
    assert all(len(binding["threads"]) == limit for binding in layout["bindings"])
    said = [line for line in done.err.splitlines() if "3 threads" in line]
    assert len(said) == 1, done.err
    assert f"OpenMP gives {limit} of the 3 threads" in said[0]
    assert "OMP_THREAD_LIMIT" in said[0]


def test_a_dynamic_number_of_threads_keeps_the_bits(
    case: Path, serial: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many come is up to the machine's load."""
    monkeypatch.setenv("OMP_DYNAMIC", "true")
    done = solve(case, tmp_path)
    assert done.code == 0, done.err
    assert all_results(tmp_path) == serial
    layout = done.record()["layout"]
    assert layout["threads_asked"] == 3
    assert 1 <= layout["threads_per_rank"] <= 3
    assert ("OMP_DYNAMIC" in done.err) == (layout["threads_per_rank"] < 3)


def test_all_threads_are_no_news(case: Path, tmp_path: Path) -> None:
    done = solve(case, tmp_path, threads=2)
    assert done.code == 0, done.err
    assert done.record()["layout"]["threads_per_rank"] == 2
    assert done.record()["layout"]["threads_asked"] == 2
    assert "threads" not in done.err
