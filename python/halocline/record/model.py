# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The typed run record: what every run writes to record.json, version 1."""

from __future__ import annotations

from typing import Literal

from halocline.documents.part import DocumentPart, key
from halocline.record.distribution import Halo, Mesh, Partition
from halocline.record.machine import Code, Device, DeviceUse, Host, Layout, Mpi, Rank
from halocline.record.numbers import Positive, Rate
from halocline.record.outcome import Io, LinearSolver, Loop, Memory, Results, Setup, Status

SCHEMA_NAME = "halocline.record"
SCHEMA_VERSION = 1


class Case(DocumentPart):
    """The case file behind the run."""

    file: str = key(description="path of the case file as given")
    hash: str | None = key(
        None, description="sha256 of the resolved case, `sha256:<hex>`, added by `halocline run`"
    )


class Settings(DocumentPart):
    """Choices that change speed or bits."""

    solver: str = key("mgcfd", description="as cases name it")
    renumber: str = key(
        description="order of nodes: `none`, `hilbert`, `hilbert_tiles`, `bisection`, …"
    )
    simd_width: Positive = key(description="doubles in one pack; 1 is scalar")
    legacy_mode: bool = key(False, description="MG-CFD's `--legacy-mode` data sets were read")
    strategies: dict[str, str] = key(
        default_factory=dict, description="loop name → executor strategy, e.g. gather"
    )


class Record(DocumentPart):
    """One run of a native program."""

    schema_name: Literal["halocline.record"] = key(
        name="schema", description="always `halocline.record`"
    )
    schema_version: Literal[1] = key(description="1; raised when a key changes its meaning")
    program: str = key(description="mgcfd, halocline-solve, …")
    started: str = key(description="UTC, ISO 8601, e.g. 2026-11-20T10:15:00Z")
    code: Code
    command: list[str] = key(min_length=1, description="argument vector of the program")
    working_directory: str = key(description="where it was started")
    case: Case | None = key(None, description="null: started without a case file")
    hosts: list[Host] = key(min_length=1)
    devices: list[Device] = key(default_factory=list)
    device_use: DeviceUse | None = key(None, description="null: no device took part")
    ranks: list[Rank] = key(default_factory=list, description="empty: no device took part")
    mpi: Mpi
    layout: Layout
    backend: str = key(
        description="backend that ran: serial, openmp, check, cuda, emulated; mixed: see ranks"
    )
    settings: Settings
    mesh: Mesh
    partition: Partition | None = None
    halo: Halo
    loops: list[Loop]
    linear_solvers: list[LinearSolver] = key(
        default_factory=list, description="empty: nothing was solved by iteration"
    )
    triad_gb_per_s: Rate | None = key(
        None, description="measured triad of all cores of the job; null: not measured"
    )
    setup: Setup
    io: Io
    memory: Memory
    results: Results
    status: Status
