# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""From the runs of a study to its result."""

from __future__ import annotations

import math
import os
import statistics
from collections.abc import Iterator, Mapping
from pathlib import Path

from halocline import __version__
from halocline.errors import HaloclineError
from halocline.launch.cores import usable_cores
from halocline.statistics import Comparison, Median
from halocline.study.journal import Run, Turn
from halocline.study.load import Study
from halocline.study.point import Point
from halocline.study.recording import snapshot_folder
from halocline.study.result import (
    Estimate,
    Host,
    MpiTimes,
    Noise,
    PointResult,
    Ratio,
    SpeedUp,
    StudyResult,
)
from halocline.study.schedule import Schedule
from halocline.study.series import Measured
from halocline.study.verdicts import cautions_of, winners_of

MEMORY = ("rank_memory_bytes", "memory_bytes")


def result_of(study: Study, runs: Mapping[Turn, Run], ending: str) -> StudyResult:
    """Return what a study has found so far."""
    measured = Measured(study, runs)
    schedule = Schedule(study, runs)
    comparisons = measured.comparisons()
    points = [
        _point(study, schedule, measured, point, comparisons.get(point.name))
        for point in study.points
    ]
    noise = list(_noise(study, measured))
    started = sorted(run.started for run in runs.values())
    cores = {name: point.cores for name, point in study.by_name.items()}
    names = dict.fromkeys(name for run in runs.values() for name in run.values)
    scaling = "strong" if len(study.bases) > 1 else "none"
    if scaling == "strong" and study.file.scaling is not None and study.file.scaling.weak:
        scaling = "weak"
    return StudyResult(
        schema_name="halocline.study",
        schema_version=1,
        made_by=f"halocline {__version__}",
        title=study.file.title or Path(study.source).stem,
        study_file=study.source,
        study_text=study.text,
        host=_host(),
        started=started[0] if started else "",
        ended=started[-1] if started else "",
        ending=ending,
        seed=study.file.run.seed,
        by=study.by,
        unit=study.unit_of(study.by),
        units={name: study.unit_of(name) for name in names},
        better="larger" if study.larger_is_better else "smaller",
        confidence=study.file.run.confidence,
        scaling=scaling,  # type: ignore[arg-type] # one of three words
        runs=len(runs),
        run_s=sum(run.wall_s for run in runs.values()),
        core_hours=sum(run.wall_s * cores[turn.point] for turn, run in runs.items()) / 3600,
        noise=noise,
        points=points,
        winners=winners_of(study, points, noise),
        cautions=cautions_of(study, points, noise),
    )


def _host() -> Host:
    system = os.uname()
    return Host(
        name=system.nodename,
        cores=usable_cores().cores,
        system=f"{system.sysname} {system.release}, {system.machine}",
    )


def _noise(study: Study, measured: Measured) -> Iterator[Noise]:
    for twin in study.twins:
        base = study.base_of(twin)
        found = measured.noise(base)
        yield Noise(
            scale=base.scale,
            pairs=found.pairs,
            floor=measured.floor(base),
            verdict=found.verdict.value,
        )


def _point(
    study: Study,
    schedule: Schedule,
    measured: Measured,
    point: Point,
    comparison: Comparison | None,
) -> PointResult:
    own = measured.runs_of(point)
    bad = [run for run in own if not run.is_ok]
    median = measured.median(point)
    state, why = _state(schedule, bad, point, median)
    medians = _medians(measured, own, point)
    return PointResult(
        name=point.name,
        label=point.label,
        scale=point.scale,
        is_base=point.is_base,
        values=dict(point.values),
        cores=point.cores,
        launch_line=study.launch(point).command.line,
        state=state,  # type: ignore[arg-type] # one of the words
        why=why,
        last_lines=bad[-1].last_lines if bad and state != "ok" else [],
        failures=len(bad),
        median=_estimate(median) if median is not None else None,
        comparison=_ratio(comparison) if comparison is not None and state == "ok" else None,
        speed_up=_speed_up(study, measured, point) if state == "ok" else None,
        medians=medians,
        memory_bytes=next((medians[name] for name in MEMORY if name in medians), None),
        mpi=_mpi(study, point),
    )


def _state(
    schedule: Schedule, bad: list[Run], point: Point, median: Median | None
) -> tuple[str, str]:
    if bad and (schedule.is_out(point) or median is None):
        wrong = next((run for run in bad if run.state == "wrong"), bad[-1])
        return wrong.state, wrong.why
    if median is None:
        return "not run", "the study ended before"
    return "ok", ""


def _medians(measured: Measured, own: list[Run], point: Point) -> dict[str, float]:
    names = dict.fromkeys(name for run in own for name in run.values)
    found = {name: measured.values_of(point, name) for name in names}
    return {name: statistics.median(values) for name, values in found.items() if values}


def _estimate(median: Median) -> Estimate:
    interval = median.interval
    return Estimate(
        value=median.value,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        runs=median.count,
    )


def _ratio(found: Comparison) -> Ratio | None:
    if math.isnan(found.ratio):
        return None
    interval = found.interval
    return Ratio(
        ratio=found.ratio,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        error=found.error,
        level=found.level,
        pairs=found.pairs,
        verdict=found.verdict.value,
    )


def _speed_up(study: Study, measured: Measured, point: Point) -> SpeedUp | None:
    """Compare with the same changes at the first scale; they may have been excluded there."""
    if len(study.bases) < 2:
        return None
    scale = study.bases[0].scale
    same = [each for each in study.points if each.scale == scale and each.changes == point.changes]
    found = measured.speed_up(same[0], point) if same else None
    if found is None or math.isnan(found.ratio):
        return None
    weak = study.file.scaling is not None and study.file.scaling.weak is not None
    share = 1.0 if weak else same[0].cores / point.cores
    return SpeedUp(
        value=1.0 / found.ratio,
        low=1.0 / found.interval.high if found.interval else None,
        high=1.0 / found.interval.low if found.interval else None,
        efficiency_percent=100.0 * share / found.ratio,
    )


def _mpi(study: Study, point: Point) -> MpiTimes | None:
    from halocline.snapshot.scale import sizes_of
    from halocline.snapshot.store import read_snapshot

    folder = snapshot_folder(study, point.name)
    if not (folder / "snapshot.json").is_file():
        return None
    try:
        snapshot = read_snapshot(folder)
    except HaloclineError:
        return None
    seconds = {function.name: function.seconds.mean for function in snapshot.functions}
    return MpiTimes(
        elapsed_s=snapshot.times.elapsed_s,
        mpi_s=snapshot.times.mpi_s.mean,
        mpi_percent=snapshot.times.mpi_percent,
        imbalance_percent=snapshot.times.imbalance_percent,
        function_s=seconds,
        sizes=sizes_of(snapshot),
    )
