# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a run costs besides its cycles: memory for the triad, page faults of set-up."""

from __future__ import annotations

import os
import resource
import subprocess
from pathlib import Path

import pytest
from mgcfd_support import environment, make_box, program

CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")


def usage_of(folder: Path, *words: str) -> resource.struct_rusage:
    """Resources of one run, its own children left out."""
    job = subprocess.Popen(
        [program(), *words], cwd=folder, env=environment(), stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(job.pid, 0)
    job.returncode = os.waitstatus_to_exitcode(status)
    assert job.returncode == 0
    return usage


def last_level_cache_bytes() -> int:
    sizes = {
        int((index / "level").read_text()): int((index / "size").read_text().strip().rstrip("K"))
        for index in CACHES.glob("index*")
    }
    if not sizes:
        pytest.skip(
            "/sys tells no cache sizes to hold the run to: runs where `lscpu -C` tells them"
        )
    return 1024 * sizes[max(sizes)]


def test_the_triad_needs_a_few_times_the_cache_whatever_the_mesh(tmp_path: Path) -> None:
    case = make_box(tmp_path / "case")
    words = ("-d", str(case), "-g", "1")
    without = usage_of(tmp_path, *words, "--no-triad").ru_maxrss
    with_triad = usage_of(tmp_path, *words, "--triad").ru_maxrss
    slack_kib = 4096
    assert 1024 * (with_triad - without - slack_kib) <= 4 * last_level_cache_bytes()


def test_set_up_faults_in_huge_pages(tmp_path: Path) -> None:
    if not HUGE_PAGES.is_file() or "[never]" in HUGE_PAGES.read_text():
        pytest.skip("transparent huge pages are 'never' here: runs with 'madvise', Linux' default")
    small = make_box(tmp_path / "small", (9, 9, 9), 1)
    large = make_box(tmp_path / "large", (75, 75, 75), 1)
    words = ("-g", "1", "--no-triad", "--threads", "1")
    start = usage_of(tmp_path, "-d", str(small), *words).ru_minflt
    faults = usage_of(tmp_path, "-d", str(large), *words).ru_minflt - start
    file_pages = (large / "mesh.L0.h5").stat().st_size / 4096
    # Small arrays and the ends of large ones stay in small pages; what is read, copied and planned,
    # several times the file, does not.
    assert faults < file_pages / 4, faults
