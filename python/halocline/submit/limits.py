# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a site allows: a request beyond it is refused with both sides named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from halocline.errors import InvalidInputError, suggestion
from halocline.submit.job import Job
from halocline.submit.request import Request
from halocline.submit.site import LimitsSection
from halocline.submit.site_files import SiteFile
from halocline.units import clock_text, duration_s, memory_mib
from halocline.wording import counted


@dataclass(frozen=True)
class Bound:
    """One upper bound of the site file beside what is asked for."""

    key: str
    asked_by: str
    wanted: int | None
    allowed: int | None
    noun: str

    def broken(self) -> bool:
        """Whether more is asked for than allowed."""
        if self.wanted is None or self.allowed is None:
            return False
        return self.wanted > self.allowed

    def words(self, amount: int | None) -> str:
        """Return the amount as people write it."""
        return clock_text(amount or 0) if self.noun == "" else counted(amount or 0, self.noun)


def check_limits(job: Job, request: Request, site: SiteFile) -> None:
    """Refuse a job that the site file does not allow."""
    _check_queue(job, request, site)
    for table, limits in _tables(job, site):
        place = f"{site.path}: key '{table}"
        _check_required(request, limits, place)
        _check_account(job, request, limits, place)
        _check_bounds(_bounds(job, limits), request, place)
        if limits.min_nodes is not None and job.shape.nodes < limits.min_nodes:
            raise InvalidInputError(
                f"{place}.min_nodes' is {limits.min_nodes}, but {request.origin('nodes')} gives "
                f"{job.shape.nodes}. Ask for more nodes or another queue."
            )
    _check_bounds(_machine_bounds(job, site), request, f"{site.path}: key 'machine")


def _tables(job: Job, site: SiteFile) -> Iterator[tuple[str, LimitsSection]]:
    yield "limits", site.site.limits
    if job.queue is not None and job.queue in site.site.queues:
        yield f"queues.{job.queue}", site.site.queues[job.queue]


def _bounds(job: Job, limits: LimitsSection) -> Iterator[Bound]:
    shape, longest = job.shape, limits.time and duration_s(limits.time)
    yield Bound("nodes", "nodes", shape.nodes, limits.nodes, "node")
    yield Bound("ranks", "ranks_per_node", shape.ranks, limits.ranks, "rank")
    gpus = limits.gpus_per_node
    yield Bound("gpus_per_node", "gpus_per_node", shape.gpus_per_node, gpus, "GPU")
    yield Bound("time", "time", job.timing.limit_s, longest or None, "")
    yield Bound("requeue", "requeue", job.timing.requeue, limits.requeue, "requeue")


def _machine_bounds(job: Job, site: SiteFile) -> Iterator[Bound]:
    machine, shape = site.site.machine, job.shape
    asked_by = "threads" if shape.threads > 1 else "ranks_per_node"
    yield Bound("cores_per_node", asked_by, shape.cores_per_node, machine.cores_per_node, "core")
    gpus = machine.gpus_per_node
    yield Bound("gpus_per_node", "gpus_per_node", shape.gpus_per_node, gpus, "GPU")
    memory = machine.memory and memory_mib(machine.memory)
    yield Bound("memory", "memory", job.memory_mib, memory or None, "mebibyte")


def _check_bounds(bounds: Iterator[Bound], request: Request, place: str) -> None:
    for bound in bounds:
        if bound.broken():
            raise InvalidInputError(
                f"{place}.{bound.key}' allows {bound.words(bound.allowed)}, but "
                f"{request.origin(bound.asked_by)} makes it {bound.words(bound.wanted)}. "
                "Ask for less or choose another queue or site."
            )


def _check_queue(job: Job, request: Request, site: SiteFile) -> None:
    queues = site.site.queues
    if job.queue is not None and queues and job.queue not in queues:
        raise InvalidInputError(
            f"{request.origin('queue')} is '{job.queue}', which is not a queue of {site.path}. "
            f"{suggestion(job.queue, queues)}"
        )


def _check_required(request: Request, limits: LimitsSection, place: str) -> None:
    for key in limits.required:
        if not request.given(key):
            raise InvalidInputError(
                f"{place}.required' asks for '{key}', which is not given. "
                f"Add --{key.replace('_', '-')} or submit.{key} to the case."
            )


def _check_account(job: Job, request: Request, limits: LimitsSection, place: str) -> None:
    if limits.accounts and job.account not in limits.accounts:
        hint = suggestion(job.account or "", limits.accounts)
        given = f"{request.origin('account')} is '{job.account}'"
        raise InvalidInputError(
            f"{place}.accounts' does not hold the account ({given}). {hint}"
            if job.account
            else f"{place}.accounts' restricts accounts, and none is given. {hint}"
        )
