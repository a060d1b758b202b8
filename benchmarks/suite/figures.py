# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Turns samples into figures: one value a repetition, ratios within a repetition, then a median."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from halocline.errors import ExitCode, RunFailedError
from halocline.record.model import Record
from halocline.record.outcome import Loop

from suite.measure import Sample, YardstickRun
from suite.variants import NATURAL, SHUFFLED

EDGE_LOOP = ("edge_flux",)
PLAIN_STAGE = ("edge_flux", "boundary_flux", "stage_1", "stage_2", "stage_3")
FUSED_STAGE = ("flux_stage_1", "flux_stage_2", "flux_stage_3")
# Residuals are small differences of states of order one: 1e-16 of a state is 1e-10 of a residual.
YARDSTICK_TOLERANCE = 1e-8
MESHES = {NATURAL: "", SHUFFLED: " shuffled"}

Samples = Mapping[str, Sequence[Sample]]


@dataclass(frozen=True)
class Figure:
    """One number of the report, with what a repetition gave each time."""

    key: str
    what: str
    unit: str
    values: list[float] = field(repr=False)
    goal: float | None = None
    at_most: bool = False

    @property
    def median(self) -> float:
        """The number to quote."""
        return median(self.values)

    @property
    def met(self) -> bool | None:
        """Whether the median reaches the goal; None without one."""
        if self.goal is None:
            return None
        return self.median <= self.goal if self.at_most else self.median >= self.goal


@dataclass(frozen=True)
class Section:
    """Figures under one heading."""

    title: str
    figures: list[Figure]


def require_same_residuals(samples: Samples, meshes: Mapping[str, str]) -> None:
    """Stop when runs of one mesh disagree in any bit of a residual: times would mean nothing."""
    longest: dict[str, list[float | None]] = {}
    for name, runs in samples.items():
        for run in runs:
            residuals = run.record.results.rms
            known = longest.setdefault(meshes[name], residuals)
            shared = min(len(known), len(residuals))
            if known[:shared] != residuals[:shared]:
                raise RunFailedError(
                    f"run '{name}' has other residuals than the runs before it on the same mesh "
                    "(every way to run must give the same bits). Run make test.",
                    ExitCode.DIFFERS,
                )
            if len(residuals) > len(known):
                longest[meshes[name]] = residuals


def all_sections(
    samples: Samples, micro: Mapping[str, Sequence[float]], yardstick: Sequence[YardstickRun]
) -> list[Section]:
    """Everything but the table of loops."""
    return [
        Section("Edge flux alone (micro-benchmark, one core)", _micro(micro)),
        Section("Flux in mgcfd, finest level, one core", _in_situ(samples)),
        Section("Whole run", [*_yardstick(samples, yardstick), *_whole_run(samples)]),
        Section("Memory and set-up, one rank", _costs(samples)),
        Section("Memory bandwidth", _bandwidth(samples)),
    ]


def _micro(times: Mapping[str, Sequence[float]]) -> list[Figure]:
    figures = []
    for order, goal in ((NATURAL, 3.0), (SHUFFLED, 6.0)):
        plain, fast = times[f"edge_flux/serial/{order}"], times[f"edge_flux/openmp/{order}"]
        figures += [
            _figure(f"micro_serial_{order}", f"serial, {order}", "ns/edge", _scaled(plain, 1e9)),
            _figure(f"micro_openmp_{order}", f"openmp, {order}", "ns/edge", _scaled(fast, 1e9)),
            Figure(
                f"micro_ratio_{order}", f"serial ÷ openmp, {order}", "×", _over(plain, fast), goal
            ),
        ]
    floor = _scaled(times["edge_flux/arithmetic"], 1e9)
    return [*figures, _figure("micro_arithmetic", "arithmetic alone, data in L1", "ns/edge", floor)]


