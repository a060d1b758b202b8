# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Condenses a run record into the few rows that a person wants at the end of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from halocline.mesh.publication import OTHER_MESH_NAME
from halocline.record.distribution import Mesh
from halocline.record.model import Record
from halocline.record.outcome import Io, LinearSolver, Loop
from halocline.wording import counted, layout_words


@dataclass(frozen=True)
class LoopTotal:
    """One loop name over all levels."""

    name: str
    set: str
    calls: int
    seconds: float
    share: float
    ns_per_element: float | None
    gb_per_s: float | None
    percent_of_triad: float | None


def loop_totals(record: Record) -> list[LoopTotal]:
    """Sum loops over levels, slowest first; `share` is of all loops' time."""
    all_seconds = sum(loop.seconds for loop in record.loops)
    by_name: dict[str, list[Loop]] = {}
    for loop in record.loops:
        by_name.setdefault(loop.name, []).append(loop)
    totals = [_total(loops, all_seconds, record.triad_gb_per_s) for loops in by_name.values()]
    return sorted(totals, key=lambda total: -total.seconds)


def _total(loops: list[Loop], all_seconds: float, triad: float | None) -> LoopTotal:
    seconds = sum(loop.seconds for loop in loops)
    elements = sum(loop.elements for loop in loops)
    moved = sum(loop.bytes for loop in loops)
    rate = moved / seconds / 1e9 if seconds > 0 else None
    return LoopTotal(
        name=loops[0].name,
        set=loops[0].set,
        calls=sum(loop.calls for loop in loops),
        seconds=seconds,
        share=seconds / all_seconds if all_seconds > 0 else 0.0,
        ns_per_element=1e9 * seconds / elements if elements else None,
        gb_per_s=rate,
        percent_of_triad=100 * rate / triad if rate is not None and triad else None,
    )


def _mesh_name(mesh: Mesh) -> str:
    """Return the folder's name for a mesh that MG-CFD's format has no name for."""
    return Path(mesh.input).parent.name or mesh.name if mesh.name == OTHER_MESH_NAME else mesh.name


def headline(record: Record) -> list[tuple[str, str]]:
    """Rows of (what, value) on the whole run."""
    fine, layout, results = record.mesh.levels[0], record.layout, record.results
    hosts = ", ".join(host.name for host in record.hosts)
    code = record.code
    levels = counted(len(record.mesh.levels), "level")
    sizes = f"{fine.nodes:,} nodes, {fine.edges:,} edges, {levels}"
    spread = layout_words(layout.ranks, layout.threads_per_rank)
    peak = record.memory.peak_rss_bytes
    rows = [
        ("program", f"{record.program} {code.version} ({record.backend}, {code.arch})"),
        ("mesh", f"{_mesh_name(record.mesh)}, {sizes}"),
        ("where", f"{spread} on {hosts}"),
        ("cycles", f"{results.cycles}{_last_rms(results.rms)}"),
        ("run time", f"{results.total_runtime_s:.3f} s, set-up {record.setup.total_s:.3f} s"),
        ("peak memory", f"{peak.max / 2**20:.0f} MiB per rank"),
    ]
    if results.exact_error is not None:
        error = results.exact_error
        rows.append(
            ("exact error", f"{_figure(error.l2)} (l2), {_figure(error.largest)} (largest)")
        )
    rows += [(f"{solver.name} solver", _solver_words(solver)) for solver in record.linear_solvers]
    rows += _output_rows(record.io)
    if record.triad_gb_per_s is not None:
        rows.append(("measured triad", f"{record.triad_gb_per_s:.1f} GB/s"))
    if record.partition is not None:
        cut = record.partition.levels[0]
        quality = f"{cut.edge_cut:,} cut edges, imbalance {cut.imbalance:.3f}"
        rows.append(("partition", f"{record.partition.partitioner}, {quality}"))
    return rows


def _solver_words(solver: LinearSolver) -> str:
    """Work of a linear solver, and the levels it has."""
    words = f"{counted(solver.solves, 'solve')} of {solver.mean_iterations:.1f} iterations"
    words += f" (most {solver.most_iterations}), {solver.preconditioner}"
    if len(solver.levels) > 1:
        words += f", {len(solver.levels)} levels, complexity {solver.operator_complexity:.2f}"
    return words


def _output_rows(io: Io) -> list[tuple[str, str]]:
    """What was written, how long that took, and how much of it the loops did not notice."""
    rows = []
    if io.bytes and io.files:
        too = " and checkpoints" if io.checkpoint is not None else ""
        words = f"{_size(io.bytes)} in {counted(len(io.files), 'file')}{too}"
        if io.written_s:
            words += f" at {io.bytes / io.written_s / 1e6:.0f} MB/s"
            if io.slowest_rank:
                words += f", slowest rank {io.slowest_rank}"
        rows.append(("output", words))
        if io.written_s:
            rows.append(("its time", _overlap_words(io)))
    if io.restarted_from is not None:
        rows.append(("went on from", io.restarted_from))
    if io.checkpoint is not None:
        rows.append(("checkpoint", io.checkpoint))
    return rows


def _overlap_words(io: Io) -> str:
    """Where the time of output went: what the loops waited for, and what lay behind them."""
    written = io.written_s or 0.0
    words = f"{written:.2f} s of writing, {io.hidden_s:.2f} s of them "
    words += f"({100 * io.hidden_s / max(written, 1e-12):.0f} %) behind loops"
    if io.copied_s is not None and io.drained_s is not None:
        words += f"; loops waited {io.copied_s:.2f} s for copies, {io.blocked_s:.2f} s for room or "
        words += f"writes, {io.drained_s:.2f} s at the end"
    if io.deepest_queue:
        words += f"; {io.deepest_queue} waiting at most"
    return words


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 1e9:.2f} GB" if size_bytes >= 1e9 else f"{size_bytes / 1e6:.1f} MB"


def _figure(value: float | None) -> str:
    return "not finite" if value is None else f"{value:.6e}"


def _last_rms(rms: Iterable[float | None]) -> str:
    known = [value for value in rms if value is not None]
    return f", last residual rms {known[-1]:.6e}" if known else ""
