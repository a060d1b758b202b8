# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The file `forecast.json`: what was measured, predicted, and how wrong the model was."""

from __future__ import annotations

from typing import Annotated, Literal

from halocline.documents.part import Bounds, DocumentPart, key
from halocline.documents.store import DocumentKind

Count = Annotated[int, Bounds(ge=0, le=2**62)]
Seconds = Annotated[float, Bounds(ge=0.0, le=1e12)]
Number = Annotated[float, Bounds(ge=-1e18, le=1e18)]


class LinkPart(DocumentPart):
    """A link: a message of b bytes takes latency_s + b ÷ bytes_per_s."""

    latency_s: Seconds
    bytes_per_s: Number
    origin: str


class MachinePart(DocumentPart):
    """Where the predicted runs would be."""

    network: LinkPart = key(description="between hosts; bandwidth of a host's card")
    inside: LinkPart = key(description="between ranks of one host")
    ranks_per_host: Count
    cores_per_host: Count
    threads: Count
    device: LinkPart | None = key(None, description="between GPU and host; null: not on the way")


class MeasuredPoint(DocumentPart):
    """A run that was measured."""

    ranks: Count
    cycle_s: Seconds
    crowding: Number = key(description="threads that shared a core; 1: none did")
    peak_bytes: Count = key(description="resident memory of the largest rank")
    source: str


class CheckPart(DocumentPart):
    """A measured point that was left out and predicted."""

    ranks: Count
    known: list[Count] = key(description="numbers of ranks whose times were used")
    measured_s: Seconds
    predicted_s: Seconds
    error: Number = key(description="(predicted − measured) ÷ measured")
    crowding: Number


class Row(DocumentPart):
    """A predicted number of ranks."""

    ranks: Count
    cycle_s: Seconds
    efficiency: Number = key(description="T(base) P(base) ÷ (T P)")
    components: dict[str, Number] = key(description="seconds of a cycle; they add up to cycle_s")
    levels_s: list[Number] = key(description="seconds of a cycle by level, finest first")
    memory_bytes: Number = key(description="of the largest rank")
    setup_s: Seconds = key(description="at least: dividing the mesh is taken to scale")
    imbalance: Number = key(description="largest part ÷ mean, finest level")
    neighbours_mean: Number
    neighbours_max: Count
    halo_share: Number = key(description="halo nodes ÷ nodes, finest level")


class Way(DocumentPart):
    """A partitioner."""

    partitioner: str
    method: str
    rows: list[Row]
    stops: str = key(description="where it stops scaling, and why")


class Forecast(DocumentPart):
    """A forecast."""

    schema_name: Literal["halocline.forecast"] = key(name="schema")
    schema_version: Literal[1]
    code_version: str
    case: str
    mesh: str
    nodes: Count = key(description="finest level")
    levels: Count
    base_ranks: Count = key(description="efficiency 1")
    on_devices: bool
    machine: MachinePart
    busy_cores: Count = key(description="most cores that computed at once in a measured run")
    sums: Number = key(description="reductions over all ranks in a cycle")
    measured: list[MeasuredPoint]
    checks: list[CheckPart]
    ways: list[Way]
    doubts: list[str] = key(description="what makes this forecast worth less")


FORECAST = DocumentKind(Forecast, "halocline.forecast", 1, "forecast")
