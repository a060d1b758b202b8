# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Values are data: hostile text reaches the run as it is, and nothing in it is executed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.case.submit_section import SubmitSection
from halocline.submit.plan import Plan, Subject, plan_job
from halocline.submit.submission import submit
from halocline.submit.view import follow
from halocline.submit.words import plain_name, shell_words

PWN = "touch pwned"
HOSTILE = [
    "two words",
    "it's",
    'say "hi"',
    f"$({PWN})",
    f"`{PWN}`",
    f"a; {PWN} #",
    f"a\n{PWN}\n",
    f"'; {PWN}; '",
    f'"; {PWN}; "',
    f"${{x:-$({PWN})}}",
    "$HOME ~ * ? [a-z] {a,b} !! %j %%",
    "back\\slash\\",
    "-n",
    "",
    "\t tab",
    "ünïcödé €",
    "\x01\x7f",
    "\r\n",
    "EOF\n)\n#SBATCH --uid=0",
]
SCHEDULERS = ("slurm", "donau", "pbs", "lsf", "local")
# Writes what it was given as JSON.
LOOK = (
    "import json, os, sys; seen = dict(words=sys.argv[2:], folder=os.getcwd(), "
    "variables={k: v for k, v in os.environ.items() if k.startswith('HOSTILE_')}); "
    "json.dump(seen, open(sys.argv[1], 'w'))"
)


def plan_for(scheduler: str, folder: Path, **keys: Any) -> Plan:
    command = (sys.executable, "-c", LOOK, str(folder / "seen.json"), *HOSTILE)
    options = SubmitSection(scheduler=scheduler, ranks_per_node=1, launcher="none", **keys)
    return plan_job(Subject(folder, command=command), options, folder)


