# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs all probes, in the order in which a person wants to read them."""

from __future__ import annotations

from collections.abc import Callable

from halocline.doctor.accelerators import gpu_facts
from halocline.doctor.fact import Fact
from halocline.doctor.libraries import library_facts, python_facts
from halocline.doctor.machine import machine_facts
from halocline.doctor.message_passing import mpi_facts
from halocline.doctor.site import program_facts, scheduler_facts

PROBES: dict[str, Callable[[], list[Fact]]] = {
    "machine": machine_facts,
    "MPI": mpi_facts,
    "GPU": gpu_facts,
    "libraries": library_facts,
    "Python": python_facts,
    "scheduler": scheduler_facts,
    "programs": program_facts,
}


def examine() -> dict[str, list[Fact]]:
    """Return subject → facts."""
    return {subject: probe() for subject, probe in PROBES.items()}
