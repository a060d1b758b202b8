# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Scripts of every scheduler: golden files, shellcheck, and templates of a site."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from halocline.case.load import load_case
from halocline.case.submit_section import SubmitSection
from halocline.errors import InvalidInputError
from halocline.submit.plan import Plan, Subject, plan_job
from halocline.submit.render import header_of, render_array

from halocline import __version__

GOLDEN = Path(__file__).parent / "golden"
#: Set it to write the golden files anew; then read what changed.
UPDATE = "HALOCLINE_UPDATE_GOLDEN"
FOLDER = Path("/home/ada/runs")


@dataclass(frozen=True)
class Request:
    """One golden file."""

    keys: dict[str, Any]
    command: tuple[str, ...] = ("./solver", "-i", "input file.dat")
    folder: Path = field(default=FOLDER)

    def plan(self) -> Plan:
        return plan_job(
            Subject(self.folder, command=self.command), SubmitSection(**self.keys), self.folder
        )


FULL: dict[str, Any] = {
    "name": "rotor 37",
    "nodes": 2,
    "ranks_per_node": 4,
    "threads": 2,
    "gpus_per_node": 1,
    "memory": "64G",
    "time": "1-01:30:00",
    "notice": "10m",
    "requeue": 2,
    "account": "lab-1",
    "queue": "long",
    "exclusive": True,
    "module_paths": ["/opt/modules of the lab"],
    "module_purge": True,
    "modules": ["gcc/12", "openmpi/4.1"],
    "environment": {"OMP_STACKSIZE": "64M", "TITLE": "Rotor 37's $(hub)"},
    "before": ["ulimit -s unlimited", "mkdir -p results"],
    "after": ['echo "the run gave $code"'],
}
SMALL: dict[str, Any] = {"nodes": 2, "ranks_per_node": 2}
REQUESTS = {
    "slurm": Request({**SMALL, "scheduler": "slurm"}),
    "slurm_full": Request(
        {**FULL, "scheduler": "slurm", "directives": ["--constraint=ib", "--mail-type=END"]}
    ),
    "slurm_srun": Request({**FULL, "scheduler": "slurm", "launcher": "srun"}),
    "pbs": Request({**SMALL, "scheduler": "pbs"}),
    "pbs_full": Request({**FULL, "scheduler": "pbs"}),
    "lsf": Request({**SMALL, "scheduler": "lsf"}),
    "lsf_full": Request({**FULL, "scheduler": "lsf"}),
    "donau": Request({**SMALL, "scheduler": "donau"}),
    "donau_full": Request({**FULL, "scheduler": "donau"}),
    "donau_kunpeng_gpu": Request(
        {"site": "donau-kunpeng", "nodes": 4, "gpus_per_node": 1, "queue": "gpu"},
        ("mgcfd_mpi_cuda", "-gpudirect", "-i", "input.dat", "-m", "parmetis", "-r", "kway"),
    ),
    "local_none": Request(
        {**FULL, "scheduler": "local", "nodes": 1, "launcher": "none", "time": "30m"}
    ),
}
ARRAYS = ["slurm_full", "pbs_full", "lsf_full"]
needs_shellcheck = pytest.mark.skipif(
    shutil.which("shellcheck") is None,
    reason="no shellcheck; scripts/bootstrap.sh --test installs it",
)


@pytest.mark.parametrize("name", REQUESTS)
def test_a_script_is_the_golden_one(name: str) -> None:
    golden = GOLDEN / f"{name}.sh"
    script = REQUESTS[name].plan().script.replace(f"halocline {__version__} ", "halocline 0 ")
    if os.environ.get(UPDATE):
        golden.write_text(script)
    assert script == golden.read_text()


