# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a run came to: its numbers, or why it does not count."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from halocline.errors import HaloclineError
from halocline.launch.limited_run import Ended
from halocline.study.journal import Run, Turn
from halocline.study.launch import Launch
from halocline.study.load import Study
from halocline.study.measurements import (
    MissingValueError,
    found_answer,
    last_lines,
    output_text,
    pattern_values,
    record_extras,
    record_values,
)
from halocline.study.point import Point
from halocline.study.runner import Context

#: A ratio of anything above has a logarithm.
SMALLEST = 1e-100


@dataclass(frozen=True)
class Outcome:
    """What there is of a run that has ended."""

    launch: Launch
    log: Path
    ended: Ended
    started: str


def judged(context: Context, turn: Turn, point: Point, outcome: Outcome) -> Run:
    """Return what a run came to."""
    ended = outcome.ended
    text = output_text(outcome.log)
    values = {"wall": ended.wall_s}
    if ended.cpu_s:
        values["cpu"] = ended.cpu_s
    if ended.peak_rss_bytes:
        values["memory_bytes"] = float(ended.peak_rss_bytes)
    run = Run(turn, "ok", outcome.started, ended.wall_s, values, ended.code)
    run.state, run.why = _state(context.study, ended)
    if run.is_ok:
        _measure(context.study, run, text, outcome.launch.record)
    if run.is_ok:
        try:
            run.why = context.checker.difference(point, outcome.launch, run.answer)
        except HaloclineError as error:
            run.state, run.why = "failed", str(error)
        else:
            run.state = "wrong" if run.why else "ok"
    if not run.is_ok:
        run.last_lines = last_lines(text)
    return run


def _state(study: Study, ended: Ended) -> tuple[str, str]:
    if ended.timed_out:
        return "timeout", f"it took longer than run.time_limit = {study.file.run.time_limit}"
    if ended.code < 0:
        return "failed", f"signal {-ended.code} ended it"
    return ("failed", f"it ended with code {ended.code}") if ended.code else ("ok", "")


def _measure(study: Study, run: Run, text: str, record: Path | None) -> None:
    """Add what is measured; a run that lacks it has failed."""
    try:
        run.values |= pattern_values(study.file.measure.patterns, text)
        if record is not None:
            run.values |= record_extras(record)
            run.values |= record_values(record, study.records)
        check = study.file.check
        if check is not None and check.pattern is not None:
            run.answer = found_answer(check.pattern, text)
        found = run.values.get(study.by, 0.0)
        if not found > SMALLEST:
            raise MissingValueError(f"'{study.by}' is {found:g}, not above 0")
    except MissingValueError as missing:
        run.state, run.why = "failed", str(missing)
