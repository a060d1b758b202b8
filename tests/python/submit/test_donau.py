# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Donau: the allocation file, the launch lines, and a job through stand-ins for its commands."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.case.submit_section import SubmitSection
from halocline.launch.programs import find_program
from halocline.record.store import read_record
from halocline.submit.plan import Plan, Subject, plan_job

REFERENCE = Path(__file__).parents[3] / "data" / "mgcfd-reference" / "natural"

GOOD = {
    "one host": ("hpcbuild002 8 1 container_22_default_00001\n", ["hpcbuild002 slots=8"], 1),
    "two hosts": ("cn1 64 1 t1\ncn2 32 1 t2\n", ["cn1 slots=64", "cn2 slots=32"], 2),
    "no task list": ("cn1 64 1\n", ["cn1 slots=64"], 1),
    "long task list": ("cn1.site-a_b 64 1 t1 t2 t3\n", ["cn1.site-a_b slots=64"], 1),
    "no last line break": ("cn1 64 1 t1\ncn2 64 1 t2", ["cn1 slots=64", "cn2 slots=64"], 2),
    "blank lines, comments, tabs": (
        "# name cores tasks task_list\n\n  cn1\t64   1 t1\n \t\n",
        ["cn1 slots=64"],
        1,
    ),
    "line ends of Windows": ("cn1 64 1 t1\r\ncn2 64 1 t2\r\n", ["cn1 slots=64", "cn2 slots=64"], 2),
}
BROKEN = {
    "empty": ("", "it names no host"),
    "comments only": ("# nothing\n\n", "it names no host"),
    "two fields": ("cn1 64\n", "line 1 has 2 fields"),
    "cut off": ("cn1 64 1 t1\ncn2 6", "line 2 has 2 fields"),
    "cores are not a number": ("cn1 many 1 t1\n", "is not a number of cores"),
    "no cores": ("cn1 0 1 t1\n", "is not a number of cores"),
    "negative tasks": ("cn1 64 -1 t1\n", "is not a number of tasks"),
    "broken number": ("cn1 64 1.5 t1\n", "is not a number of tasks"),
    "host twice": ("cn1 64 1 t1\ncn1 64 1 t2\n", "names host cn1 again"),
    "option for a host": ("-x 64 1 t1\n", "is not a host name"),
    "command for a host": ('$(touch$IFS"pwned") 64 1 t1\n', "is not a host name"),
    "columns swapped": ("64 cn1 1 t1\n", "is not a number of cores"),
}

DSUB = r"""
refuse() { echo "dsub: $*" >&2; exit 9; }
[ "$1" = -s ] && [ $# -eq 2 ] || refuse "wrong words: $*"
[ -x "$2" ] || refuse "the script is not executable"
answer_after_s=${CCS_JOB_ID:+${ANSWER_AFTER_S:-0}}  # within a job
export CCS_JOB_ID=42 CCS_ALLOC_FILE=$STAND_IN_FOLDER/allocation
grep '^#DSUB ' "$2" >"$STAND_IN_FOLDER/directives"
replicas=$(sed -n 's/^#DSUB -N //p' "$2")
cpu=$(sed -n 's/^#DSUB -R cpu=\([0-9]*\).*/\1/p' "$2")
for i in $(seq "$replicas"); do echo "made-up-$i $cpu 1 container_$i"; done >"$CCS_ALLOC_FILE"
setsid "$2" >out42.log 2>err42.log </dev/null &
sleep "${answer_after_s:-0}"
echo "Submit job <42> successfully."
"""
# Starts what is meant for another host right here, after looking at the host's name. Each host has
# its own temporary folder, as real ones have: two Open MPI daemons that make the session folder of
# one job in one /tmp at the same time end with "mkdir: File exists".
DSTART = r"""
printf '%s\n' "$1" >>"$STAND_IN_FOLDER/started"
grep -q "^$1 " "$STAND_IN_FOLDER/allocation" || { echo "dstart: no host $1" >&2; exit 9; }
export TMPDIR=$STAND_IN_FOLDER/tmp-$1
mkdir -p "$TMPDIR"
shift
exec bash -c "$*"
"""
# Notes its words, one a line, then lets the real mpirun do what they say.
MPIRUN = r"""
printf '%s\n' "$@" >"$STAND_IN_FOLDER/mpirun-words"
cp "$2" "$STAND_IN_FOLDER/hostfile"
exec {mpirun} --oversubscribe "$@"
"""


def donau_plan(folder: Path, *command: str, site: str = "donau", **keys: Any) -> Plan:
    options = SubmitSection(site=site, **keys)
    return plan_job(Subject(folder, command=command or ("./solver",)), options, folder)