@needs_shellcheck
@pytest.mark.parametrize("name", REQUESTS)
def test_shellcheck_has_nothing_to_say(name: str, tmp_path: Path) -> None:
    script = tmp_path / "job.sh"
    script.write_text(REQUESTS[name].plan().script)
    done = subprocess.run(
        ["shellcheck", "--severity=style", "--shell=bash", str(script)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def array_of(name: str) -> str:
    """The script of an array of 12 jobs, 4 at a time."""
    plan = REQUESTS[name].plan()
    header = plan.scheduler.array_header(header_of(plan.script, plan.scheduler), 12, 4)
    scripts = [FOLDER / f"the {task}. job" / "solver.job.sh" for task in range(1, 13)]
    return render_array(header, scripts, plan.scheduler, plan.site)


@pytest.mark.parametrize("name", ARRAYS)
def test_the_script_of_an_array_is_the_golden_one(name: str) -> None:
    golden = GOLDEN / f"{name.removesuffix('_full')}_array.sh"
    script = array_of(name).replace(f"halocline {__version__} ", "halocline 0 ")
    if os.environ.get(UPDATE):
        golden.write_text(script)
    assert script == golden.read_text()


@needs_shellcheck
@pytest.mark.parametrize("name", ARRAYS)
def test_shellcheck_has_nothing_to_say_about_arrays(name: str, tmp_path: Path) -> None:
    script = tmp_path / "array.sh"
    script.write_text(array_of(name))
    done = subprocess.run(
        ["shellcheck", "--severity=style", "--shell=bash", str(script)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@needs_shellcheck
def test_shellcheck_would_find_an_unquoted_word(tmp_path: Path) -> None:
    script = tmp_path / "job.sh"
    plan = REQUESTS["slurm_full"].plan()
    script.write_text(plan.script.replace('"${launch[@]}"', "${launch[@]}"))
    done = subprocess.run(
        ["shellcheck", str(script)], capture_output=True, text=True, timeout=120, check=False
    )
    assert "SC2068" in done.stdout


def site_with_template(folder: Path, template: str) -> str:
    (folder / "mine.sh.j2").write_text(template)
    site = folder / "mine.toml"
    site.write_text('name = "mine"\nscheduler = "slurm"\ntemplate = "mine.sh.j2"\n')
    return str(site)


def test_a_site_template_overrides_a_block_and_keeps_the_rest(tmp_path: Path) -> None:
    site = site_with_template(
        tmp_path,
        '{% extends "slurm.sh.j2" %}\n{% block environment %}\n{{ super() }}'
        'export SITE={{ site.name }} NOTE={{ job.name ~ " of " ~ site.name }}\n{% endblock %}\n',
    )
    keys = {**FULL, "site": site, "name": "x"}
    script = Request(keys).plan().script
    plain = Request({**keys, "site": None, "scheduler": "slurm"}).plan().script
    added = set(script.splitlines()) - set(plain.splitlines())
    assert "export SITE=mine NOTE='x of mine'" in added
    assert "export TITLE='Rotor 37'\"'\"'s $(hub)'" in script
    assert len(added) == 2  # and the line that names the site


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ('{% extends "slurm.sh.j2" %}{% block before %}{{ nothing }}{% endblock %}', "nothing"),
        ('{% extends "slurm.sh.j2" %}{% block before %}{{ job.nmae }}{% endblock %}', "nmae"),
        ('{% extends "slrum.sh.j2" %}', "slrum.sh.j2"),
        ('{% extends "slurm.sh.j2" %}\n{% block before %}', "line 2"),
    ],
)
def test_a_broken_site_template_is_one_sentence(tmp_path: Path, template: str, words: str) -> None:
    with pytest.raises(InvalidInputError) as failed:
        Request({**SMALL, "site": site_with_template(tmp_path, template)}).plan()
    message = str(failed.value)
    assert "key 'template'" in message
    assert words in message
    assert "\n" not in message


def test_a_site_cannot_replace_our_templates_by_name(tmp_path: Path) -> None:
    (tmp_path / "base.sh.j2").write_text("echo stolen\n")
    site = site_with_template(tmp_path, '{% extends "slurm.sh.j2" %}')
    assert "stolen" not in Request({**SMALL, "site": site}).plan().script


@pytest.mark.parametrize(
    ("family", "words"),
    [
        ("mpich", "launch=(mpiexec -n 4 -ppn 2 -bind-to core:1)"),
        ("openmpi", "launch=(mpirun -np 4 --bind-to core --map-by ppr:2:node -x OMP_NUM_THREADS"),
    ],
)
def test_the_launch_line_follows_the_mpi_library(tmp_path: Path, family: str, words: str) -> None:
    site = tmp_path / "s.toml"
    site.write_text(f'name = "s"\nscheduler = "slurm"\n[launch]\nmpi = "{family}"\n')
    assert words in Request({**SMALL, "site": str(site)}).plan().script


@pytest.mark.parametrize(("family", "plugin"), [("mpich", "pmi2"), ("openmpi", "pmix")])
def test_srun_gets_the_plugin_that_the_library_understands(
    tmp_path: Path, family: str, plugin: str
) -> None:
    site = tmp_path / "s.toml"
    site.write_text(f'name = "s"\nscheduler = "slurm"\n[launch]\nmpi = "{family}"\n')
    script = Request({**SMALL, "site": str(site), "launcher": "srun"}).plan().script
    assert f"srun --mpi={plugin} --ntasks=4 --ntasks-per-node=2" in script


@pytest.mark.parametrize(
    "command", [("mpirun", "-n", "2", "./a"), ("/opt/mpi/bin/mpiexec", "./a"), ("srun", "./a")]
)
def test_a_command_that_launches_itself_gets_no_second_launcher(command: tuple[str, ...]) -> None:
    script = Request({**SMALL, "scheduler": "slurm"}, command).plan().script
    assert "launch=()" in script


@pytest.mark.parametrize(("nodes", "draws"), [(1, True), (2, False)])
def test_jobs_of_one_host_draw_the_pictures_of_their_case(
    case_file: Path, nodes: int, draws: bool
) -> None:
    with case_file.open("a") as file:
        file.write('[output]\ninterval = 1\n[[output.pictures]]\nfield = "mach"\n')
    keys = SubmitSection(scheduler="slurm", nodes=nodes, ranks_per_node=1, threads=1)
    subject = Subject(case_file.parent, case=load_case(case_file), case_file=case_file)
    script = plan_job(subject, keys, case_file.parent).script
    assert (" pictures " in script) is draws
    if draws:
        assert script.index(" record 1 1 ") < script.index(" pictures ")
        assert '[ "$code" -eq 0 ]' in script
