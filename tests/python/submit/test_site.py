# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Site files: what they fill, what they restrict, and what is said about mistakes in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.case.submit_section import SubmitSection
from halocline.errors import InvalidInputError, UsageError
from halocline.submit.plan import Plan, Subject, plan_job
from halocline.submit.site_files import BUILT_IN, find_site, read_site

SITE = """
name = "lab"
scheduler = "slurm"

[machine]
cores_per_node = 64
gpus_per_node = 4
memory = "256G"

[defaults]
account = "lab-1"
queue = "short"
time = "1h"
modules = ["base"]
before = ["echo site"]

[defaults.environment]
A = "site"
B = "site"

[limits]
nodes = 16
ranks = 512
time = "2d"
accounts = ["lab-1", "lab-2"]
requeue = 3

[queues.short]
nodes = 4
time = "2h"

[queues.long]
min_nodes = 2
required = ["time"]

[queues.gpu]
gpus_per_node = 2
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    path = tmp_path / "lab.toml"
    path.write_text(SITE)
    return path


@pytest.fixture(autouse=True)
def _no_site_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("HALOCLINE_SITE", raising=False)
    monkeypatch.setattr("halocline.submit.site_files.USER_FOLDER", tmp_path / "user")
    monkeypatch.setattr("halocline.submit.site_files.MACHINE_FOLDER", tmp_path / "machine")


def plan(site: Path | str, **keys: Any) -> Plan:
    options = SubmitSection(site=str(site), **keys)
    return plan_job(Subject(Path("/runs"), command=("./solver",)), options)


def test_a_site_fills_what_is_not_said(site: Path) -> None:
    job = plan(site).job
    assert (job.account, job.queue, job.timing.limit_s) == ("lab-1", "short", 3600)
    assert (job.shape.nodes, job.shape.ranks_per_node, job.shape.threads) == (1, 64, 1)


def test_options_win_lists_add_up_and_variables_merge(site: Path) -> None:
    job = plan(
        site,
        time="30m",
        modules=["mine"],
        before=["echo mine"],
        environment={"B": "mine", "C": "mine"},
        threads=8,
    ).job
    assert job.timing.limit_s == 1800
    assert job.shape.ranks_per_node == 8
    assert job.surroundings.modules == ("base", "mine")
    assert job.surroundings.before == ("echo site", "echo mine")
    assert job.surroundings.environment == {"A": "site", "B": "mine", "C": "mine"}


def test_ranks_follow_gpus(site: Path) -> None:
    assert plan(site, queue="gpu", gpus_per_node=2).job.shape.ranks_per_node == 2


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"nodes": 5}, ["'queues.short.nodes' allows 4 nodes", "option --nodes makes it 5 nodes"]),
        ({"nodes": 17, "queue": "long", "time": "1h"}, ["'limits.nodes' allows 16 nodes"]),
        ({"queue": "long", "nodes": 9, "time": "1h"}, ["'limits.ranks' allows 512 ranks"]),
        ({"time": "3h"}, ["'queues.short.time' allows 02:00:00", "03:00:00"]),
        ({"requeue": 4}, ["'limits.requeue' allows 3 requeues"]),
        ({"queue": "gpu", "gpus_per_node": 3}, ["'queues.gpu.gpus_per_node' allows 2 GPUs"]),
        ({"gpus_per_node": 5}, ["'machine.gpus_per_node' allows 4 GPUs"]),
        ({"queue": "shrt"}, ["option --queue is 'shrt'", "Did you mean 'short'?"]),
        ({"account": "lab-3"}, ["'limits.accounts'", "option --account is 'lab-3'", "lab-"]),
        ({"queue": "long", "time": "1h"}, ["'queues.long.min_nodes' is 2"]),
        ({"ranks_per_node": 65}, ["'machine.cores_per_node' allows 64 cores", "65 cores"]),
        ({"threads": 3, "ranks_per_node": 32}, ["option --threads makes it 96 cores"]),
        ({"memory": "300G"}, ["'machine.memory'"]),
        ({"notice": "2h"}, ["option --notice is 7200 s", "time limit of 3600 s"]),
    ],
)
def test_a_site_refuses_with_both_sides_named(
    site: Path, keys: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(InvalidInputError) as failed:
        plan(site, **keys)
    message = str(failed.value)
    assert all(word in message for word in words), message
    assert "\n" not in message


def test_a_required_key_counts_when_the_site_itself_fills_it(site: Path) -> None:
    site.write_text(SITE.replace('time = "1h"\n', ""))
    with pytest.raises(InvalidInputError, match=r"'queues.long.required' asks for 'time'.*--time"):
        plan(site, queue="long", nodes=2)
    assert plan(site, queue="long", nodes=2, time="1h").job.timing.limit_s == 3600


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('scheduler = "slurm"\n', ["'name' is missing"]),
        ('name = "a"\nscheduler = "slrum"\n', ["'scheduler'", "Did you mean 'slurm'?"]),
        (SITE + "[launhc]\n", ["unknown key 'launhc'", "Did you mean 'launch'?"]),
        (
            SITE + '[launch]\nmapby = "x"\n',
            ["unknown key 'launch.mapby'", "Did you mean 'map_by'?"],
        ),
        (SITE + "[queues.x]\nndoes = 1\n", ["'queues.x.ndoes'", "Did you mean 'nodes'?"]),
        (SITE + '[queues.x]\nrequired = ["tme"]\n', ["queues.x.required.0", "'time'?"]),
        (SITE + '[queues.x]\ntime = "1:30"\n', ["'queues.x.time' is '1:30'", "HH:MM:SS"]),
        (SITE.replace('"1h"', '"1h"\nnods = 1'), ["'defaults.nods'", "Did you mean 'nodes'?"]),
        (
            SITE.replace("[defaults]", '[defaults]\nscheduler = "pbs"'),
            ["'defaults.scheduler' is 'pbs'"],
        ),
        ("name = ", ["not TOML"]),
    ],
)
def test_a_mistake_in_a_site_file_names_file_and_key(
    site: Path, text: str, words: list[str]
) -> None:
    site.write_text(text)
    with pytest.raises(InvalidInputError) as failed:
        read_site(site)
    message = str(failed.value)
    assert message.startswith(str(site))
    assert all(word in message for word in words), message


def test_sites_are_found_by_name_the_users_first(tmp_path: Path) -> None:
    for folder, description in (("machine", "machine's"), ("user", "user's")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "lab.toml").write_text(
            f'name = "lab"\nscheduler = "pbs"\ndescription = "{description}"\n'
        )
        assert find_site("lab", None).site.description == description
    with pytest.raises(UsageError, match=r"Did you mean 'lab'\?"):
        find_site("lba", None)


def test_the_machines_default_site_is_used_unless_another_scheduler_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "machine").mkdir()
    (tmp_path / "machine" / "default.toml").write_text('name = "here"\nscheduler = "pbs"\n')
    assert find_site(None, None).site.name == "here"
    assert find_site(None, "pbs").site.name == "here"
    assert find_site(None, "local").site.name == "local"
    monkeypatch.setenv("HALOCLINE_SITE", "donau-kunpeng")
    assert find_site(None, None).site.name == "donau-kunpeng"


def test_nothing_known_about_the_scheduler_says_what_to_do() -> None:
    with pytest.raises(UsageError, match="Add --scheduler slurm, donau, pbs, lsf or local"):
        find_site(None, None)


def test_a_scheduler_that_is_not_the_sites_is_refused(site: Path) -> None:
    with pytest.raises(UsageError, match=r"option --scheduler is 'pbs', but .* 'slurm'"):
        plan(site, scheduler="pbs")


@pytest.mark.parametrize("path", sorted(BUILT_IN.glob("*.toml")), ids=lambda path: path.stem)
def test_the_sites_that_come_with_the_package_are_valid(path: Path) -> None:
    found = read_site(path).site
    assert found.name == path.stem
    nodes = 1 if found.scheduler == "local" else 2
    assert plan(path, nodes=nodes, ranks_per_node=1).script.startswith("#!/bin/bash\n")


def test_a_site_without_cores_needs_ranks() -> None:
    with pytest.raises(InvalidInputError, match=r"--ranks-per-node, or machine.cores_per_node"):
        plan("slurm")


def write_case(folder: Path, text: str) -> Path:
    (folder / "mesh").mkdir(exist_ok=True)
    (folder / "mesh" / "input.dat").write_text("size = 1\n")
    case = folder / "case.toml"
    case.write_text(text)
    return case


def test_a_case_asks_between_options_and_site(
    site: Path, tmp_path: Path, halocline: Callable[..., Any]
) -> None:
    case = write_case(
        tmp_path, f'[parallel]\nthreads = 4\n[submit]\nsite = "{site}"\nnodes = 2\ntime = "20m"\n'
    )
    data = halocline("submit", case, "--dry-run", "--json").data
    assert (data["nodes"], data["ranks_per_node"], data["threads"]) == (2, 16, 4)
    assert data["time_s"] == 1200
    data = halocline("submit", case, "--time", "10m", "--dry-run", "--json").data
    assert data["time_s"] == 600
    refused = halocline("submit", case, "--set", "submit.nodes=99", "--dry-run")
    assert refused.code == 3
    assert f"{case}: key 'submit.nodes' makes it 99 nodes" in refused.err


def test_a_case_is_signalled_before_its_limit_without_asking(
    site: Path, tmp_path: Path, halocline: Callable[..., Any]
) -> None:
    words = ("submit", write_case(tmp_path, ""), "--site", site, "--dry-run", "--json")
    assert halocline(*words).data["notice_s"] == 120
    assert halocline(*words, "--time", "1m").data["notice_s"] == 30
    assert halocline(*words, "--signal", "none").data["notice_s"] is None
    assert plan(site).job.timing.notice_s is None  # a command may not expect one


def test_the_ranks_of_a_case_are_spread_over_its_nodes(
    site: Path, tmp_path: Path, halocline: Callable[..., Any]
) -> None:
    case = write_case(tmp_path, "[parallel]\nranks = 8\n")
    words = ("submit", case, "--site", site, "--dry-run")
    data = halocline(*words, "--nodes", 2, "--json").data
    assert (data["ranks_per_node"], data["threads"]) == (4, 16)
    uneven = halocline(*words, "--nodes", 3)
    assert uneven.code == 3
    assert f"{case}: key 'parallel.ranks' is 8, which 3 nodes cannot share evenly" in uneven.err
    data = halocline(*words, "--nodes", 3, "--ranks-per-node", 2, "--json").data
    assert data["ranks"] == 6


def test_a_case_chooses_ranks_and_threads_by_the_hosts_cores(
    site: Path, tmp_path: Path, halocline: Callable[..., Any]
) -> None:
    words = ("submit", write_case(tmp_path, ""), "--site", site, "--dry-run", "--json")
    data = halocline(*words).data
    assert data["ranks_per_node"] * data["threads"] == 64
    assert data["threads"] == 8


def test_doubts_are_told_and_change_nothing(
    site: Path, tmp_path: Path, halocline: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("halocline.submit.program.find_program", lambda _name: None)
    words = ("submit", write_case(tmp_path, ""), "--site", site, "--requeue", 1, "--dry-run")
    done = halocline(*words, "--json")
    assert done.code == 0
    assert "'halocline-solve' was not found here" in done.err
    assert "program+=(--restart auto)" in done.data["script"]
    assert done.data["command"][0] == "halocline-solve"
    assert halocline("submit", "--site", site, "--dry-run", "--", "./a").err == ""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "neither a case file nor a command"),
        (["case.toml", "more"], "'more' after the case file"),
        (["--set", "a=b", "--", "true"], "--set changes a case"),
        (["--env", "A", "--", "true"], "is not NAME=VALUE"),
        (["--scheduler", "slrum", "--", "true"], "Did you mean 'slurm'?"),
        (["--scheduler", "local", "--nodes", "2", "--", "true"], "this host only"),
        (["--scheduler", "slurm", "--nodes", "0", "--", "true"], "greater than or equal to 1"),
        (["--scheduler", "slurm", "--time", "90", "--", "true"], "HH:MM:SS"),
        (["--scheduler", "local", "--notice", "1m", "--", "true"], "no time limit"),
        (["--status", "a", "--cancel", "b"], "one thing at a time"),
        (["--status", "nothing"], "names no job"),
        (["--tmie", "1h"], "Did you mean '--time'?"),
    ],
)
def test_a_mistake_on_the_command_line_is_one_sentence(
    halocline: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    failed = halocline("submit", *words)
    assert failed.code in (2, 3)
    assert sentence in failed.err
    assert len(failed.err.splitlines()) == 1
