# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""From options, case and site to a job with everything decided, and its script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.case.model import Case
from halocline.case.submit_section import SubmitSection
from halocline.errors import InvalidInputError, UsageError
from halocline.rank_tools.of_job import with_tools
from halocline.submit.job import Job, JobFiles, Program, Shape, Surroundings, Timing
from halocline.submit.limits import check_limits
from halocline.submit.program import case_output, case_program, command_program
from halocline.submit.render import render
from halocline.submit.request import Layer, Request, file_layer, option_layer, parallel_layer
from halocline.submit.schedulers.registry import scheduler_of
from halocline.submit.schedulers.scheduler import Scheduler
from halocline.submit.shape import choose_shape
from halocline.submit.site_files import SiteFile, find_site
from halocline.submit.words import plain_name
from halocline.units import duration_s, memory_mib

DEFAULT_NOTICE_S = 120


@dataclass(frozen=True)
class Subject:
    """What is to be submitted: a case, or a command to be run in a folder."""

    folder: Path
    case: Case | None = None
    case_file: Path | None = None
    settings: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    #: `--tool` as given: programs for chosen ranks.
    tools: tuple[str, ...] = ()

    def program(self, shape: Shape) -> Program:
        """Return the program of the job."""
        if self.case is not None and self.case_file is not None:
            return case_program(self.case, self.case_file, self.settings, shape)
        return command_program(self.command, self.folder)

    def name(self) -> str:
        """Return the name of a job that is not given one."""
        return self.case_file.stem if self.case_file else Path(self.command[0]).name

    def job_folder(self) -> Path:
        """Return where the files of the job go."""
        if self.case is not None and self.case_file is not None:
            return case_output(self.case, self.case_file)
        return self.folder


@dataclass(frozen=True)
class Plan:
    """A job with its script; nothing has been written yet."""

    subject: Subject
    job: Job
    scheduler: Scheduler
    site: SiteFile
    script: str

    def doubts(self) -> list[str]:
        """Return sentences on what may not go as one thinks."""
        program = self.job.program
        name = Path(program.words[0]).name
        sentences = []
        if self.subject.case is not None and name == program.words[0] and not self.job.scripts:
            sentences.append(f"'{name}' was not found here; the job looks for it on its PATH.")
        return sentences


def plan_job(subject: Subject, options: SubmitSection, output: Path | None = None) -> Plan:
    """Decide everything about a job; look, but change nothing."""
    layers = [option_layer(options)]
    if subject.case is not None and subject.case.submit is not None:
        layers.append(file_layer(subject.case.submit, str(subject.case_file), "submit"))
    asked = Request(layers)
    site = _site(asked)
    request = _with_case_and_site(layers, subject, site)
    shape = choose_shape(request, site.site, hybrid=subject.case is not None)
    folder = (output or subject.job_folder()).absolute()
    job = with_tools(_job(request, subject, site, shape, folder), subject.tools)
    check_limits(job, request, site)
    scheduler = scheduler_of(site.site)
    return Plan(subject, job, scheduler, site, render(job, scheduler, site))


def _site(asked: Request) -> SiteFile:
    scheduler = asked.value("scheduler")
    site = find_site(asked.value("site"), scheduler)
    if scheduler is not None and site.site.scheduler != scheduler:
        raise UsageError(
            f"{asked.origin('scheduler')} is '{scheduler}', but {site.path} is a site of "
            f"'{site.site.scheduler}'. Leave one out."
        )
    return site


def _with_case_and_site(layers: Sequence[Layer], subject: Subject, site: SiteFile) -> Request:
    """Add what [parallel] says about ranks, and below all the site's defaults."""
    defaults = file_layer(site.site.defaults, str(site.path), "defaults")
    if subject.case is None:
        return Request([*layers, defaults])
    nodes = Request([*layers, defaults]).value("nodes") or 1
    has_ranks = Request(layers).given("ranks_per_node")
    parallel = subject.case.parallel
    if has_ranks:  # said twice: the case's own number of ranks no longer matters
        parallel = parallel.model_copy(update={"ranks": "auto"})
    return Request([*layers, parallel_layer(parallel, str(subject.case_file), nodes), defaults])


def _job(request: Request, subject: Subject, site: SiteFile, shape: Shape, folder: Path) -> Job:
    name = plain_name(request.value("name") or subject.name())
    program = subject.program(shape)
    memory = request.value("memory")
    return Job(
        name=name,
        site=site.site,
        program=program,
        shape=shape,
        timing=_timing(request, program),
        surroundings=_surroundings(request),
        files=JobFiles(folder, name),
        launcher=request.value("launcher") or "auto",
        launcher_args=request.joined("launcher_args"),
        memory_mib=memory_mib(memory) if memory else None,
        account=request.value("account"),
        queue=request.value("queue"),
        exclusive=bool(request.value("exclusive")),
        directives=request.joined("directives"),
    )


def _timing(request: Request, program: Program) -> Timing:
    """A signal is sent where someone asks for it, or where the program makes use of it."""
    limit, notice = (
        duration_s(text) if (text := request.value(key)) else None for key in ("time", "notice")
    )
    requeue, signal = request.value("requeue") or 0, request.value("signal") or "USR1"
    wanted = notice is not None or requeue > 0 or program.stops_on_signal
    if limit is None and notice is not None:
        raise InvalidInputError(
            f"{request.origin('notice')} is given, but no time limit. Add --time."
        )
    if limit is None or signal == "none" or not (wanted or request.given("signal")):
        return Timing(limit, None, "USR1", requeue)
    notice = notice or min(DEFAULT_NOTICE_S, limit // 2)
    if notice >= limit:
        raise InvalidInputError(
            f"{request.origin('notice')} is {notice} s, which is no less than the time limit of "
            f"{limit} s. Shorten it."
        )
    return Timing(limit, notice, signal, requeue)


def _surroundings(request: Request) -> Surroundings:
    return Surroundings(
        module_paths=request.joined("module_paths"),
        module_purge=bool(request.value("module_purge")),
        modules=request.joined("modules"),
        environment=request.environment(),
        before=request.joined("before"),
        after=request.joined("after"),
    )
