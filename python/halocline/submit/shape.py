# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Decides hosts × ranks × threads × GPUs from what is asked for and what a host has."""

from __future__ import annotations

from halocline.errors import InvalidInputError
from halocline.launch.cores import usable_cores
from halocline.launch.layout import auto_ranks
from halocline.submit.job import Shape
from halocline.submit.request import Request
from halocline.submit.site import Site


def choose_shape(request: Request, site: Site, hybrid: bool) -> Shape:
    """Return the shape of a job.

    Args:
        request: what is asked for.
        site: what one host has.
        hybrid: the program has threads, so that cores left over by ranks go to them.
    """
    nodes, gpus = request.value("nodes") or 1, request.value("gpus_per_node") or 0
    if site.scheduler == "local" and nodes > 1:
        raise InvalidInputError(
            f"{request.origin('nodes')} is {nodes}, but scheduler 'local' has this host only. "
            "Ask for one node or name a batch scheduler."
        )
    cores = usable_cores().cores if site.scheduler == "local" else site.machine.cores_per_node
    threads = request.value("threads") or (None if hybrid else 1)
    ranks = request.value("ranks_per_node") or gpus or _automatic_ranks(cores, threads, site)
    if threads is None:
        threads = max(1, cores // ranks) if cores else 1
    return Shape(nodes, ranks, threads, gpus)


def _automatic_ranks(cores: int | None, threads: int | None, site: Site) -> int:
    """Use all cores of a host; about eight threads a rank where threads are free to choose."""
    if cores is None:
        raise InvalidInputError(
            f"site '{site.name}' does not say how many cores a host has, and ranks_per_node is not "
            "given. Add --ranks-per-node, or machine.cores_per_node to the site file."
        )
    if threads is not None:
        return max(1, cores // threads)
    return auto_ranks(cores, site.machine.numa_per_node)
