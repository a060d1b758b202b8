# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline doctor`: the JSON, the remedies, and probes on made-up machines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.doctor import accelerators, libraries, message_passing, site
from halocline.doctor.fact import Fact, State
from halocline.doctor.machine import X86_LEVELS, x86_level

SUBJECTS = ("machine", "MPI", "GPU", "libraries", "Python", "scheduler", "programs")


@pytest.mark.usefixtures("stand_in")
def test_the_json_covers_every_subject_and_says_how_it_was_found(
    halocline: Callable[..., Any],
) -> None:
    answer = halocline("doctor", "--json")
    data = answer.data
    assert set(SUBJECTS) <= set(data)
    facts = [fact for subject in SUBJECTS for fact in data[subject].values()]
    assert all(fact["state"] in {"ok", "absent", "missing"} for fact in facts)
    assert all(fact["remedy"] for fact in facts if fact["state"] == "missing")
    assert all(fact["found_by"] for fact in facts if fact["state"] == "ok")
    assert data["machine"]["cores"]["value"]["cores"] >= 1
    assert data["machine"]["memory"]["value"]["total_bytes"] > 2**27
    assert answer.code == (4 if data["missing"] else 0)
    assert data["ready"] == (answer.code == 0)


@pytest.mark.usefixtures("stand_in")
def test_the_table_shows_what_the_json_says(halocline: Callable[..., Any]) -> None:
    shown = halocline("doctor").out
    for text in ("CPU", "cores", "GPU-aware MPI", "HDF5", "PT-Scotch", "scheduler", "mgcfd"):
        assert text in shown


