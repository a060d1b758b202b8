# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The typed run record: what every run writes to record.json, version 1."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from halocline.documents.store import DocumentPart
from halocline.record.distribution import Halo, Mesh, Partition
from halocline.record.machine import Code, Device, DeviceUse, Host, Layout, Mpi, Rank
from halocline.record.numbers import Positive, Rate
from halocline.record.outcome import Io, Loop, Memory, Results, Setup, Status

SCHEMA_NAME = "halocline.record"
SCHEMA_VERSION = 1


class Case(DocumentPart):
    """The case file behind the run."""

    file: str = Field(description="path of the case file as given")
    hash: str | None = Field(
        None, description="sha256 of the resolved case, `sha256:<hex>`, added by `halocline run`"
    )


class Settings(DocumentPart):
    """Choices that change speed or bits."""

    renumber: str = Field(description="order of nodes: `none`, `hilbert`, `rcm_chunks`, …")
    reproducible: bool = Field(description="bits do not depend on the layout")
    simd_width: Positive = Field(description="doubles in one pack; 1 is scalar")
    legacy_mode: bool = Field(False, description="MG-CFD's `--legacy-mode` data sets were read")
    strategies: dict[str, str] = Field(
        default_factory=dict, description="loop name → executor strategy, e.g. gather"
    )


class Record(DocumentPart):
    """One run of a native program."""

    schema_name: Literal["halocline.record"] = Field(
        alias="schema", description="always `halocline.record`"
    )
    schema_version: Literal[1] = Field(description="1; raised when a key changes its meaning")
    program: str = Field(description="mgcfd, halocline-solve, …")
    started: str = Field(description="UTC, ISO 8601, e.g. 2026-11-20T10:15:00Z")
    code: Code
    command: list[str] = Field(min_length=1, description="argument vector of the program")
    working_directory: str = Field(description="where it was started")
    case: Case | None = Field(None, description="null: started without a case file")
    hosts: list[Host] = Field(min_length=1)
    devices: list[Device] = Field(default_factory=list)
    device_use: DeviceUse | None = Field(None, description="null: no device took part")
    ranks: list[Rank] = Field(default_factory=list, description="empty: no device took part")
    mpi: Mpi
    layout: Layout
    backend: str = Field(
        description="backend that ran: serial, openmp, check, cuda, emulated; mixed: see ranks"
    )
    settings: Settings
    mesh: Mesh
    partition: Partition | None = None
    halo: Halo
    loops: list[Loop]
    triad_gb_per_s: Rate | None = Field(
        None, description="measured triad of all cores of the job; null: not measured"
    )
    setup: Setup
    io: Io
    memory: Memory
    results: Results
    status: Status
