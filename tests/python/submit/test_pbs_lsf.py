# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""PBS and LSF through stand-ins for their commands, and what their answers mean."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.submit.schedulers import lsf, pbs, slurm
from halocline.submit.schedulers.scheduler import Phase

# Runs the script like a server would: at once, with the variables of a job.
QSUB = r"""
[ $# -eq 1 ] && [ -r "$1" ] || { echo "qsub: wrong words: $*" >&2; exit 9; }
number=$(($(cat "$STAND_IN_FOLDER/number" 2>/dev/null || echo 100) + 1))
echo "$number" >"$STAND_IN_FOLDER/number"
grep '^#PBS ' "$1" >"$STAND_IN_FOLDER/directives"
hostname >"$STAND_IN_FOLDER/nodes"
(
    PBS_JOBID=$number.server PBS_NODEFILE=$STAND_IN_FOLDER/nodes bash "$1"
    echo $? >"$STAND_IN_FOLDER/$number.code"
) </dev/null >/dev/null 2>&1 &
echo "$number.server"
"""
QSTAT = r"""
[ "$1 $2 $3 $4" = "-x -f -F json" ] || exit 9
number=${5%.server}
state=R code=
if [ -r "$STAND_IN_FOLDER/$number.code" ]; then
    state=F code=", \"Exit_status\": $(cat "$STAND_IN_FOLDER/$number.code")"
fi
echo "{\"Jobs\": {\"$5\": {\"job_state\": \"$state\", \"exec_host\": \"n1/0*2\"$code}}}"
"""
BSUB = r"""
[ $# -eq 0 ] || { echo "bsub: wrong words: $*" >&2; exit 9; }
cat >"$STAND_IN_FOLDER/script"
grep '^#BSUB ' "$STAND_IN_FOLDER/script" >"$STAND_IN_FOLDER/directives"
hostname >"$STAND_IN_FOLDER/nodes"
rm -f "$STAND_IN_FOLDER/code" # of the job before, whose number this one has
(
    code=99
    while [ "$code" = 99 ]; do # what bsub -Q does
        LSB_JOBID=7 LSB_DJOB_HOSTFILE=$STAND_IN_FOLDER/nodes bash "$STAND_IN_FOLDER/script"
        code=$?
    done
    echo "$code" >"$STAND_IN_FOLDER/code"
) </dev/null >/dev/null 2>&1 &
echo "Job <7> is submitted to queue <normal>."
"""
BJOBS = r"""
state=RUN code=
[ ! -r "$STAND_IN_FOLDER/code" ] || { code=$(cat "$STAND_IN_FOLDER/code"); state=EXIT; }
[ "$code" != 0 ] || { state=DONE; code=; }
echo "{\"COMMAND\": \"bjobs\", \"JOBS\": 1, \"RECORDS\": [{\"JOBID\": \"7\", \"STAT\": \"$state\","
echo " \"EXIT_CODE\": \"$code\", \"EXIT_REASON\": \"\", \"EXEC_HOST\": \"n1:n2\"}]}"
"""
TWICE = "echo x >>tries; [ $(wc -l <tries) -ge 2 ] || exit 75"


