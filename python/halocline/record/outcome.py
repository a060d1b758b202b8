# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the record says of loops, times, memory, results and how the run ended."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from halocline.documents.store import DocumentPart
from halocline.record.distribution import HaloCounts, Spread
from halocline.record.numbers import Count, Rate, Seconds


class Loop(DocumentPart):
    """One named loop on one level, all calls and all ranks together."""

    name: str = Field(description="name given to `par_loop`")
    level: Count | None = Field(None, description="multigrid level; null where it has none")
    set: str = Field(description="iteration set: nodes, edges, boundary, …")
    calls: Count = Field(description="calls of one rank")
    seconds: Seconds = Field(description="mean over ranks, waiting for halos included")
    seconds_max: Seconds | None = Field(None, description="slowest rank")
    elements: Count = Field(description="calls × set size; redundant work not counted")
    ns_per_element: Rate | None = Field(None, description="1e9 × seconds ÷ elements")
    bytes: Count = Field(description="traffic by count: every operand moved once per call")
    gb_per_s: Rate | None = Field(None, description="bytes ÷ seconds ÷ 1e9, all ranks together")
    percent_of_triad: Rate | None = Field(None, description="100 × gb_per_s ÷ triad_gb_per_s")
    halo: HaloCounts | None = Field(None, description="exchanges it began; null: none")
    ran_on: Literal["host", "device", "both"] = Field(
        "host", description="where its kernel ran; both: by rank"
    )
    timed_calls: Count | None = Field(
        None, description="device: calls timed, which `seconds` is scaled from; null: host, all"
    )
    strategy: Literal["gather", "atomics", "direct"] | None = Field(
        None, description="device: how it ran; direct: own elements only; null: host, globals"
    )
    strategy_s: dict[str, Seconds] = Field(
        default_factory=dict,
        description="strategy → seconds of a call on the slowest rank; empty: nothing was measured",
    )


class Setup(DocumentPart):
    """Set-up times of the slowest rank."""

    read_s: Seconds = Field(description="reading and checking the mesh files")
    partition_s: Seconds = Field(description="partitioning and migration")
    renumber_s: Seconds = Field(description="reordering nodes and edges")
    halo_s: Seconds = Field(description="building ownership and halo lists")
    plan_s: Seconds = Field(description="loop plans, rows, packs")
    total_s: Seconds = Field(description="start of the program to the first cycle")


class Io(DocumentPart):
    """Result output; times are those of the slowest rank."""

    blocked_s: Seconds = Field(description="time the solver waited for output")
    hidden_s: Seconds = Field(description="output time behind computation")
    bytes: Count = Field(description="bytes written, all ranks together")
    files: list[str] = Field(default_factory=list, description="result files under final names")


class Memory(DocumentPart):
    """Peak memory of the processes."""

    peak_rss_bytes: Spread = Field(description="peak resident set of a rank")
    fixed_bytes: Spread | None = Field(
        None, description="resident before the mesh was read: libraries and MPI"
    )
    mesh_file_bytes: Count | None = Field(None, description="size of all level files")
    peak_over_share: float | None = Field(
        None, description="(largest peak − least fixed_bytes) × ranks ÷ mesh_file_bytes"
    )
    distribute_over_share: float | None = Field(
        None, description="the same for the peak until the mesh was distributed"
    )


class Norms(DocumentPart):
    """Norms of one result array; order of components as in the file."""

    level: Count = Field(description="0 is the finest")
    dataset: str = Field(description="variables, step_factors, …")
    l2: list[float | None] = Field(description="sqrt(Σ q² ÷ N) per component")
    min: list[float | None] = Field(description="smallest value per component")
    max: list[float | None] = Field(description="largest value per component")


class Validation(DocumentPart):
    """Answer of `--validate-result`."""

    passed: bool = Field(description="within the accepted number of bad values on every level")
    reference: str = Field(description="file or folder compared with")
    bad_values: list[Count] = Field(description="values off by more than the tolerance, per level")


class MemoryBound(DocumentPart):
    """Answer of `--measure-mem-bound`."""

    seconds: Seconds = Field(description="streaming kernel with the edge flux's traffic, mean")
    share_of_flux: Rate = Field(description="its time ÷ time of the edge flux")


class Results(DocumentPart):
    """What came out."""

    cycles: Count = Field(description="cycles completed")
    total_runtime_s: Seconds = Field(description="as `Max total runtime` prints it")
    compute_s: Seconds = Field(description="the cycles alone, slowest rank")
    rms: list[float | None] = Field(
        description="sqrt(Σ R² ÷ N) on level 0 per cycle; null where not finite"
    )
    norms: list[Norms] = Field(default_factory=list, description="one entry per level and array")
    validation: Validation | None = Field(None, description="null: not asked for")
    memory_bound: MemoryBound | None = Field(None, description="null: not asked for")


class Failure(DocumentPart):
    """Where a run went wrong, as far as it is known."""

    cycle: Count | None = Field(None, description="cycle, counted from 1")
    level: Count | None = Field(None, description="multigrid level")
    loop: str | None = Field(None, description="loop name")
    node: Count | None = Field(None, description="node in file order, counted from 0")
    coordinates: list[float] | None = Field(None, description="x, y, z of that node")


class Status(DocumentPart):
    """How the run ended."""

    state: Literal["ok", "diverged", "stopped", "failed"] = Field(
        description="stopped: early, with a checkpoint"
    )
    exit_code: Count = Field(description="exit code of the program")
    message: str | None = Field(None, description="the sentence the user saw")
    failure: Failure | None = Field(None, description="place of a divergence")
