# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Schedulers by name."""

from __future__ import annotations

from halocline.submit.schedulers.donau import Donau
from halocline.submit.schedulers.local import Local
from halocline.submit.schedulers.lsf import Lsf
from halocline.submit.schedulers.pbs import Pbs
from halocline.submit.schedulers.scheduler import Scheduler
from halocline.submit.schedulers.slurm import Slurm
from halocline.submit.site import Site

SCHEDULERS: dict[str, type[Scheduler]] = {
    scheduler.name: scheduler for scheduler in (Slurm, Donau, Pbs, Lsf, Local)
}


def scheduler_of(site: Site) -> Scheduler:
    """Return the scheduler of a site."""
    return SCHEDULERS[site.scheduler](site)