@pytest.fixture
def cluster(
    stand_ins: Callable[[str, str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Stand-ins for the commands of PBS and LSF; returns the folder of their notes."""
    folder = tmp_path / "seen"
    folder.mkdir()
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("STAND_IN_FOLDER", str(folder))
    for name, body in (("qsub", QSUB), ("qstat", QSTAT), ("bsub", BSUB), ("bjobs", BJOBS)):
        stand_ins(name, body)
    stand_ins("qdel", f'echo "$@" >{folder}/deleted')
    stand_ins("bkill", f'echo "$@" >{folder}/deleted')
    return folder


@pytest.mark.parametrize(("scheduler", "job_id"), [("pbs", "101.server"), ("lsf", "7")])
def test_a_job_is_submitted_followed_and_over(
    cluster: Path, halocline: Callable[..., Any], scheduler: str, job_id: str
) -> None:
    done = halocline(
        *("submit", "--scheduler", scheduler, "--nodes", 2, "--ranks-per-node", 1),
        *("--launcher", "none", "--wait", "--interval", "0.1", "--json", "--"),
        *("bash", "-c", "sleep 2; exit 6"),
    )
    assert done.code == 6, done.err
    assert (done.data["job_id"], done.data["exit_code"]) == (job_id, 6)
    assert done.data["state"] == "failed"
    assert "running" in done.err
    assert (cluster / "directives").read_text().count("\n") >= 5


@pytest.mark.parametrize(("scheduler", "last_id"), [("pbs", "102.server"), ("lsf", "7")])
def test_a_run_that_stops_early_runs_again(
    cluster: Path, halocline: Callable[..., Any], scheduler: str, last_id: str
) -> None:
    assert cluster.exists()
    done = halocline(
        *("submit", "--scheduler", scheduler, "--ranks-per-node", 1, "--requeue", 2),
        *("--wait", "--interval", "0.1", "--json", "--", "bash", "-c", TWICE),
    )
    assert done.code == 0, done.err + Path("bash.job.log").read_text()
    assert Path("tries").read_text() == "x\nx\n"
    assert (done.data["job_id"], done.data["attempt"]) == (last_id, 2)


@pytest.mark.parametrize(("scheduler", "job_id"), [("pbs", "101.server"), ("lsf", "7")])
def test_a_job_is_cancelled_by_its_number(
    cluster: Path, halocline: Callable[..., Any], scheduler: str, job_id: str
) -> None:
    words = ("submit", "--scheduler", scheduler, "--ranks-per-node", 1, "--json")
    halocline(*words, "--", "sleep", "1")
    assert halocline("submit", "--cancel", job_id).code == 0
    assert (cluster / "deleted").read_text().split() == [job_id]
    halocline("submit", "--follow", job_id, "--interval", "0.1")


@pytest.mark.parametrize(("scheduler", "job_id"), [("pbs", "102.server"), ("lsf", "7")])
def test_a_default_job_that_is_over_runs_again(
    cluster: Path, halocline: Callable[..., Any], scheduler: str, job_id: str
) -> None:
    """No stand-in for qrerun or brequeue: servers refuse them for jobs like these."""
    assert cluster.exists()
    words = ("submit", "--scheduler", scheduler, "--ranks-per-node", 1, "--wait", "--interval", 0.1)
    assert halocline(*words, "--", "bash", "-c", "echo x >>runs").code == 0
    again = halocline("submit", "--again", "bash.job.json", "--json")
    assert again.code == 0, again.err
    assert again.data["job_id"] == job_id
    assert halocline("submit", "--follow", "bash.job.json", "--interval", 0.1).code == 0
    assert Path("runs").read_text() == "x\nx\n"


def test_the_script_keeps_pbs_clock_itself(cluster: Path, halocline: Callable[..., Any]) -> None:
    assert cluster.exists()
    Path("run.sh").write_text("trap 'exit 75' USR1\nwhile :; do sleep 0.05; done\n")
    done = halocline(
        *("submit", "--scheduler", "pbs", "--ranks-per-node", 1, "--time", "61s"),
        *("--notice", "1m", "--wait", "--interval", "0.1", "--", "bash", "run.sh"),
    )
    assert done.code == 75, done.err


def test_a_command_that_is_missing_is_an_environment_error(
    halocline: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    failed = halocline("submit", "--scheduler", "lsf", "--ranks-per-node", 1, "--", "/bin/true")
    assert failed.code == 4
    assert "'bsub' was not found" in failed.err


def test_a_refusal_is_one_sentence_with_the_schedulers_words(
    cluster: Path, stand_ins: Callable[[str, str], Path], halocline: Callable[..., Any]
) -> None:
    assert cluster.exists()
    stand_ins("qsub", "printf 'qsub: Unknown\\nqueue\\n' >&2; exit 170")
    failed = halocline("submit", "--scheduler", "pbs", "--ranks-per-node", 1, "--", "true")
    assert failed.code == 5
    assert failed.err == "halocline: 'qsub' refused (code 170): qsub: Unknown queue\n"
    assert not Path("true.job.json").exists()


def test_a_forgotten_job_is_not_waited_for_forever(
    cluster: Path,
    stand_ins: Callable[[str, str], Path],
    halocline: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert cluster.exists()
    stand_ins("qsub", "echo 5.server")
    stand_ins("qstat", "echo 'qstat: Unknown Job Id' >&2; exit 153")
    monkeypatch.setattr("halocline.submit.view.PATIENCE_S", 0.3)
    words = ("submit", "--scheduler", "pbs", "--ranks-per-node", 1, "--interval", "0.1", "--wait")
    done = halocline(*words, "--", "true")
    assert done.code == 5
    assert "pbs knows nothing of job 5.server" in done.err


@pytest.mark.parametrize(
    ("state", "code", "phase", "exit_code"),
    [
        ("Q", None, Phase.PENDING, None),
        ("H", None, Phase.PENDING, None),
        ("R", None, Phase.RUNNING, None),
        ("F", 0, Phase.COMPLETED, 0),
        ("F", 75, Phase.FAILED, 75),
        ("F", 271, Phase.CANCELLED, 143),
        ("F", -29, Phase.TIMEOUT, -29),
        ("F", None, Phase.CANCELLED, None),
    ],
)
def test_states_of_pbs(state: str, code: int | None, phase: Phase, exit_code: int | None) -> None:
    job: dict[str, Any] = {"job_state": state, "comment": "why"}
    if code is not None:
        job["Exit_status"] = code
    found = pbs.read_state(json.dumps({"Jobs": {"12.other-name": job}}), "12.server")
    assert (found.phase, found.exit_code, found.reason) == (phase, exit_code, "why")


@pytest.mark.parametrize(
    ("record", "phase", "exit_code"),
    [
        ({"STAT": "PEND"}, Phase.PENDING, None),
        ({"STAT": "RUN"}, Phase.RUNNING, None),
        ({"STAT": "DONE", "EXIT_CODE": ""}, Phase.COMPLETED, 0),
        ({"STAT": "EXIT", "EXIT_CODE": "75"}, Phase.FAILED, 75),
        (
            {"STAT": "EXIT", "EXIT_CODE": "140", "EXIT_REASON": "TERM_RUNLIMIT: ..."},
            Phase.TIMEOUT,
            140,
        ),
        (
            {"STAT": "EXIT", "EXIT_CODE": "130", "EXIT_REASON": "TERM_OWNER: ..."},
            Phase.CANCELLED,
            130,
        ),
        ({"STAT": "ZOMBI"}, Phase.UNKNOWN, None),
    ],
)
def test_states_of_lsf(record: dict[str, str], phase: Phase, exit_code: int | None) -> None:
    found = lsf.read_state(json.dumps({"RECORDS": [record]}))
    assert (found.phase, found.exit_code) == (phase, exit_code)


@pytest.mark.parametrize(
    ("job", "phase", "exit_code"),
    [
        # 22.05: words and wait statuses
        ({"job_state": "RUNNING", "exit_code": 0}, Phase.RUNNING, None),
        ({"job_state": "FAILED", "exit_code": 75 << 8}, Phase.FAILED, 75),
        ({"job_state": "FAILED", "exit_code": 9}, Phase.FAILED, 137),
        ({"job_state": "TIMEOUT", "exit_code": 0}, Phase.TIMEOUT, 0),
        ({"job_state": "CANCELLED by 0", "exit_code": 0}, Phase.CANCELLED, None),
        # 23.11 and later: lists and wrapped numbers
        ({"job_state": ["RUNNING", "COMPLETING"]}, Phase.RUNNING, None),
        (
            {
                "job_state": ["FAILED"],
                "exit_code": {"return_code": {"set": True, "infinite": False, "number": 75}},
            },
            Phase.FAILED,
            75,
        ),
        (
            {
                "job_state": ["FAILED"],
                "exit_code": {
                    "return_code": {"set": True, "number": 0},
                    "signal": {"id": {"set": True, "number": 11}, "name": "SEGV"},
                },
            },
            Phase.FAILED,
            139,
        ),
        # sacct
        (
            {
                "state": {"current": ["COMPLETED"], "reason": "None"},
                "exit_code": {"return_code": 0},
            },
            Phase.COMPLETED,
            0,
        ),
        ({"state": {"current": "NODE_FAIL"}}, Phase.FAILED, None),
    ],
)
def test_states_of_slurm_in_all_its_spellings(
    job: dict[str, Any],
    phase: Phase,
    exit_code: int | None,
    stand_ins: Callable[[str, str], Path],
    tmp_path: Path,
) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps({"jobs": [{"job_id": 6}, {"job_id": 7, **job}]}))
    stand_ins("squeue", f"cat {answer}")
    stand_ins("sacct", "exit 1")
    scheduler = slurm.Slurm(None)  # type: ignore[arg-type]
    found = scheduler.state("7")
    assert (found.phase, found.exit_code) == (phase, exit_code)
    assert scheduler.state("8").phase is Phase.UNKNOWN


def test_the_accounting_knows_what_the_queue_forgot(
    stand_ins: Callable[[str, str], Path],
) -> None:
    stand_ins("squeue", "echo '{\"jobs\": []}'")
    stand_ins(
        "sacct",
        '[ "$*" = "--json -j 7" ] || exit 9\n'
        'echo \'{"jobs": [{"job_id": 7, "state": {"current": "COMPLETED"}}]}\'',
    )
    assert slurm.Slurm(None).state("7").phase is Phase.COMPLETED  # type: ignore[arg-type]
