# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Jobs on a real Slurm of two nodes: submit, wait, cancel, requeue, stop before the limit."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.launch.programs import find_program
from halocline.record.store import read_record

REFERENCE = Path(__file__).parents[3] / "data" / "mgcfd-reference" / "natural"
ROUNDS = 20
#: Far above what is needed: a crowded machine is no reason to fail.
WAIT_S = 270.0

SIZE_PROGRAM = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("one of %d\\n", size);
    return MPI_Finalize();
}
"""

pytestmark = pytest.mark.timeout(600)
needs_solve = pytest.mark.skipif(
    find_program("halocline-solve") is None or shutil.which("mpirun") is None,
    reason="halocline-solve is not built here; `make test` builds it first",
)


@pytest.fixture
def submit(
    slurm: Any, halocline: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """Run `halocline submit` on the test Slurm, in an empty folder."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)

    def run(*words: object) -> Any:
        if any(str(word).startswith("--") and str(word)[2:] in ACTIONS for word in words):
            return halocline("submit", *words)
        return halocline("submit", "--site", slurm.site, "--interval", "0.2", *words)

    return run


ACTIONS = ("status", "follow", "cancel", "again")


def write_case(folder: Path, submit_table: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "natural.toml"
    path.write_text(
        f"[mesh]\ndirectory = {json.dumps(str(REFERENCE))}\n[solver]\ncycles = 5\n"
        f'[output]\ndirectory = "results"\n[submit]\n{submit_table}\n'
    )
    return path


def wait_for_state(submit: Callable[..., Any], job: str, state: str) -> dict[str, Any]:
    return wait_for(submit, job, state=state)


def wait_for(submit: Callable[..., Any], job: str, **wanted: object) -> dict[str, Any]:
    """Look at a job until it has the wanted values."""
    end = time.monotonic() + WAIT_S
    while True:
        data: dict[str, Any] = submit("--status", job, "--json").data
        if wanted.items() <= data.items():
            return data
        assert time.monotonic() < end, data
        time.sleep(0.2)


@needs_solve
@pytest.mark.mpi
@pytest.mark.parametrize("launcher", ["mpirun", "srun"])
def test_a_case_runs_over_both_nodes(
    submit: Callable[..., Any], halocline: Callable[..., Any], tmp_path: Path, launcher: str
) -> None:
    table = f'nodes = 2\nranks_per_node = 1\nthreads = 1\nlauncher = "{launcher}"'
    done = submit(write_case(tmp_path / "case", table), "--wait", "--json")
    log = tmp_path / "case" / "results" / "natural.job.log"
    assert done.code == 0, done.err + log.read_text()
    assert (done.data["state"], done.data["exit_code"]) == ("completed", 0)
    assert done.data["hosts"] == "n[1-2]"
    assert (done.data["cycles_done"], done.data["cycles_total"]) == (5, 5)
    record = read_record(tmp_path / "case" / "results")
    assert record.layout.ranks == 2
    assert record.case is not None
    assert record.case.file == str(tmp_path / "case" / "natural.toml")
    stored = REFERENCE / "result_4level.h5"
    # The project's promise: 1e-13 absolute on quantities of order one.
    answer = halocline(
        "compare", tmp_path / "case" / "results", stored, "--tolerance", "1e-13", "--common"
    )
    assert answer.code == 0, answer.out


@pytest.mark.mpi
@pytest.mark.parametrize("family", ["openmpi", "mpich"])
@pytest.mark.parametrize("launcher", ["mpirun", "srun"])
def test_programs_of_either_mpi_form_one_job(
    submit: Callable[..., Any], slurm: Any, tmp_path: Path, family: str, launcher: str
) -> None:
    """The wrong pmi plug-in would silently start jobs of one rank each."""
    compiler = shutil.which(f"mpicc.{family}")
    if compiler is None or (family == "mpich" and shutil.which("mpiexec.hydra") is None):
        pytest.skip(f"no {family} here; `make test` installs it")
    (tmp_path / "size.c").write_text(SIZE_PROGRAM)
    subprocess.run([compiler, "size.c", "-o", "work/size"], cwd=tmp_path, check=True, timeout=120)
    site = tmp_path / "either.toml"
    starter = {"openmpi": "mpirun.openmpi", "mpich": "mpiexec.hydra"}[family]
    text = slurm.site.read_text().replace('mpi = "openmpi"', f'mpirun = "{starter}"')
    site.write_text(text)
    shape = ("--nodes", 2, "--ranks-per-node", 1, "--launcher", launcher)
    done = submit("--site", site, *shape, "--wait", "--", "./size")
    log = Path("size.job.log").read_text()
    assert done.code == 0, done.err + log
    assert log.count("one of 2") == 2, log


@needs_solve
@pytest.mark.mpi
def test_a_case_in_a_folder_with_a_hostile_name_is_data(
    submit: Callable[..., Any], tmp_path: Path
) -> None:
    folder = tmp_path / 'it\'s $(touch pwned) `touch pwned` "q"; touch pwned %j'
    case = write_case(folder, "nodes = 1\nranks_per_node = 1\nthreads = 1")
    done = submit(case, "--wait", "--json")
    assert done.code == 0, done.err
    assert read_record(folder / "results").results.cycles == 5
    assert not list(tmp_path.rglob("pwned"))


def test_a_job_is_pending_then_running_then_over(submit: Callable[..., Any]) -> None:
    done = submit("--nodes", 2, "--ranks-per-node", 2, "--wait", "--", "srun", "sleep", "4")
    assert done.code == 0, done.err
    lines = [line for line in done.out.splitlines() if "  job " in line]
    assert "running  on n[1-2]" in "\n".join(lines)
    assert "completed" in lines[-1]
    assert "exit code 0" in lines[-1]


def test_a_job_that_does_not_fit_waits_with_a_reason_and_can_be_cancelled(
    submit: Callable[..., Any],
) -> None:
    wide = ("--nodes", 2, "--ranks-per-node", 2)
    first = submit(*wide, "--name", "first", "--json", "--", "sleep", "300").data
    wait_for_state(submit, first["job_id"], "running")
    second = submit(*wide, "--name", "second", "--json", "--", "sleep", "300").data
    wait_for(submit, second["job_id"], state="pending", reason="Resources")
    again = submit(*wide, "--name", "second", "--", "sleep", "300")
    assert again.code == 2
    assert "is pending and writes the same files" in again.err
    for job in (second, first):
        assert submit("--cancel", job["job_id"]).code == 0
        assert wait_for_state(submit, job["job_id"], "cancelled")["exit_code"] != 0
    followed = submit("--follow", "first.job.json")
    assert followed.code == 5
    assert "cancelled" in followed.err


def test_a_run_that_stops_early_goes_back_into_the_queue(submit: Callable[..., Any]) -> None:
    Path("run.sh").write_text(
        'echo "attempt" >> attempts\n[ "$(wc -l < attempts)" -eq 2 ] || exit 75\n'
    )
    done = submit(
        *("--nodes", 2, "--ranks-per-node", 1, "--launcher", "none", "--requeue", 3),
        *("--wait", "--json", "--", "bash", "run.sh"),
    )
    assert done.code == 0, done.err + Path("bash.job.log").read_text()
    assert Path("attempts").read_text() == "attempt\n" * 2
    assert (done.data["attempt"], done.data["exit_code"]) == (2, 0)


def test_requeues_come_to_an_end_and_75_is_the_exit_code(submit: Callable[..., Any]) -> None:
    done = submit("--requeue", 1, "--ranks-per-node", 1, "--wait", "--", "bash", "-c", "exit 75")
    assert done.code == 75
    assert "stopped early" in done.err
    assert Path("bash.job.log").read_text().count("attempt") == 2


@pytest.mark.parametrize("requeue", [0, 1])
def test_a_running_job_is_put_back_by_hand(submit: Callable[..., Any], requeue: int) -> None:
    words = ("--ranks-per-node", 1, "--requeue", requeue, "--json", "--", "sleep", "300")
    first = submit(*words).data["job_id"]
    wait_for_state(submit, first, "running")
    again = submit("--again", first, "--json")
    assert again.code == 0, again.err
    assert f"job {first} is running: it is cancelled first" in again.err
    assert again.data["job_id"] != first
    wait_for(submit, again.data["job_id"], state="running", attempt=1)


def test_a_default_job_that_is_over_runs_again(submit: Callable[..., Any]) -> None:
    words = ("--ranks-per-node", 1, "--wait", "--json", "--", "bash", "-c", "echo x >>runs")
    first = submit(*words)
    assert first.code == 0, first.err
    again = submit("--again", "bash.job.json", "--json")
    assert again.code == 0, again.err
    assert submit("--follow", again.data["job_id"]).code == 0
    assert Path("runs").read_text() == "x\nx\n"


def write_patient_run(ranks: int) -> None:
    """A program that saves and stops on USR1; like those of MPI, its ranks leave together."""
    Path("run.sh").write_text(
        f"saved() {{ set -- saved.*; [ $# -ge {ranks} ]; }}\n"
        "trap 'touch saved.$$; until saved; do sleep 0.05; done; exit 75' USR1\n"
        "touch ready.$$\nwhile :; do sleep 0.1; done\n"
    )


def test_slurm_signals_the_script_before_the_limit_and_the_run_stops(
    submit: Callable[..., Any],
) -> None:
    # Slurm counts limits in minutes, looks at them every half minute and may signal a minute early.
    write_patient_run(1)
    limit = ("--time", "1m", "--notice", "55s", "--ranks-per-node", 1)
    done = submit(*limit, "--wait", "--json", "--", "bash", "run.sh")
    assert done.code == 75, done.err + Path("bash.job.log").read_text()
    assert len(list(Path().glob("saved.*"))) == 1
    assert "signal USR1: passed on" in Path("bash.job.log").read_text()


@pytest.mark.parametrize("launcher", ["mpirun", "srun"])
def test_the_signal_reaches_every_rank(
    submit: Callable[..., Any], slurm: Any, launcher: str
) -> None:
    write_patient_run(2)
    shape = ("--nodes", 2, "--ranks-per-node", 1, "--launcher", launcher)
    job = submit(*shape, "--json", "--", "bash", "run.sh").data["job_id"]
    end = time.monotonic() + WAIT_S
    while len(list(Path().glob("ready.*"))) < 2:
        assert time.monotonic() < end, Path("bash.job.log").read_text()
        time.sleep(0.1)
    slurm.ask("scancel", "--batch", "--signal=USR1", job)  # what --signal=B:USR1@… does, but now
    done = submit("--follow", job, "--interval", "0.2")
    assert done.code == 75, done.err + Path("bash.job.log").read_text()
    assert len(list(Path().glob("saved.*"))) == 2


@needs_solve
@pytest.mark.mpi
@pytest.mark.parametrize("launcher", ["mpirun", "srun"])
def test_a_case_saves_and_stops_when_the_limit_is_near(
    submit: Callable[..., Any], slurm: Any, tmp_path: Path, launcher: str
) -> None:
    table = f'nodes = 2\nranks_per_node = 1\nthreads = 1\nlauncher = "{launcher}"'
    case = write_case(tmp_path / "case", table)
    job = submit(case, "--set", "solver.cycles=10000000", "--json").data
    file = tmp_path / "case" / "results" / "natural.job.json"
    end = time.monotonic() + WAIT_S
    while not submit("--status", file, "--json").data["cycles_done"]:
        assert time.monotonic() < end, Path(job["log_file"]).read_text()
        time.sleep(0.2)
    slurm.ask("scancel", "--batch", "--signal=USR1", job["job_id"])
    done = submit("--follow", file, "--interval", "0.2")
    assert done.code == 75, done.err + Path(job["log_file"]).read_text()
    record = read_record(tmp_path / "case" / "results")
    assert (record.status.state, record.status.exit_code) == ("stopped", 75)
    name = f"variables.L0.cycles={record.results.cycles}.h5"
    assert (tmp_path / "case" / "results" / name).is_file()


@pytest.mark.parametrize(("code", "expected"), [(3, 3), (1, 5)])
def test_the_exit_code_of_the_run_is_ours(
    submit: Callable[..., Any], code: int, expected: int
) -> None:
    done = submit("--ranks-per-node", 1, "--wait", "--", "bash", "-c", f"exit {code}")
    assert done.code == expected
    assert f"exit code {code}" in done.err


def test_slurm_refuses_in_its_own_words(submit: Callable[..., Any]) -> None:
    failed = submit("--queue", "nowhere", "--ranks-per-node", 1, "--", "true")
    assert failed.code == 5
    assert "'sbatch' refused" in failed.err
    assert "nowhere" in failed.err
    assert len(failed.err.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_submit_to_running_works_twenty_times_in_a_row(submit: Callable[..., Any]) -> None:
    seconds = []
    for _ in range(ROUNDS):
        begun = time.monotonic()
        job = submit("--nodes", 2, "--ranks-per-node", 2, "--json", "--", "sleep", "300").data
        wait_for_state(submit, job["job_id"], "running")
        seconds.append(time.monotonic() - begun)
        assert submit("--cancel", job["job_id"]).code == 0
        wait_for_state(submit, job["job_id"], "cancelled")
    seconds.sort()
    print(
        f"submit to running, {ROUNDS} times: median {seconds[ROUNDS // 2]:.2f} s, "
        f"{seconds[0]:.2f} to {seconds[-1]:.2f} s"
    )
