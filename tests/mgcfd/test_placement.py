# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Where ranks and threads run, as the record says, and the warning where they get in the way."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from mgcfd_support import make_box, program, run, time_limit_s

cpus = sorted(os.sched_getaffinity(0))
needs_two_cpus = pytest.mark.skipif(len(cpus) < 2, reason="needs two cpus")


@needs_two_cpus
def test_threads_are_recorded_where_openmp_binds_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = make_box(tmp_path / "case")
    monkeypatch.setenv("OMP_PROC_BIND", "true")
    monkeypatch.setenv("OMP_PLACES", f"{{{cpus[1]}}},{{{cpus[0]}}}")
    done = run(tmp_path, "-d", str(case), "-g", "1", "--no-triad", threads=2)
    assert done.code == 0, done.err
    (binding,) = done.record()["layout"]["bindings"]
    assert binding["threads"] == [str(cpus[1]), str(cpus[0])]
    assert binding["rank"] == 0


@needs_two_cpus
def test_two_ranks_on_one_core_get_the_launch_line(tmp_path: Path) -> None:
    case = make_box(tmp_path / "case")
    done = run(
        tmp_path,
        *("-d", str(case), "-g", "1", "--no-triad"),
        ranks=2,
        before=lambda: os.sched_setaffinity(0, {cpus[0]}),
    )
    assert done.code == 0, done.err
    layout = done.record()["layout"]
    assert [binding["cpus"] for binding in layout["bindings"]] == [str(cpus[0])] * 2
    (warning,) = done.messages
    assert "ranks 0-1 share a core" in warning
    assert "-n 2" in warning
    assert any("share a core" in finding for finding in layout["findings"])


def test_more_ranks_than_cores_are_noted_without_a_warning(tmp_path: Path) -> None:
    case = make_box(tmp_path / "case", (8, 6, 5))
    ranks = len(os.sched_getaffinity(0)) + 1
    if ranks > 16:
        pytest.skip("too many cores to oversubscribe")
    done = run(tmp_path, "-d", str(case), "-g", "1", "--no-triad", "-m", "block", ranks=ranks)
    assert done.code == 0, done.err
    assert done.messages == []
    assert len(done.record()["layout"]["bindings"]) == ranks


@pytest.mark.parametrize("name", ["mgcfd", "halocline-meshtool"])
def test_every_program_places_itself_at_its_start(name: str) -> None:
    done = subprocess.run(
        [program(name), "--help"],
        env={**os.environ, "HALOCLINE_AFFINITY": "sometimes"},
        capture_output=True,
        text=True,
        timeout=time_limit_s,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert f"{name}: warning: HALOCLINE_AFFINITY=sometimes is not known" in done.stderr
