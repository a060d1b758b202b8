# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline doctor --affinity` and `--check-binding`: real programs, made-up machines."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.doctor import binding
from halocline.doctor.binding import Rank, one_per_rank, read_probes
from halocline.errors import MissingEnvironmentError
from halocline.launch.mpi import find_mpirun
from halocline.launch.programs import find_program

MACHINES = Path(__file__).parents[2] / "unit" / "machine" / "data"

needs_program = pytest.mark.skipif(
    find_program("halocline-affinity") is None,
    reason="halocline-affinity is not built here; `make test` builds it first",
)


def _probe_is_there() -> bool:
    try:
        binding.find_probe()
    except MissingEnvironmentError:
        return False
    return True


needs_probe = pytest.mark.skipif(
    not _probe_is_there() or shutil.which("mpirun") is None,
    reason="the probe is not built here; `make test` builds it first",
)


def _rank(number: int, pid: int, **more: Any) -> Rank:
    values: dict[str, Any] = {"host": "h", "program": "p", "calls_mpi": False, "cpus": "0"}
    return Rank(rank=number, pid=pid, **(values | more))


def test_the_process_that_calls_mpi_stands_for_its_rank() -> None:
    script, program = _rank(0, 10), _rank(0, 11, calls_mpi=True, cpus="3")
    other = _rank(1, 12)
    assert one_per_rank([script, program, other]) == [program, other]
    assert one_per_rank([program, script])[0] == program


def test_the_last_state_counts_and_gpus_once_open_stay() -> None:
    start = _rank(0, 10, gpu_minors=(2,))
    bound = _rank(0, 10, cpus="5")
    assert one_per_rank([start, bound]) == [_rank(0, 10, cpus="5", gpu_minors=(2,))]


def test_probe_files_are_read_and_half_written_ones_left_out(tmp_path: Path) -> None:
    (tmp_path / "h.10.start").write_text(
        "rank=4\nhost=h\npid=10\nprogram=app\nmpi=1\nvisible=0,1\ncpus=0-3\n"
        "thread=0-3\nthread=2\ngpu_minor=1\ngpu_minor=1\n"
    )
    (tmp_path / "h.11.start").write_text("rank=5\nhost=h\n")
    (tmp_path / "h.10.end").write_text("")
    (rank,) = read_probes(tmp_path, "start")
    assert (rank.rank, rank.cpus, rank.threads) == (4, "0-3", ("0-3", "2"))
    assert (rank.gpu_minors, rank.visible_gpus, rank.calls_mpi) == ((1,), "0,1", True)
    assert read_probes(tmp_path, "end") == []


def test_minor_numbers_become_pci_ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for minor, bus_id in ((0, "0000:82:00.0"), (1, "0000:81:00.0")):
        folder = tmp_path / bus_id
        folder.mkdir()
        (folder / "information").write_text(f"Model: \t X\nDevice Minor: \t {minor}\n")
    monkeypatch.setattr(binding, "GPU_FOLDER", tmp_path)
    assert binding.gpu_bus_id(1) == "0000:81:00.0"
    assert binding.gpu_bus_id(7) is None


@needs_program
def test_a_machine_with_reversed_gpus_is_placed_by_nearness(
    halocline: Callable[..., Any],
) -> None:
    file = MACHINES / "8-gpus-reversed.xml"
    data = halocline("doctor", "--affinity", "--machine", file, "--ranks", 8, "--json").data
    assert [entry["gpu"] for entry in data["placements"]] == list(range(8))
    assert data["placements"][0]["cpus"] == "48-55"
    assert data["placements"][7]["cpus"] == "8-15"
    assert {line["launcher"] for line in data["launch_lines"]} == {"Open MPI", "MPICH", "Slurm"}
    shown = halocline("doctor", "--affinity", "--machine", file).out
    assert "GPU 0: NVIDIA A100-SXM4-40GB, 0000:10:00.0, NUMA node 3" in shown


@needs_program
def test_wrong_machines_are_one_sentence(halocline: Callable[..., Any]) -> None:
    failed = halocline("doctor", "--affinity", "--synthetic", "numma:2")
    assert failed.code == 2
    assert "not a synthetic topology" in failed.err
    missing = halocline("doctor", "--affinity", "--machine", "/nonexistent.xml")
    assert missing.code == 3
    assert "/nonexistent.xml" in missing.err


def test_a_command_needs_the_flag_and_the_flag_a_command(halocline: Callable[..., Any]) -> None:
    assert halocline("doctor", "--check-binding").code == 2
    assert halocline("doctor", "--", "mpirun", "-n", "2", "x").code == 2


def _mpirun(*words: str) -> list[str]:
    launcher = find_mpirun("openmpi")
    assert launcher is not None
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return [str(launcher.path), "--oversubscribe", *root, *words]


@needs_probe
@needs_program
@pytest.mark.mpi
def test_ranks_on_one_core_are_found_and_the_exit_code_is_kept(
    halocline: Callable[..., Any],
) -> None:
    cpu = str(min(os.sched_getaffinity(0)))
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("on one core nothing is shared by mistake: runs on two or more")
    leave = "import sys, time; time.sleep(0.5); sys.exit(3)"
    command = _mpirun("-n", "2", "--bind-to", "none", "taskset", "-c", cpu, sys.executable, "-c")
    answer = halocline("doctor", "--check-binding", "--json", "--", *command, leave)
    assert answer.data["exit_code"] == 3
    assert [rank["cpus"] for rank in answer.data["ranks"]] == [cpu, cpu]
    assert [finding["kind"] for finding in answer.data["findings"]] == ["shared_core"]
    assert answer.data["launch_lines"]


@needs_probe
@needs_program
@pytest.mark.mpi
def test_a_rank_that_binds_itself_is_seen_where_it_went(halocline: Callable[..., Any]) -> None:
    cpus = sorted(os.sched_getaffinity(0))
    move = f"import os, time; os.sched_setaffinity(0, {{{cpus[-1]}}}); time.sleep(0.5)"
    command = _mpirun("-n", "1", "--bind-to", "none", sys.executable, "-c", move)
    answer = halocline("doctor", "--check-binding", "--json", "--", *command)
    assert answer.data["ranks"][0]["cpus"] == str(cpus[-1])


@needs_probe
@needs_program
@pytest.mark.mpi
def test_a_killed_rank_is_seen_too(halocline: Callable[..., Any]) -> None:
    die = "import os, signal, time; time.sleep(0.6); os.kill(os.getpid(), signal.SIGKILL)"
    command = _mpirun("-n", "1", sys.executable, "-c", die)
    answer = halocline("doctor", "--check-binding", "--", *command)
    assert answer.code == 5
    assert "Where the ranks ran" in answer.out