def _in_situ(samples: Samples) -> list[Figure]:
    figures = []
    for order, suffix in MESHES.items():
        plain, fast = samples[f"plain{suffix}"], samples[f"fast{suffix}"]
        edge = [_per_edge(run, EDGE_LOOP) for run in plain]
        stage = [_per_edge(run, PLAIN_STAGE) for run in plain]
        fused = [_per_edge(run, FUSED_STAGE) for run in fast]
        figures += [
            _figure(f"edge_serial_{order}", f"serial edge_flux, {order}", "ns/edge", edge),
            _figure(
                f"stage_serial_{order}",
                f"serial edge + boundary + stage, {order}",
                "ns/edge",
                stage,
            ),
            _figure(
                f"stage_openmp_{order}", f"openmp flux_stage (all three), {order}", "ns/edge", fused
            ),
            _figure(
                f"edge_ratio_{order}",
                f"serial edge_flux ÷ openmp flux_stage, {order}",
                "×",
                _over(edge, fused),
            ),
            _figure(f"stage_ratio_{order}", f"like with like, {order}", "×", _over(stage, fused)),
        ]
    return figures


def _per_edge(run: Sample, names: Sequence[str]) -> float:
    """Nanoseconds of the named loops on level 0 for each edge of each stage."""
    loops = [loop for loop in run.record.loops if loop.level == 0 and loop.name in names]
    edges = sum(loop.elements for loop in loops if loop.set == "edges")
    return 1e9 * sum(loop.seconds for loop in loops) / edges


def require_yardstick_agrees(samples: Samples, yardstick: Sequence[YardstickRun]) -> None:
    """Stop when the plain loops find another residual: they would time something else."""
    for run in yardstick:
        ours = samples["fast"][0].record.results.rms[run.cycles - 1]
        if ours is None or abs(run.rms - ours) > YARDSTICK_TOLERANCE * abs(ours):
            raise RunFailedError(
                f"the plain loops have residual {run.rms:.17g} in cycle {run.cycles}, mgcfd has "
                f"{ours} (they should agree to rounding). Run make test.",
                ExitCode.DIFFERS,
            )


def _yardstick(samples: Samples, runs: Sequence[YardstickRun]) -> list[Figure]:
    cycle_s = [run.cycle_s for run in runs]
    ratio = _over(cycle_s, [run.cycle_s for run in samples["fast"]])
    return [
        _figure("cycle_yardstick", "plain loops, one cycle, natural", "ms", _scaled(cycle_s, 1e3)),
        Figure("yardstick_ratio", "plain loops ÷ openmp, natural", "×", ratio, 4.5),
    ]


def _whole_run(samples: Samples) -> list[Figure]:
    figures = []
    for (order, suffix), goal in zip(MESHES.items(), (None, 9.0), strict=True):
        plain = [run.cycle_s for run in samples[f"plain{suffix}"]]
        fast = [run.cycle_s for run in samples[f"fast{suffix}"]]
        figures += [
            _figure(
                f"run_{order}",
                f"openmp, all cycles, {order}",
                "s",
                _compute(samples[f"fast{suffix}"]),
            ),
            _figure(
                f"cycle_openmp_{order}", f"openmp, one cycle, {order}", "ms", _scaled(fast, 1e3)
            ),
            _figure(
                f"cycle_serial_{order}", f"serial, one cycle, {order}", "ms", _scaled(plain, 1e3)
            ),
            Figure(
                f"run_ratio_{order}", f"serial ÷ openmp, {order}", "×", _over(plain, fast), goal
            ),
        ]
    one_core = [run.cycle_s for run in samples["fast"]]
    for name in ("2 threads", "2 ranks"):
        if name in samples:
            two = [run.cycle_s for run in samples[name]]
            key = name.replace(" ", "_")
            figures.append(_figure(f"cycle_{key}", f"{name}, one cycle", "ms", _scaled(two, 1e3)))
            figures.append(
                Figure(f"speedup_{key}", f"{name} against 1", "×", _over(one_core, two), 1.7)
            )
    return figures


def _costs(samples: Samples) -> list[Figure]:
    figures = []
    for order, suffix in MESHES.items():
        peak = [run.record.memory.peak_rss_bytes.max for run in samples[f"fast{suffix}"]]
        runs = samples[f"set-up{suffix}"]
        setup = [run.setup_cpu_s for run in runs]
        wall = [run.record.setup.total_s for run in runs]
        mega, mebi = _scaled(peak, 1e-6), _scaled(peak, 2.0**-20)
        figures += [
            Figure(f"memory_{order}", f"peak memory, {order}", "MB", mega, 450.0, at_most=True),
            _figure(f"memory_mib_{order}", f"peak memory, {order}", "MiB", mebi),
            Figure(
                f"setup_{order}",
                f"all CPU time outside cycles, {order}",
                "s",
                setup,
                1.0,
                at_most=True,
            ),
            _figure(f"setup_wall_{order}", f"set-up, wall time, {order}", "s", wall),
        ]
    return figures


