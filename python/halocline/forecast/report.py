# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The file `forecast.json`: what was measured, predicted, and how wrong the model was."""

from __future__ import annotations

from typing import Annotated, Literal

from halocline.documents.part import Bounds, DocumentPart, key
from halocline.documents.store import DocumentKind

Count = Annotated[int, Bounds(ge=0, le=2**62)]
Seconds = Annotated[float, Bounds(ge=0.0, le=1e12)]
Positive = Annotated[float, Bounds(ge=1e-15, le=1e12)]
Share = Annotated[float, Bounds(ge=0.0, le=1e12)]
Number = Annotated[float, Bounds(ge=-1e18, le=1e18)]


class LinkPart(DocumentPart):
    """A link: a message of b bytes takes latency_s + b ÷ bytes_per_s."""

    latency_s: Seconds
    bytes_per_s: Share
    origin: str


class MachinePart(DocumentPart):
    """Where the predicted runs would be."""

    network: LinkPart = key(description="between hosts; bandwidth of a host's card")
    inside: LinkPart = key(description="between ranks of one host")
    ranks_per_host: Count
    cores_per_host: Count
    threads: Count
    device: LinkPart | None = key(None, description="between GPU and host; null: not on the way")


class BusyCoresPart(DocumentPart):
    """One number of cores of a host that are busy at once."""

    cores: Count
    computing: Share = key(description="rate of a core ÷ of that of the first point")
    memory_bytes_per_s: Share = key(description="of a core, from main memory")
    share_bytes: Share = key(description="what a rank works on where the case has so many ranks")
    share_bytes_per_s: Share = key(description="of a core that works on that much")
    slower: Share = key(description="a mean loop's seconds ÷ those on the first point's cores")


class BusyHostPart(DocumentPart):
    """What busy cores of a host do to each other, measured without the case."""

    origin: str = key(description="result of halocline cores")
    cpu: str
    memory_share: Share = key(
        description="of loops' time, that bytes need on busy_cores, mean over loops"
    )
    working_bytes: Share = key(description="maps, plans and values of all ranks together")
    points: list[BusyCoresPart] = key(min_length=1)


class MeasuredPoint(DocumentPart):
    """A run that was measured."""

    ranks: Count
    cycle_s: Positive
    crowding: Share = key(description="threads that shared a core; 1: none did")
    model_s: Positive = key(description="what the model says of it, knowing all measured points")
    peak_bytes: Count = key(description="resident memory of the largest rank")
    source: str


class CheckPart(DocumentPart):
    """A measured point that was left out and predicted."""

    ranks: Count
    known: list[Count] = key(min_length=1, description="ranks of the runs whose times were used")
    measured_s: Positive
    predicted_s: Positive
    error: Number = key(description="(predicted − measured) ÷ measured")
    crowding: Share


class Components(DocumentPart):
    """What a cycle consists of, in seconds; they add up to it."""

    work: Number = key(description="computing, which all ranks share")
    calls: Number = key(description="the fixed cost of calls of loops")
    cut: Number = key(description="elements at cuts, which two ranks compute")
    imbalance: Number = key(description="the slowest part of each call against the mean one")
    sharing: Number = key(description="cores of a host that share its memory, or each other")
    packing: Number = key(description="packing and storing halos")
    latency: Number = key(description="latency of messages, as far as it is waited for")
    late: Number = key(0.0, description="what messages wait for beyond their links")
    bandwidth: Number = key(description="bandwidth of the network, likewise")
    sums: Number = key(description="calls in which all ranks take part")
    rest: Number = key(description="what a cycle does outside loops")


class Row(DocumentPart):
    """A predicted number of ranks."""

    ranks: Count
    cycle_s: Positive
    efficiency: Share = key(description="T(base) P(base) ÷ (T P)")
    components: Components
    levels_s: list[Number] = key(
        min_length=1, description="seconds of a cycle by level, finest first"
    )
    memory_bytes: Share = key(description="of the largest rank")
    setup_s: Seconds = key(description="at least: dividing the mesh is taken to scale")
    imbalance: Share = key(description="largest part ÷ mean, finest level")
    neighbours_mean: Share
    neighbours_max: Count
    halo_share: Share = key(description="halo nodes ÷ nodes, finest level")


class Way(DocumentPart):
    """A partitioner."""

    partitioner: str
    method: str
    rows: list[Row] = key(min_length=1)
    stops: str = key(description="where it stops scaling, and why")

    @property
    def name(self) -> str:
        """Partitioner and method as people read them."""
        return f"{self.partitioner} {self.method}".removesuffix(" none")


class Forecast(DocumentPart):
    """A forecast."""

    schema_name: Literal["halocline.forecast"] = key(name="schema")
    schema_version: Literal[1]
    code_version: str
    case: str
    mesh: str
    nodes: Count = key(description="finest level")
    levels: Annotated[int, Bounds(ge=1, le=64)]
    base_ranks: Count = key(description="efficiency 1")
    on_devices: bool
    machine: MachinePart
    busy_cores: Count = key(description="most cores that computed at once in a measured run")
    busy_host: BusyHostPart | None = key(
        None, description="what more busy cores do to each other; null: not measured"
    )
    reductions: Share = key(description="over all ranks in a cycle, of one number")
    exact_sums: Share = key(description="over all ranks in a cycle, each of 48 bytes")
    iterations: Share | None = key(
        None, description="of linear solvers in a cycle; null: it has none"
    )
    whole_from: Count | None = key(
        None, description="the first level that every rank has whole; null: none"
    )
    measured: list[MeasuredPoint] = key(min_length=1)
    checks: list[CheckPart]
    ways: list[Way] = key(min_length=1)
    doubts: list[str] = key(description="what makes this forecast worth less")


FORECAST = DocumentKind(Forecast, "halocline.forecast", 1, "forecast")
