# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the page needs of results of halocline halo; docs/formats/halo-result.md has all keys."""

from __future__ import annotations

from typing import Annotated, Literal

from halocline.documents.part import Bounds, key
from halocline.p2p.model import Code, Count, Part, Positive, Rate, Seconds

Fields = Annotated[int, Bounds(ge=1, le=64)]
Domains = Annotated[int, Bounds(ge=2, le=2**20)]
Scheme = Literal["whole", "neighbour", "packed", "direct", "peer", "host"]


class HaloDevice(Part):
    """What the fields lay on."""

    kind: Literal["none", "emulated", "cuda"]
    name: str
    note: str
    details: str = ""
    gpus: Count = 0
    takes_turns: bool = False
    link_latency_s: Seconds | None = None
    link_bytes_per_s: Rate | None = None


class Refusal(Part):
    """A scheme that could not be."""

    scheme: str
    reason: str


class Row(Part):
    """One scheme with one number of fields; counts of the rank that has most."""

    scheme: Scheme
    fields: Fields
    link_copies: Count
    link_bytes: Count
    messages: Count
    message_bytes: Count
    checked_values: Count
    min_s: Positive
    lower_s: Positive
    median_s: Positive
    upper_s: Positive
    max_s: Positive


class Mesh(Part):
    """One mesh; sizes of one field of the rank that has most."""

    vertices: Count
    whole_bytes: Count
    halo_bytes: Count
    sent_bytes: Count
    sent_to: Count
    directions: Count
    all_are_neighbours: bool
    rows: list[Row] = key(min_length=1)


class Run(Part):
    """The experiment at one number of domains."""

    started: str
    command: list[str]
    host: str
    mpi: str
    domains: Domains
    device: HaloDevice
    partitioner: str
    repetitions: Count
    refused: list[Refusal]
    meshes: list[Mesh] = key(min_length=1)


class Share(Part):
    """What halos took of the run of a solver, from its record."""

    file: str
    program: str
    mesh: str = ""
    scheme: str
    ranks: Count
    exchanges: Count
    exchange_s: Seconds
    exposed_s: Seconds
    kernels_s: Seconds | None
    run_s: Positive


class HaloResult(Part):
    """All runs of the experiment."""

    format: Literal["halocline-halo-result"]
    version: Literal[1]
    code: Code
    runs: list[Run] = key(min_length=1)
    records: list[Share]
