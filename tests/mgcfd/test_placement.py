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
needs_two_cpus = pytest.mark.skipif(
    len(cpus) < 2, reason="one cpu binds alike whatever is asked: runs on two or more"
)


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
        pytest.skip(f"{ranks} ranks on one machine: runs where there are at most 15 cores")
    done = run(tmp_path, "-d", str(case), "-g", "1", "--no-triad", "-m", "block", ranks=ranks)
    assert done.code == 0, done.err
    assert done.messages == []
    assert len(done.record()["layout"]["bindings"]) == ranks


def pretend(monkeypatch: pytest.MonkeyPatch, machine: str, *flags: str) -> None:
    """Ranks see this machine; the launcher, which would place by it, does not."""
    file = Path(__file__).parents[1] / "unit" / "machine" / "data" / machine
    words = [os.environ["HALOCLINE_MPIRUN_FLAGS"], "env", *flags]
    words += [f"HWLOC_XMLFILE={file}", "HWLOC_THISSYSTEM=1"]
    monkeypatch.setenv("HALOCLINE_MPIRUN_FLAGS", " ".join(words))


needs_cpus_0_and_1 = pytest.mark.skipif(
    cpus[:2] != [0, 1],
    reason="the made-up machines begin at cpu 0: `taskset -c 0,1 make test` runs it",
)


@needs_cpus_0_and_1
@pytest.mark.parametrize("name", ["mgcfd", "halocline-solve"])
def test_ranks_with_a_device_go_to_the_cores_near_their_gpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """On this machine GPU 0 is near cpu 1 and GPU 1 near cpu 0."""
    case = make_box(tmp_path / "case", (8, 6, 5))
    words = ["-d", str(case), "-g", "1", "--backend", "emulated"]
    if name == "halocline-solve":
        file = tmp_path / "case.toml"
        file.write_text(
            '[mesh]\ndirectory = "case"\n[parallel]\nbackend = "emulated"\n'
            '[output]\ndirectory = "."\n[solver]\nname = "mgcfd"\ncycles = 1\n'
        )
        words = [str(file)]
    pretend(monkeypatch, "2-gpus-2-cores.xml")
    done = run(tmp_path, *words, "--no-triad", "-m", "block", ranks=2, name=name)
    assert done.code == 0, done.err
    layout = done.record()["layout"]
    assert [binding["gpu"] for binding in layout["bindings"]] == ["0000:41:00.0", "0000:42:00.0"]
    assert [binding["cpus"] for binding in layout["bindings"]] == ["1", "0"]
    assert [binding["threads"] for binding in layout["bindings"]] == [["1"], ["0"]]
    assert [binding["choice"] for binding in layout["bindings"]] == [
        "cores near GPU 0 (0000:41:00.0)",
        "cores near GPU 1 (0000:42:00.0)",
    ]
    assert layout["findings"] == []
    assert ", cpus 1: cores near GPU 0 (0000:41:00.0)" in done.out
    assert layout["gpus"] == 0  # an emulated device opens none


@needs_cpus_0_and_1
def test_a_gpu_asked_for_is_near_all_ranks_and_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = make_box(tmp_path / "case", (8, 6, 5))
    pretend(monkeypatch, "2-gpus-2-cores.xml")
    words = ("-d", str(case), "-g", "1", "--back=emulated", "--gpu", "1", "--no-triad")
    done = run(tmp_path, *words, "-m", "block", ranks=2)
    assert done.code == 0, done.err
    layout = done.record()["layout"]
    assert [binding["cpus"] for binding in layout["bindings"]] == ["0", "0"]
    assert any("share GPU 1" in finding for finding in layout["findings"])
    assert any("GPU 0 (0000:41:00.0) is used by no rank" in each for each in layout["findings"])


@needs_cpus_0_and_1
def test_cores_that_cannot_be_had_are_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if len(os.sched_getaffinity(0)) >= 48:
        pytest.skip("this machine has the 48 cores that must be missing: runs on smaller ones")
    case = make_box(tmp_path / "case", (8, 6, 5))
    pretend(monkeypatch, "8-gpus-reversed.xml", "HALOCLINE_AFFINITY=force")
    done = run(
        tmp_path,
        *("-d", str(case), "-g", "1", "--backend", "emulated", "--no-triad", "-m", "block"),
        ranks=2,
    )
    assert done.code == 0, done.err
    first = next(line for line in done.messages if "cannot be used" in line)
    assert "cpus 48-55" in first
    choice = done.record()["layout"]["bindings"][1]["choice"]
    assert choice == "cores near GPU 1 (0000:20:00.0), which cannot be used: cores as started"
    far = [each for each in done.record()["layout"]["findings"] if "is near cpus 48-63" in each]
    assert len(far) == 2
    assert all("rank 0=localhost slot=48-55; rank 1=localhost" in each for each in far)


@needs_cpus_0_and_1
def test_affinity_off_leaves_masks_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = make_box(tmp_path / "case", (8, 6, 5))
    pretend(monkeypatch, "2-gpus-2-cores.xml", "HALOCLINE_AFFINITY=off")
    words = ("-d", str(case), "-g", "1", "--backend", "emulated", "--no-triad", "-m", "block")
    done = run(tmp_path, *words, ranks=2)
    assert done.code == 0, done.err
    bindings = done.record()["layout"]["bindings"]
    assert {binding["gpu"] for binding in bindings} == {None}
    assert all("off" in binding["choice"] for binding in bindings)
    assert "0" in bindings[1]["cpus"]
    assert "1" in bindings[0]["cpus"]


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
