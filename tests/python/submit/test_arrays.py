# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of jobs: what schedulers are told and answer, and tasks that are jobs like others."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.case.submit_section import SubmitSection
from halocline.errors import MissingEnvironmentError
from halocline.submit.plan import Plan, Subject, plan_job
from halocline.submit.schedulers import slurm
from halocline.submit.submission import scheduler_for, submit_array
from halocline.submit.view import JobView, look

# As servers would, all tasks at once, each with the variables of its own.
QSUB = r"""
grep -q '^#PBS -r y$' "$1" || { echo "qsub: an array must be rerunnable" >&2; exit 1; }
last=$(sed -n 's/^#PBS -J 1-\([0-9]*\).*/\1/p' "$1")
for task in $(seq "$last"); do
    (
        PBS_JOBID="7[$task].server" PBS_ARRAY_INDEX=$task bash "$1"
        echo $? >"$STAND_IN_FOLDER/$task.code"
    ) </dev/null >/dev/null 2>&1 &
done
echo "7[].server"
"""
QSTAT = r"""
task=$(printf '%s' "$5" | sed -n 's/^7\[\(.*\)\].server$/\1/p')
state=R code=
if [ -r "$STAND_IN_FOLDER/$task.code" ]; then
    state=X code=", \"Exit_status\": $(cat "$STAND_IN_FOLDER/$task.code")"
fi
echo "{\"Jobs\": {\"$5\": {\"job_state\": \"$state\"$code}}}"
"""
BSUB = r"""
script=$STAND_IN_FOLDER/script
cat >"$script"
last=$(sed -n 's/^#BSUB -J ".*\[1-\([0-9]*\)\].*"$/\1/p' "$script")
for task in $(seq "$last"); do
    (
        LSB_JOBID=7 LSB_JOBINDEX=$task bash "$script"
        echo $? >"$STAND_IN_FOLDER/$task.code"
    ) </dev/null >/dev/null 2>&1 &
done
echo "Job <7> is submitted to queue <normal>."
"""
BJOBS = r"""
task=$(printf '%s' "$5" | sed -n 's/^7\[\(.*\)\]$/\1/p')
state=RUN code=
[ ! -r "$STAND_IN_FOLDER/$task.code" ] || { code=$(cat "$STAND_IN_FOLDER/$task.code"); state=EXIT; }
[ "$code" != 0 ] || { state=DONE; code=; }
echo "{\"RECORDS\": [{\"JOBID\": \"7\", \"STAT\": \"$state\", \"EXIT_CODE\": \"$code\"}]}"
"""
#: Far above what is needed: a crowded machine is no reason to fail.
WAIT_S = 120.0


def plans(scheduler: str, folder: Path) -> list[Plan]:
    """Three jobs; the second ends with code 5."""
    options = SubmitSection(
        scheduler=scheduler, name="try", nodes=1, ranks_per_node=1, launcher="none"
    )
    found = []
    for task in (1, 2, 3):
        code = 5 if task == 2 else 0
        words = ("bash", "-c", f"echo task {task} on the way; exit {code}")
        found.append(plan_job(Subject(folder, command=words), options, folder / f"job {task}"))
    return found


@pytest.mark.parametrize(
    ("scheduler", "ids"),
    [
        ("pbs", ["7[1].server", "7[2].server", "7[3].server"]),
        ("lsf", ["7[1]", "7[2]", "7[3]"]),
    ],
)
def test_tasks_are_jobs_of_their_own(
    stand_ins: Callable[[str, str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    scheduler: str,
    ids: list[str],
) -> None:
    monkeypatch.setenv("STAND_IN_FOLDER", str(tmp_path))
    for name, body in (("qsub", QSUB), ("qstat", QSTAT), ("bsub", BSUB), ("bjobs", BJOBS)):
        stand_ins(name, body)
    jobs = submit_array(plans(scheduler, tmp_path), tmp_path / "all" / "try.array.sh", 2)
    assert [job.job_id for job in jobs] == ids
    views: list[JobView] = []
    end = time.monotonic() + WAIT_S
    while not views or not all(view.phase.over for view in views):
        assert time.monotonic() < end, views
        time.sleep(0.05)
        views = [look(job, scheduler_for(job)) for job in jobs]
    assert [view.exit_code for view in views] == [0, 5, 0]
    assert [view.job_id for view in views] == ids
    for task in (1, 2, 3):
        assert f"task {task} on the way" in (tmp_path / f"job {task}" / "try.job.log").read_text()


def test_all_tasks_at_once_need_no_limit(tmp_path: Path) -> None:
    scheduler = plans("slurm", tmp_path)[0].scheduler
    assert scheduler.array_header([], 3, 3) == ["#SBATCH --array=1-3"]
    assert scheduler.array_header([], 3, 2) == ["#SBATCH --array=1-3%2"]


@pytest.mark.parametrize("name", ["local", "donau"])
def test_a_scheduler_without_arrays_says_so(tmp_path: Path, name: str) -> None:
    with pytest.raises(MissingEnvironmentError, match="no arrays of jobs"):
        submit_array(plans(name, tmp_path), tmp_path / "try.array.sh", 2)


def _set(number: int) -> dict[str, Any]:
    return {"set": True, "infinite": False, "number": number}


OLD = [
    {"job_id": 40, "array_job_id": 0, "array_task_id": None, "job_state": "RUNNING"},
    {"job_id": 41, "array_job_id": 41, "array_task_id": None, "job_state": "PENDING"},
    {"job_id": 42, "array_job_id": 41, "array_task_id": 1, "job_state": "COMPLETED"},
    {"job_id": 43, "array_job_id": 41, "array_task_id": 2, "job_state": "RUNNING"},
]
NEW = [
    {
        "job_id": job["job_id"],
        "array_job_id": _set(job["array_job_id"]),  # type: ignore[arg-type]
        "array_task_id": {"set": False}
        if job["array_task_id"] is None
        else _set(job["array_task_id"]),  # type: ignore[arg-type]
        "job_state": [job["job_state"]],
    }
    for job in OLD
]
ACCOUNTING = [
    {
        "job_id": job["job_id"],
        "array": {"job_id": job["array_job_id"], "task_id": job["array_task_id"]},
        "state": {"current": job["job_state"]},
    }
    for job in OLD
]


@pytest.mark.parametrize("jobs", [OLD, NEW, ACCOUNTING], ids=["22.05", "23.02", "sacct"])
def test_slurm_lists_tasks_that_wait_together(
    jobs: list[dict[str, Any]], stand_ins: Callable[[str, str], Path], tmp_path: Path
) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps({"jobs": jobs}))
    stand_ins("squeue", f"cat {answer}")
    scheduler = slurm.Slurm(plans("slurm", tmp_path)[0].site.site)
    states = [str(scheduler.state(f"41_{task}").phase) for task in (1, 2, 3)]
    assert states == ["completed", "running", "pending"]
    assert str(scheduler.state("40").phase) == "running"