def run_script(plan: Plan, folder: Path) -> dict[str, Any]:
    plan.job.files.folder.mkdir(exist_ok=True)
    plan.job.files.script.write_text(plan.script)
    allocation = folder / "allocation"
    allocation.write_text("host 1 1 t\n")
    done = subprocess.run(
        ["bash", plan.job.files.script],
        env={**os.environ, "CCS_ALLOC_FILE": str(allocation)},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr + plan.job.files.log.read_text()
    seen: dict[str, Any] = json.loads((folder / "seen.json").read_text())
    return seen


def nothing_was_executed(folder: Path) -> bool:
    return not list(folder.rglob("pwned"))


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_words_of_a_command_arrive_as_they_are(tmp_path: Path, scheduler: str) -> None:
    plan = plan_for(scheduler, tmp_path)
    assert run_script(plan, tmp_path)["words"] == HOSTILE
    assert nothing_was_executed(tmp_path)


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_variables_arrive_as_they_are(tmp_path: Path, scheduler: str) -> None:
    variables = {f"HOSTILE_{number}": value for number, value in enumerate(HOSTILE)}
    plan = plan_for(scheduler, tmp_path, environment=variables)
    assert run_script(plan, tmp_path)["variables"] == variables
    assert nothing_was_executed(tmp_path)


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_a_folder_can_have_any_name(tmp_path: Path, scheduler: str) -> None:
    name = f'-x two $({PWN}) `{PWN}` it\'s "it"\n{PWN}\nback\\n'
    folder = tmp_path / name
    folder.mkdir()
    assert run_script(plan_for(scheduler, folder), folder)["folder"] == str(folder)
    assert nothing_was_executed(tmp_path)


@pytest.mark.parametrize("name", [text for text in HOSTILE if "\0" not in text])
@pytest.mark.parametrize("scheduler", ["slurm", "donau", "pbs", "lsf"])
def test_a_directive_stays_one_line_of_plain_signs(
    tmp_path: Path, scheduler: str, name: str
) -> None:
    options = SubmitSection(scheduler=scheduler, ranks_per_node=1)
    command = (f"./{name}".replace("/", "_"),)
    plan = plan_job(Subject(tmp_path, command=command), options, tmp_path)
    head = plan.script.split("\n\n")[0].splitlines()
    mark = plan.scheduler.mark
    assert head[0] == "#!/bin/bash"
    assert all(line.startswith(f"{mark} -") for line in head[1:]), head
    assert plan.script.count(f"\n{mark} ") == len(head) - 1
    assert plan.job.name.replace("_", "").replace("-", "").replace(".", "").isalnum()


def test_no_value_can_begin_a_line_of_the_script(tmp_path: Path) -> None:
    text = "x\n#SBATCH --uid=0\r#SBATCH --uid=0"
    options = SubmitSection(
        scheduler="slurm", ranks_per_node=1, environment={"A": text}, modules=[text]
    )
    plan = plan_job(Subject(tmp_path / text, command=(text,)), options)
    lines = plan.script.replace("\r", "\n").splitlines()
    assert not [line for line in lines if line.startswith("#SBATCH --uid")]


def test_words_that_are_no_text_arrive_too(tmp_path: Path) -> None:
    word = os.fsdecode(b"caf\xe9 \xff")
    write = "import os, sys; open('seen', 'wb').write(os.fsencode(sys.argv[1]))"
    options = SubmitSection(scheduler="local", ranks_per_node=1, launcher="none")
    plan = plan_job(Subject(tmp_path, command=(sys.executable, "-c", write, word)), options)
    job = submit(plan)
    assert list(follow(job, plan.scheduler, 0.1))[-1].exit_code == 0
    assert (tmp_path / "seen").read_bytes() == b"caf\xe9 \xff"


def test_a_module_name_is_data(tmp_path: Path) -> None:
    init = tmp_path / "init.sh"
    init.write_text('module() { printf "<%s>" "$@" >>modules; }\n')
    site = tmp_path / "site.toml"
    site.write_text(f'name = "s"\nscheduler = "slurm"\nmodule_init = "{init}"\n')
    names = [f"gcc/$({PWN})", "a b", f"x\n{PWN}"]
    options = SubmitSection(
        site=str(site),
        ranks_per_node=1,
        launcher="none",
        modules=names,
        module_paths=["/p q"],
        module_purge=True,
    )
    plan = plan_job(Subject(tmp_path, command=("true",)), options, tmp_path)
    plan.job.files.script.write_text(plan.script)
    subprocess.run(["bash", plan.job.files.script], check=True, timeout=60)
    loads = "".join(f"<load><{name}>" for name in names)
    assert (tmp_path / "modules").read_text() == f"<use></p q><purge>{loads}"
    assert nothing_was_executed(tmp_path)


@pytest.mark.parametrize("key", ["account", "queue"])
@pytest.mark.parametrize("value", ["a b", f"$({PWN})", "a\n#SBATCH --uid=0", "-x", "a;b", ""])
def test_what_stands_in_a_directive_must_be_plain(
    halocline: Callable[..., Any], key: str, value: str
) -> None:
    words = ("submit", "--scheduler", "slurm", f"--{key}={value}", "--dry-run", "--", "true")
    refused = halocline(*words)
    assert refused.code == 2
    assert f"'{key}'" in refused.err


def test_a_case_with_a_hostile_name_and_title_is_data(
    halocline: Callable[..., Any], stand_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / f"$({PWN}) `{PWN}` 'q' \"q\"\n{PWN}\n"
    (folder / "mesh").mkdir(parents=True)
    (folder / "mesh" / "input.dat").write_text("size = 1\n")
    case = folder / f"it's; {PWN}; $({PWN}).toml"
    case.write_text(f'title = "$({PWN})\\n{PWN}"\n[parallel]\nranks = 1\nthreads = 1\n')
    done = halocline(
        "submit", case, "--scheduler", "local", "--wait", "--interval", "0.1", "--json"
    )
    assert done.code == 0, done.err
    words = json.loads(stand_in.read_text())["words"]
    assert words[0] == str(case)
    record = json.loads((folder / "output" / "record.json").read_text())
    assert record["case"]["file"] == str(case)
    assert nothing_was_executed(tmp_path)


def test_names_become_plain() -> None:
    assert plain_name("rotor 37 (fine)") == "rotor_37_fine"
    assert plain_name("37") == "job_37"
    assert plain_name("$(x)\n") == "x"
    assert plain_name("") == "job"
    assert len(plain_name("x" * 500)) == 60


def test_what_is_no_word_is_refused() -> None:
    for value in (None, True):
        with pytest.raises(TypeError):
            shell_words(value)