def run_with_allocation(
    plan: Plan, content: str | None, folder: Path
) -> subprocess.CompletedProcess[str]:
    script = plan.job.files.script
    script.write_text(plan.script)
    environment = {**os.environ, "CCS_JOB_ID": "7"}
    if content is not None:
        (folder / "allocation").write_bytes(content.encode())
        environment["CCS_ALLOC_FILE"] = str(folder / "allocation")
    return subprocess.run(
        ["bash", str(script)],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("kind", GOOD)
def test_a_good_allocation_gives_hostfile_and_task_count(tmp_path: Path, kind: str) -> None:
    content, hosts, tasks = GOOD[kind]
    say = 'echo "tasks=$tasks ranks=$ranks"; cat "$hostfile"'
    plan = donau_plan(
        tmp_path, "true", nodes=tasks, ranks_per_node=4, launcher="none", before=[say], name="job"
    )
    done = run_with_allocation(plan, content, tmp_path)
    log = plan.job.files.log.read_text()
    assert done.returncode == 0, log
    assert f"tasks={tasks} ranks={4 * tasks}" in log
    assert (tmp_path / "job.job.hosts").read_text().splitlines() == hosts


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_allocation_stops_the_job_with_a_sentence(tmp_path: Path, kind: str) -> None:
    content, sentence = BROKEN[kind]
    plan = donau_plan(tmp_path, "touch", "ran", ranks_per_node=1, launcher="none")
    done = run_with_allocation(plan, content, tmp_path)
    log = plan.job.files.log.read_text()
    assert done.returncode == 4
    assert sentence in log
    assert "allocation file is broken" in log
    assert not (tmp_path / "ran").exists()
    assert not list(tmp_path.rglob("pwned*"))


def test_a_job_outside_donau_says_so(tmp_path: Path) -> None:
    plan = donau_plan(tmp_path, ranks_per_node=1)
    assert run_with_allocation(plan, None, tmp_path).returncode == 4
    assert "CCS_ALLOC_FILE is not set" in plan.job.files.log.read_text()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("cn1 64 1 t1\n", "gave 1 tasks, but the job asked for 2"),
        ("cn1 64 2 t1 t2\n", "gave 1 hosts, but the job asked for 2"),
    ],
)
def test_an_allocation_of_another_shape_is_refused(
    tmp_path: Path, content: str, sentence: str
) -> None:
    plan = donau_plan(tmp_path, nodes=2, ranks_per_node=1)
    assert run_with_allocation(plan, content, tmp_path).returncode == 4
    assert sentence in plan.job.files.log.read_text()


def test_replicas_can_be_ranks(tmp_path: Path) -> None:
    site = tmp_path / "ranks.toml"
    site.write_text(
        'name = "ranks"\nscheduler = "donau"\n[donau]\nreplica = "rank"\n'
        '[launch]\nmpi = "openmpi"\nmap_by = "core"\n'
    )
    plan = donau_plan(
        tmp_path, "true", site=str(site), nodes=2, ranks_per_node=4, threads=2, launcher="none"
    )
    assert "#DSUB -R cpu=2\n#DSUB -N 8\n" in plan.script
    assert run_with_allocation(plan, "a 10 5 x\nb 6 3 x\n", tmp_path).returncode == 0
    assert "8 ranks on the hosts" in plan.job.files.log.read_text()
    launched = donau_plan(
        tmp_path, site=str(site), nodes=2, ranks_per_node=4, threads=2, launcher="mpirun"
    )
    assert '-np "$ranks" --bind-to core --map-by core:PE=2' in launched.script


def launch_words(plan: Plan) -> list[str]:
    line = next(line for line in plan.script.splitlines() if line.startswith("launch=("))
    return shlex.split(line.removeprefix("launch=(").removesuffix(")"))


def test_the_cpu_launch_line_is_the_documented_one(tmp_path: Path) -> None:
    words = launch_words(donau_plan(tmp_path, site="donau-kunpeng", nodes=2, ranks_per_node=64))
    assert words[:12] == [
        *("mpirun", "-hostfile", "$hostfile", "-np", "$ranks", "-N", "64"),
        *("--bind-to", "core", "--map-by", "socket", "--rank-by"),
    ]
    assert words[12:] == [
        *("core", "--mca", "plm_rsh_agent", "/opt/batch/agent/tools/dstart"),
        *("-mca", "pml", "ucx", "-x", "UCX_NET_DEVICES=mlx5_0:1", "-x", "UCX_TLS=self,sm,rc"),
        *("-x", "OMP_NUM_THREADS", "-x", "OMP_PROC_BIND", "-x", "OMP_PLACES"),
    ]


def test_the_gpu_launch_line_adds_cuda_copy_and_gdrcopy(tmp_path: Path) -> None:
    plan = donau_plan(
        tmp_path, "mgcfd_mpi_cuda", "-gpudirect", site="donau-kunpeng", nodes=4, gpus_per_node=1
    )
    words = launch_words(plan)
    assert "UCX_TLS=self,sm,rc,cuda_copy" in words
    assert "LD_PRELOAD=/usr/lib64/libgdrapi.so" in words
    assert words[words.index("-N") + 1] == "1"
    assert "#DSUB -R cpu=1;gpu=1\n#DSUB -N 4\n" in plan.script