def _bandwidth(samples: Samples) -> list[Figure]:
    figures = [_figure("triad_1", "triad, one core", "GB/s", _triads(samples["fast"]))]
    if "2 threads" in samples:
        one, two = _triads(samples["fast"]), _triads(samples["2 threads"])
        ratios = [b / a for a, b in zip(one, two, strict=True)]
        figures += [
            _figure("triad_2", "triad, two threads", "GB/s", two),
            _figure("triad_ratio", "triad, two threads ÷ one core", "×", ratios),
        ]
    shares = []
    for run in samples["stream"]:
        bound = run.record.results.memory_bound
        if bound is not None:
            shares.append(100.0 * bound.share_of_flux)
    return [*figures, _figure("memory_bound", "memory-bound share of the flux (-b)", "%", shares)]


def per_cycle_ms(runs: Sequence[Sample], seconds: Callable[[Record], float]) -> list[float]:
    """Milliseconds a cycle of a time of the record."""
    return [1e3 * seconds(run.record) / run.record.results.cycles for run in runs]


def _triads(runs: Sequence[Sample]) -> list[float]:
    return [run.record.triad_gb_per_s for run in runs if run.record.triad_gb_per_s is not None]


def _compute(runs: Sequence[Sample]) -> list[float]:
    return [run.record.results.compute_s for run in runs]


def _figure(key: str, what: str, unit: str, values: list[float]) -> Figure:
    return Figure(key, what, unit, values)


def _scaled(values: Sequence[float], factor: float) -> list[float]:
    return [factor * value for value in values]


def _over(numerator: Sequence[float], denominator: Sequence[float]) -> list[float]:
    """Ratio within each repetition: what slowed both cancels."""
    return [above / below for above, below in zip(numerator, denominator, strict=True)]


@dataclass(frozen=True)
class LoopRow:
    """One loop of the fast run on one core, all levels, medians over repetitions."""

    name: str
    set: str
    share: float
    ns_per_element: float
    traffic_ns: float
    arithmetic_ns: float | None

    @property
    def floor_ns(self) -> float:
        """What neither arithmetic nor counted traffic at triad speed can go below."""
        return max(self.traffic_ns, self.arithmetic_ns or 0.0)

    @property
    def distance(self) -> float:
        """Measured time over the floor; 1 is perfect."""
        return self.ns_per_element / self.floor_ns


def loop_rows(samples: Samples, arithmetic_ns: float) -> list[LoopRow]:
    """Share of each loop in the run, and its distance from its floor; slowest first."""
    runs = samples["fast"]
    triad = median(_triads(runs))
    # Updates of globals move nothing and take no time worth a row.
    names = {loop.name: loop.set for loop in runs[0].record.loops if loop.bytes > 0}
    rows = []
    for name, kind in names.items():
        total = _of_loops(runs, name, lambda loop: loop.seconds)
        elements = _of_loops(runs, name, lambda loop: loop.elements)
        moved = _of_loops(runs, name, lambda loop: loop.bytes)
        shares = [s / run.record.results.compute_s for s, run in zip(total, runs, strict=True)]
        rows.append(
            LoopRow(
                name=name,
                set=kind,
                share=median(shares),
                ns_per_element=median(_scaled(_over(total, elements), 1e9)),
                traffic_ns=moved[0] / elements[0] / triad,
                arithmetic_ns=arithmetic_ns if kind == "edges" else None,
            )
        )
    return sorted(rows, key=lambda row: -row.share)


def _of_loops(runs: Sequence[Sample], name: str, what: Callable[[Loop], float]) -> list[float]:
    """Sum over levels, for each run."""
    return [sum(what(loop) for loop in run.record.loops if loop.name == name) for run in runs]
