# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Renders job scripts: base → scheduler → site; whatever a template prints is quoted."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PackageLoader,
    StrictUndefined,
    TemplateError,
    TemplateSyntaxError,
)
from markupsafe import Markup

from halocline import __version__
from halocline.errors import InvalidInputError
from halocline.launch.mpi import THREAD_VARIABLES
from halocline.submit.job import Job
from halocline.submit.launch_line import launch_line, network_variables
from halocline.submit.schedulers.scheduler import Scheduler
from halocline.submit.site_files import SiteFile
from halocline.submit.words import shell_variable, shell_words

ARRAY_TEMPLATE = "array.sh.j2"


def render(job: Job, scheduler: Scheduler, site: SiteFile) -> str:
    """Return the script of a job."""
    name = site.site.template or scheduler.template
    try:
        template = _environment(site.path.parent).get_template(name)
        return template.render(_values(job, scheduler)).rstrip() + "\n"
    except TemplateError as error:
        raise _template_error(error, name, site) from None


def header_of(script: str, scheduler: Scheduler) -> tuple[str, ...]:
    """Return the directives of a script, those that a site's template adds included."""
    return tuple(line for line in script.splitlines() if line.startswith(f"{scheduler.mark} "))


def render_array(
    header: Sequence[str], scripts: Sequence[Path], scheduler: Scheduler, site: SiteFile
) -> str:
    """Return the script of an array whose tasks are jobs with scripts.

    Args:
        header: directives with their mark.
        scripts: in the order of tasks.
    """
    values = {
        "version": __version__,
        "site": site.site,
        "directives": [_code(line) for line in header],
        "scripts": scripts,
        "task": _code(f"${{{scheduler.task_variable}:?}}"),
    }
    template = _environment(site.path.parent).get_template(ARRAY_TEMPLATE)
    return template.render(values).rstrip() + "\n"


@functools.cache
def _environment(folder: Path) -> Environment:
    """Quote by default: a template has to say `| safe` to print shell code."""
    return Environment(
        loader=ChoiceLoader([PackageLoader("halocline.submit"), FileSystemLoader(folder)]),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=shell_words,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _values(job: Job, scheduler: Scheduler) -> dict[str, Any]:
    limit, notice = job.timing.limit_s, job.timing.notice_s
    values = (str(job.shape.threads), "close", "cores")
    directives = [*scheduler.directives(job), *job.directives]
    return {
        "version": __version__,
        "job": job,
        "site": job.site,
        "shape": job.shape,
        "surroundings": job.surroundings,
        "directives": [_code(f"{scheduler.mark} {words}") for words in directives],
        "before": _lines(job.surroundings.before),
        "after": _lines(job.surroundings.after),
        "threads": dict(zip(THREAD_VARIABLES, values, strict=True)),
        "environment": job.surroundings.environment,
        "network": network_variables(job) if job.launcher == "srun" else {},
        "launch": launch_line(job, scheduler),
        "job_id": shell_variable(scheduler.job_variable),
        "signal": job.timing.signal if notice else "USR1",
        "notice_after_s": limit - notice if limit and notice and not scheduler.sends_notice else 0,
        "limit_s": limit if limit and not scheduler.keeps_limit else 0,
    }


def _code(text: str) -> Markup:
    return Markup(text)  # noqa: S704 - directives are checked names and numbers on one line


def _lines(lines: tuple[str, ...]) -> Markup:
    """The user's own shell lines: code, by definition."""
    return Markup("\n".join(lines))  # noqa: S704


def _template_error(error: TemplateError, name: str, site: SiteFile) -> InvalidInputError:
    where = f" line {error.lineno}" if isinstance(error, TemplateSyntaxError) else ""
    return InvalidInputError(
        f"{site.path}: key 'template': {name}{where}: {error.message or type(error).__name__}. "
        "Correct the template; docs/submit.md lists blocks and values."
    )