def test_something_missing_gives_environment_code_and_remedy(
    halocline: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = Fact("MPI", "none found", State.MISSING, remedy="apt-get install openmpi-bin")
    monkeypatch.setattr("halocline.doctor.examine.examine", lambda: {"MPI": [missing]})
    failed = halocline("doctor")
    assert failed.code == 4
    assert "MPI: apt-get install openmpi-bin" in failed.out


def test_x86_levels_need_all_lower_ones() -> None:
    v2, v3, v4 = X86_LEVELS.values()
    assert x86_level(v2) == "x86-64-v2"
    assert x86_level(v2 | v3) == "x86-64-v3"
    assert x86_level(v2 | v4) == "x86-64-v2"
    assert x86_level(v2 | v3 | v4) == "x86-64-v4"
    assert x86_level(set()) is None


def answers(monkeypatch: pytest.MonkeyPatch, module: Any, **replies: str) -> None:
    """Let `ask` of a module answer from a table by the command's name."""
    named = {name.replace("_", "-"): reply for name, reply in replies.items()} | replies
    monkeypatch.setattr(module, "ask", lambda command: named.get(command[0]))


def test_gpus_are_read_from_nvidia_smi(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(
        monkeypatch,
        accelerators,
        **{
            "nvidia-smi": "NVIDIA A100, 40960 MiB, 535.1, 8.0\nNVIDIA A100, 40960 MiB, 535.1, 8.0\n"
        },
    )
    names = [fact.name for fact in accelerators.gpu_facts()]
    assert names[:2] == ["GPU 0", "GPU 1"]


GPU_MACHINE = """#!/bin/sh
case "$*" in
    *--query-gpu=name,memory.total,driver_version,compute_cap*)
        echo "NVIDIA H200, 143771 MiB, 580.159.04, 9.0" ;;
    "") echo "| NVIDIA-SMI 580.159.04  Driver Version: 580.159.04  CUDA Version: 13.0 |" ;;
    *) exit 6 ;;
esac
"""
NVCC = """#!/bin/sh
echo "Cuda compilation tools, release 12.4, V12.4.131"
"""


def command(folder: Path, name: str, text: str) -> Path:
    """A stand-in for a command."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(text)
    file.chmod(0o755)
    return file


def gpu_facts(monkeypatch: pytest.MonkeyPatch, folder: Path) -> dict[str, Fact]:
    """Facts on a machine whose commands are those of a folder."""
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setattr(accelerators, "CUDA_FOLDER", folder / "cuda")
    monkeypatch.setattr(accelerators, "find_program", lambda name: folder / name)
    accelerators.capabilities.cache_clear()
    facts = {fact.name: fact for fact in accelerators.gpu_facts()}
    accelerators.capabilities.cache_clear()
    return facts


def test_a_gpu_machine_shows_driver_compiler_and_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command(tmp_path, "nvidia-smi", GPU_MACHINE)
    nvcc = command(tmp_path, "nvcc", NVCC)
    said = {"cuda_build": "13.0", "gpus_evidence": "cudaGetDeviceCount: 1"}
    command(tmp_path, "halocline-p2p", f"#!/bin/sh\necho '{json.dumps(said)}'\n")
    facts = gpu_facts(monkeypatch, tmp_path)
    assert facts["GPU 0"].value == {
        "name": "NVIDIA H200",
        "memory": "143771 MiB",
        "driver": "580.159.04",
        "capability": "9.0",
    }
    assert facts["CUDA of the driver"].text == "13.0"
    assert facts["nvcc"].value == {"version": "12.4", "path": str(nvcc)}
    assert facts["device back ends"].value == ["cuda", "emulated"]
    assert "cudaGetDeviceCount: 1" in facts["device back ends"].text


def test_a_compiler_off_the_path_is_found_where_the_build_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cuda").mkdir()
    nvcc = command(tmp_path / "cuda" / "bin", "nvcc", NVCC)
    facts = gpu_facts(monkeypatch, tmp_path)
    assert facts["nvcc"].value["path"] == str(nvcc)
    assert facts["nvcc"].state is State.OK


def test_a_driver_without_devices_and_a_build_without_cuda_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command(tmp_path, "nvidia-smi", "#!/bin/sh\necho No devices were found\n")
    command(tmp_path, "halocline-p2p", "#!/bin/sh\necho '{\"cuda_build\": null}'\n")
    facts = gpu_facts(monkeypatch, tmp_path)
    assert (facts["GPU 0"].state, facts["GPU 0"].text) == (State.ABSENT, "No devices were found")
    assert facts["CUDA of the driver"].state is State.ABSENT
    assert facts["nvcc"].state is State.ABSENT
    assert facts["device back ends"].value == ["emulated"]
    assert "HALOCLINE_CUDA=ON" in facts["device back ends"].remedy


def test_without_an_answer_the_device_back_ends_are_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command(tmp_path, "halocline-p2p", "#!/bin/sh\necho half an answ\n")
    fact = gpu_facts(monkeypatch, tmp_path)["device back ends"]
    assert (fact.state, fact.text) == (State.ABSENT, "unknown")


@pytest.mark.parametrize("aware", [True, False])
def test_mpi_itself_is_asked_first(monkeypatch: pytest.MonkeyPatch, aware: bool) -> None:
    answers(monkeypatch, message_passing, ompi_info="mpi_built_with_cuda_support:value:true")
    said = {"mpi_takes_device_pointers": aware, "mpi_evidence": "MPIX_Query_cuda_support() is …"}
    monkeypatch.setattr(message_passing, "capabilities", lambda: said)
    fact = next(fact for fact in message_passing.mpi_facts() if fact.name == "GPU-aware MPI")
    assert fact.value is aware
    assert "MPIX_Query_cuda_support() is …" in fact.text
    assert "halocline-p2p --capabilities" in fact.found_by


def test_no_gpu_is_absent_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, accelerators)
    assert accelerators.gpu_facts()[0].state is State.ABSENT


@pytest.mark.parametrize(
    ("replies", "value", "found_by"),
    [
        (
            {"ompi_info": "mca:mpi:base:param:mpi_built_with_cuda_support:value:true"},
            True,
            "ompi_info",
        ),
        (
            {"ompi_info": "mca:mpi:base:param:mpi_built_with_cuda_support:value:false"},
            False,
            "ompi_info",
        ),
        ({"ompi_info": "x", "ucx_info": "#  Transport: cuda_copy"}, True, "ompi_info, ucx_info -d"),
        ({}, None, "neither"),
    ],
)
def test_gpu_awareness_says_how_it_was_found_out(
    monkeypatch: pytest.MonkeyPatch, replies: dict[str, str], value: object, found_by: str
) -> None:
    answers(monkeypatch, message_passing, **replies)
    monkeypatch.setattr(message_passing, "capabilities", lambda: None)
    fact = next(fact for fact in message_passing.mpi_facts() if fact.name == "GPU-aware MPI")
    assert fact.value is value
    assert found_by in fact.found_by


def test_serial_hdf5_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, libraries)
    only_serial = {"libhdf5_serial.so": "/lib/libhdf5_serial.so"}
    monkeypatch.setattr(
        libraries, "find_library", lambda *starts: next(map(only_serial.get, starts), None)
    )
    fact = libraries.library_facts()[0]
    assert fact.state is State.MISSING
    assert fact.value["parallel"] is False
    assert "libhdf5-openmpi-dev" in fact.remedy


def test_a_scheduler_is_found_by_its_command_and_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        site.shutil, "which", lambda name: "/usr/bin/sbatch" if name == "sbatch" else None
    )
    answers(monkeypatch, site, sbatch="slurm 22.05.8\n")
    monkeypatch.setenv("SLURM_JOB_ID", "42")
    (fact,) = site.scheduler_facts()
    assert (fact.name, fact.text) == ("Slurm", "slurm 22.05.8, in job 42")
