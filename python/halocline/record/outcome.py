# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the record says of loops, times, memory, results and how the run ended."""

from __future__ import annotations

from typing import Literal

from halocline.documents.part import DocumentPart, key
from halocline.record.distribution import HaloCounts, Spread
from halocline.record.numbers import Count, Rate, Seconds


class Loop(DocumentPart):
    """One named loop on one level, all calls and all ranks together."""

    name: str = key(description="name given to `par_loop`")
    level: Count | None = key(None, description="multigrid level; null where it has none")
    set: str = key(description="iteration set: nodes, edges, boundary, …")
    calls: Count = key(description="calls of one rank")
    seconds: Seconds = key(description="mean over ranks, waiting for halos included")
    seconds_max: Seconds | None = key(None, description="slowest rank")
    elements: Count = key(description="calls × set size; redundant work not counted")
    ns_per_element: Rate | None = key(None, description="1e9 × seconds ÷ elements")
    bytes: Count = key(description="traffic by count: every operand moved once per call")
    gb_per_s: Rate | None = key(None, description="bytes ÷ seconds ÷ 1e9, all ranks together")
    percent_of_triad: Rate | None = key(None, description="100 × gb_per_s ÷ triad_gb_per_s")
    halo: HaloCounts | None = key(None, description="exchanges it began; null: none")
    ran_on: Literal["host", "device", "both"] = key(
        "host", description="where its kernel ran; both: by rank"
    )
    timed_calls: Count | None = key(
        None, description="device: calls timed, which `seconds` is scaled from; null: host, all"
    )
    strategy: (
        Literal["direct", "two-ended", "gather", "scatter", "once", "fused", "loop by loop"] | None
    ) = key(None, description="how its last call ran; null: element by element")


class LinearLevel(DocumentPart):
    """One level of a multigrid preconditioner."""

    nodes: Count = key(description="unknowns")
    edges: Count = key(description="couplings")


class LinearSolver(DocumentPart):
    """Equations that the run solved again and again."""

    name: str = key(description="what is solved for, e.g. pressure")
    method: str = key(description="conjugate gradients: flexible, plain, single_reduction")
    preconditioner: str = key(description="multigrid, chebyshev, jacobi, none")
    levels: list[LinearLevel] = key(description="finest first")
    operator_complexity: Rate = key(
        description="entries of all levels' matrices ÷ those of the finest"
    )
    solves: Count = key(description="how often")
    iterations: Count = key(description="of all solves")
    mean_iterations: Rate = key(description="of a solve")
    most_iterations: Count = key(description="of one solve")
    last_rate: Rate | None = key(
        description="factor of the residual an iteration, in the last solve; null: not finite"
    )
    setup_s: Seconds = key(description="making the levels, slowest rank")
    solve_s: Seconds = key(description="all solves, slowest rank")
    launches_per_iteration: Count = key(0, description="that a device gets as one graph; 0: none")


class Setup(DocumentPart):
    """Set-up times of the slowest rank."""

    read_s: Seconds = key(description="reading and checking the mesh files")
    partition_s: Seconds = key(description="partitioning and migration")
    renumber_s: Seconds = key(description="reordering nodes and edges")
    halo_s: Seconds = key(description="building ownership and halo lists")
    plan_s: Seconds = key(description="loop plans, rows, packs")
    total_s: Seconds = key(description="start of the program to the first cycle")


class Io(DocumentPart):
    """Result output; times are those of the slowest rank."""

    mode: Literal["async", "sync"] | None = key(
        None,
        newer=True,
        description="how output within the time loop is written: beside the loops, or at once",
    )
    sync_because: str | None = key(
        None, description="why it is not async although that was asked for"
    )
    writes: Count | None = key(None, newer=True, description="files, steps of series, checkpoints")
    bytes: Count = key(description="bytes of values written, all ranks together")
    copied_s: Seconds | None = key(None, newer=True, description="setting values aside")
    blocked_s: Seconds = key(description="time the loop waited for output")
    drained_s: Seconds | None = key(
        None, newer=True, description="time of the last writes, behind the loop"
    )
    written_s: Seconds | None = key(
        None, newer=True, description="exchanging rows and writing, wherever that happened"
    )
    hidden_s: Seconds = key(description="part of written_s behind computation")
    deepest_queue: Count | None = key(
        None, newer=True, description="most moments that waited or were being written"
    )
    slowest_rank: Count | None = key(None, newer=True, description="the rank that wrote longest")
    staging_bytes: Count | None = key(
        None, newer=True, description="memory of all ranks for such moments"
    )
    files: list[str] = key(default_factory=list, description="result files under final names")
    checkpoint: str | None = key(None, description="the newest checkpoint; null: none")
    restarted_from: str | None = key(
        None, description="the checkpoint that the run went on from; null: the beginning"
    )
    restarted_after: Count | None = key(
        None, newer=True, description="steps that were done by then"
    )