def test_directives_are_those_of_the_manual(tmp_path: Path) -> None:
    plan = donau_plan(
        tmp_path,
        nodes=2,
        ranks_per_node=32,
        gpus_per_node=1,
        memory="40960M",
        account="lab",
        queue="q_kp",
        name="rotor 37",
    )
    assert [line for line in plan.script.splitlines() if line.startswith("#DSUB")] == [
        "#DSUB --job_type cosched",
        "#DSUB -n rotor_37",
        "#DSUB -A lab",
        "#DSUB -q q_kp",
        "#DSUB -R cpu=32;mem=40960;gpu=1",
        "#DSUB -N 2",
        "#DSUB -o out%J.log",
        "#DSUB -e err%J.log",
    ]


@pytest.fixture
def cluster(
    stand_ins: Callable[[str, str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Stand-ins for dsub, dstart and mpirun; returns a site file that names them."""
    mpirun = shutil.which("mpirun")
    assert mpirun is not None
    folder = tmp_path / "seen"
    folder.mkdir()
    monkeypatch.setenv("STAND_IN_FOLDER", str(folder))
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    monkeypatch.setenv("OMPI_MCA_btl", "self,tcp")
    monkeypatch.setenv("OMPI_MCA_mpi_yield_when_idle", "1")
    # A folder for each host, as hosts have: two daemons that make the same one at once both fail.
    monkeypatch.delenv("OMPI_MCA_orte_tmpdir_base", raising=False)
    monkeypatch.setenv("TMPDIR", str(folder))
    stand_ins("dsub", DSUB)
    stand_ins("mpirun", MPIRUN.format(mpirun=mpirun))
    dstart = stand_ins("dstart", DSTART)
    site = tmp_path / "site.toml"
    site.write_text(
        'name = "made-up"\nscheduler = "donau"\n[launch]\nmpi = "openmpi"\nmap_by = "socket"\n'
        f'rank_by = "core"\nagent = "{dstart}"\n'
    )
    return site


needs_mpirun = pytest.mark.skipif(
    shutil.which("mpirun") is None, reason="no mpirun; scripts/bootstrap.sh installs one"
)


@needs_mpirun
@pytest.mark.mpi
@pytest.mark.skipif(
    find_program("halocline-solve") is None,
    reason="halocline-solve is not built here; `make test` builds it first",
)
def test_a_case_runs_on_two_made_up_hosts_through_dsub_and_dstart(
    cluster: Path, halocline: Callable[..., Any], tmp_path: Path
) -> None:
    case = tmp_path / "case with space.toml"
    case.write_text(
        f'[mesh]\ndirectory = "{REFERENCE}"\n[solver]\ncycles = 3\n'
        "[submit]\nnodes = 2\nranks_per_node = 1\nthreads = 1\n"
    )
    done = halocline("submit", case, "--site", cluster, "--wait", "--interval", "0.2", "--json")
    log = Path(done.data["log_file"]).read_text()
    assert done.code == 0, done.err + log
    assert (done.data["job_id"], done.data["scheduler"]) == ("42", "donau")
    assert (done.data["state"], done.data["cycles_done"]) == ("completed", 3)
    assert read_record(tmp_path / "output").layout.ranks == 2
    seen = tmp_path / "seen"
    assert "#DSUB -n case_with_space" in (seen / "directives").read_text()
    assert sorted((seen / "started").read_text().split()) == ["made-up-1", "made-up-2"]
    assert (seen / "hostfile").read_text() == "made-up-1 slots=1\nmade-up-2 slots=1\n"
    words = (seen / "mpirun-words").read_text().splitlines()
    assert words[2:8] == ["-np", "2", "-N", "1", "--bind-to", "core"]
    assert words[words.index("plm_rsh_agent") + 1].endswith("/dstart")


@needs_mpirun
@pytest.mark.mpi
@pytest.mark.parametrize("answer_after_s", [0, 1], ids=["", "and ends before dsub answers"])
def test_a_run_that_stops_early_is_submitted_again(
    cluster: Path,
    halocline: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer_after_s: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANSWER_AFTER_S", str(answer_after_s))
    Path("run.sh").write_text("echo x >>tries; [ $(wc -l <tries) -ge 2 ] || exit 75\n")
    done = halocline(
        *("submit", "--site", cluster, "--launcher", "none", "--ranks-per-node", 1),
        *("--requeue", 2, "--wait", "--interval", 0.2 + 2 * answer_after_s),
        *("--json", "--", "bash", "run.sh"),
    )
    assert done.code == 0, done.err + Path("bash.job.log").read_text()
    assert Path("tries").read_text() == "x\nx\n"
    assert done.data["attempt"] == 2


def test_cancelling_needs_the_sites_word(
    cluster: Path, halocline: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("--site", cluster, "--launcher", "none", "--ranks-per-node", 1)
    job = halocline("submit", *words, "--json", "--", "sleep", "2").data
    refused = halocline("submit", "--cancel", job["job_id"])
    assert refused.code == 5
    assert "[donau]" in refused.err
    note = tmp_path / "cancelled"
    with cluster.open("a") as site:
        site.write(f'[donau]\ncancel = ["bash", "-c", "echo {{job}} >{note}"]\n')
    assert halocline("submit", "--cancel", job["job_id"]).code == 0
    assert note.read_text() == "42\n"
    halocline("submit", "--follow", job["job_id"], "--interval", "0.2")
