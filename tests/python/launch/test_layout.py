# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Ranks × threads: what `auto` becomes on machines of several shapes."""

from __future__ import annotations

import pytest
from halocline.case.model import ParallelSection
from halocline.launch.cores import CoreCount, parse_cpu_list, usable_cores
from halocline.launch.layout import choose_layout


def layout(cores: int, numa_nodes: int, **parallel: object) -> tuple[int, int, bool]:
    section = ParallelSection.model_validate(parallel)
    chosen = choose_layout(section, CoreCount(2 * cores, cores, numa_nodes))
    return chosen.ranks, chosen.threads, chosen.oversubscribed


@pytest.fixture(autouse=True)
def _outside_any_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLURM_JOB_NUM_NODES", raising=False)


@pytest.mark.parametrize(
    ("cores", "numa_nodes", "parallel", "expected"),
    [
        (1, 1, {}, (1, 1, False)),
        (2, 1, {}, (1, 2, False)),
        (16, 1, {}, (2, 8, False)),
        (64, 2, {}, (8, 8, False)),
        (12, 2, {}, (2, 6, False)),
        (16, 1, {"ranks": 4}, (4, 4, False)),
        (16, 1, {"threads": 1}, (16, 1, False)),
        (16, 1, {"backend": "serial"}, (16, 1, False)),
        (16, 1, {"backend": "serial", "ranks": 3}, (3, 1, False)),
        (16, 1, {"backend": "cuda"}, (1, 16, False)),
        (16, 1, {"backend": "cuda", "ranks": 2}, (2, 8, False)),
        (2, 1, {"ranks": 3}, (3, 1, True)),
        (2, 1, {"ranks": 2, "threads": 2}, (2, 2, True)),
    ],
)
def test_auto_uses_all_cores_and_what_is_given_stays(
    cores: int, numa_nodes: int, parallel: dict[str, object], expected: tuple[int, int, bool]
) -> None:
    assert layout(cores, numa_nodes, **parallel) == expected


def test_a_slurm_job_over_hosts_counts_all_their_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURM_JOB_NUM_NODES", "2")
    monkeypatch.setenv("SLURM_CPUS_ON_NODE", "16")
    assert layout(16, 1, threads=8) == (4, 8, False)


def test_the_kernel_list_format() -> None:
    assert parse_cpu_list("0-2,8,10-11\n") == {0, 1, 2, 8, 10, 11}
    assert parse_cpu_list("") == set()


def test_this_machine_has_at_least_one_core() -> None:
    cores = usable_cores()
    assert 1 <= cores.cores <= cores.hardware_threads
    assert cores.numa_nodes >= 1