class MemoryParts(DocumentPart):
    """What was resident after the last step, summed over ranks."""

    program_bytes: Count = key(description="before the mesh was read: libraries and MPI")
    map_bytes: Count = key(description="maps of the mesh")
    id_bytes: Count = key(description="global ids and lists of what halos hold")
    plan_bytes: Count = key(description="orders in which loops walk maps")
    copy_bytes: Count = key(description="dats once more, in the order of a plan")
    dat_bytes: Count = key(
        description="dats, those of coarse levels and scratch memory of loops included"
    )
    rest_bytes: Count = key(description="all else: buffers of libraries, memory kept for later")


class Memory(DocumentPart):
    """Peak memory of the processes."""

    peak_rss_bytes: Spread = key(description="peak resident set of a rank")
    fixed_bytes: Spread | None = key(
        None, description="resident before the mesh was read: libraries and MPI"
    )
    mesh_file_bytes: Count | None = key(None, description="size of all level files")
    peak_over_share: float | None = key(
        None, description="(largest peak − least fixed_bytes) × ranks ÷ mesh_file_bytes"
    )
    distribute_over_share: float | None = key(
        None, description="the same for the peak until the mesh was distributed"
    )
    parts: MemoryParts | None = key(None, description="what it consists of after the last step")


class Norms(DocumentPart):
    """Norms of one result array; order of components as in the file."""

    level: Count = key(description="0 is the finest")
    dataset: str = key(description="variables, step_factors, …")
    l2: list[float | None] = key(description="sqrt(Σ q² ÷ N) per component")
    min: list[float | None] = key(description="smallest value per component")
    max: list[float | None] = key(description="largest value per component")


class ValueDifference(DocumentPart):
    """A result (a) beside its reference (b), as `halocline compare` measures them.

    null stands for what is not finite.
    """

    level: Count = key(description="0 is the finest")
    values: Count = key(description="compared")
    differing: Count = key(description="those that are not equal")
    over: Count = key(description="those beyond the limits of `-v`")
    max_abs: Rate | None = key(description="largest |a − b|")
    max_rel: Rate | None = key(description="largest |a − b| ÷ max(|a|, |b|)")
    l2: Rate | None = key(description="sqrt(Σ (a − b)²)")
    l2_relative: Rate | None = key(description="the same ÷ the larger norm of the two")
    row: Count | None = key(description="of the largest |a − b|, from 0; null: nothing differs")
    column: Count | None = key(description="its component, from 0")
    a_at: float | None = key(description="the result there")
    b_at: float | None = key(description="the reference there")
    coordinates: list[float] | None = key(description="of the row's node")


class Validation(DocumentPart):
    """Answer of `--validate-result`."""

    passed: bool = key(description="within the accepted number of bad values on every level")
    reference: str = key(description="file or folder compared with")
    bad_values: list[Count] = key(description="values off by more than the tolerance, per level")
    differences: list[ValueDifference] = key(
        default_factory=list, description="how far the levels are from the reference"
    )


class MemoryBound(DocumentPart):
    """Answer of `--measure-mem-bound`."""

    seconds: Seconds = key(description="streaming kernel with the edge flux's traffic, mean")
    share_of_flux: Rate = key(description="its time ÷ time of the edge flux")


class ExactError(DocumentPart):
    """Distance from the exact solution of a problem that has one."""

    l2: Rate | None = key(description="root of the mean square over the volume; null: not finite")
    largest: Rate | None = key(description="largest at a node; null: not finite")
    pressure_l2: Rate | None = key(
        None, description="of flows, whose other numbers are those of the velocity"
    )


class Results(DocumentPart):
    """What came out."""

    cycles: Count = key(description="multigrid cycles or time steps completed")
    total_runtime_s: Seconds = key(description="as `Max total runtime` prints it")
    compute_s: Seconds = key(description="cycles or steps alone, slowest rank")
    compute_cpu_s: Seconds | None = key(
        None, description="CPU seconds of all ranks and threads in them"
    )
    rms: list[float | None] = key(
        description="root mean square change on level 0 per cycle or step; null where not finite"
    )
    norms: list[Norms] = key(default_factory=list, description="one entry per level and array")
    validation: Validation | None = key(None, description="null: not asked for")
    memory_bound: MemoryBound | None = key(None, description="null: not asked for")
    exact_error: ExactError | None = key(None, description="null: no exact solution")


class Failure(DocumentPart):
    """Where a run went wrong, as far as it is known."""

    cycle: Count | None = key(None, description="cycle, counted from 1")
    level: Count | None = key(None, description="multigrid level")
    loop: str | None = key(None, description="loop name")
    node: Count | None = key(None, description="node in file order, counted from 0")
    coordinates: list[float] | None = key(None, description="x, y, z of that node")


class Status(DocumentPart):
    """How the run ended."""

    state: Literal["ok", "diverged", "stopped", "failed"] = key(
        description="stopped: early, with a checkpoint"
    )
    exit_code: Count = key(description="exit code of the program")
    message: str | None = key(None, description="the sentence the user saw")
    failure: Failure | None = key(None, description="place of a divergence")
