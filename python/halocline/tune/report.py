# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Turns what a tuning found into its report, its rules and what a shell reads; writes them."""

from __future__ import annotations

import math
import platform
import shlex
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Literal

from halocline import __version__
from halocline.documents.store import DocumentKind
from halocline.files.output_file import write_text
from halocline.tune.bench import BASE as BENCH_BASE
from halocline.tune.candidates import Algorithm
from halocline.tune.choosing import Contest
from halocline.tune.folder import PAGE_NAME, REPORT_NAME, SCRIPT_NAME
from halocline.tune.model import (
    SCHEMA_NAME,
    SCHEMA_VERSION,
    AlgorithmReport,
    PointReport,
    ProofReport,
    SideReport,
    TrialReport,
    TuneReport,
)
from halocline.tune.points import Point
from halocline.tune.proof import Proof
from halocline.tune.rules import RULES, RULES_NAME, Gain, Rules
from halocline.tune.search import RULES_KEY
from halocline.tune.settings import Setting
from halocline.tune.tuning import Tuning

REPORT = DocumentKind(TuneReport, SCHEMA_NAME, SCHEMA_VERSION, "report of halocline tune")
PROVED, NOT_PROVED = "is faster", "no decision"


def write_results(folder: Path, found: Tuning) -> TuneReport:
    """Write report and page, and where there is a decision rules and environment."""
    from halocline.tune.page import page

    made = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    report = make_report(found, folder, made)
    if report.decision and found.best is not None and report.proof is not None:
        RULES.write(_rules(found, report.proof.gain, made), folder / RULES_NAME)
        write_text(folder / SCRIPT_NAME, environment_script(found.best, report))
    write_text(folder / PAGE_NAME, page(report))
    REPORT.write(report, folder / REPORT_NAME)  # the last: a folder with it is finished
    return report


def make_report(found: Tuning, folder: Path, made: str) -> TuneReport:
    """Return the report."""
    decision = found.proof is not None and found.proof.holds
    return TuneReport(
        schema_name="halocline.tune",
        schema_version=1,
        made_by=f"halocline {__version__}",
        made=made,
        host=platform.node(),
        command=found.words,
        family=found.family.value,
        library=found.library.version,
        ranks=found.library.ranks,
        decision=decision,
        reason=found.reason,
        time_is=_time_words(found),
        first_run_s=found.first.time_s or found.first.wall_s,
        recorded_s=found.elapsed_s or None,
        points=_points(found),
        rulings=found.ruled.rulings if found.ruled and _uses_rules(found) else [],
        notes=_notes(found),
        trials=_trials(found),
        change=_change_words(found, found.best, found.best_choices) if found.best else None,
        proof=_proof(found.proof) if found.proof else None,
        launch_line=found.best.shell_line(found.words, found.family)
        if decision and found.best
        else None,
        apply_line=f"halocline tune --apply {shlex.quote(str(folder))} -- {shlex.join(found.words)}"
        if decision
        else None,
    )


def _uses_rules(found: Tuning) -> bool:
    """Whether algorithms are part of the best settings."""
    return found.ruled is not None and bool(found.best_choices.get(RULES_KEY))


def _time_words(found: Tuning) -> str:
    pattern = found.reading.time
    return f"the time printed like {pattern.pattern}" if pattern else "from start to end"


def _points(found: Tuning) -> list[PointReport]:
    contests = {contest.field.point.name: contest for contest in found.contests}
    return [_point(point, contests.get(point.name), found.elapsed_s) for point in found.recorded]


def _point(point: Point, contest: Contest | None, elapsed_s: float) -> PointReport:
    return PointReport(
        function=f"MPI_{point.function}",
        members=point.members,
        bytes=point.bytes,
        calls=point.calls,
        seconds=point.seconds,
        percent=100.0 * point.seconds / elapsed_s if elapsed_s > 0 else 0.0,
        default_s=contest.median_s(BENCH_BASE) if contest else None,
        noise=contest.floor if contest else None,
        saving_s=contest.saving_s if contest else 0.0,
        algorithms=_algorithms(contest) if contest else [],
    )


def _algorithms(contest: Contest) -> list[AlgorithmReport]:
    rows = [_algorithm(contest, each) for each in contest.field.algorithms]
    return sorted(rows, key=lambda row: (row.ratio is None, row.ratio or 0.0))


def _algorithm(contest: Contest, algorithm: Algorithm) -> AlgorithmReport:
    found = contest.comparisons.get(algorithm.name)
    interval = found.interval if found else None
    return AlgorithmReport(
        name=algorithm.title,
        state=contest.field.states.get(algorithm.name, "not measured"),
        median_s=contest.median_s(algorithm.name),
        ratio=found.ratio if found and math.isfinite(found.ratio) else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        verdict=found.verdict.value if found else None,
        wins=contest.winner is not None and contest.winner.name == algorithm.name,
    )


def _notes(found: Tuning) -> list[str]:
    notes = list(found.ruled.left_out) if found.ruled else []
    measured = {contest.field.point.name for contest in found.contests}
    share = sum(point.seconds for point in found.recorded if point.name not in measured)
    if found.recorded and measured and share > 0.001 * found.elapsed_s:
        notes.append(
            f"{100 * share / found.elapsed_s:.1f} % of the run are in collectives that were not "
            "measured: points with too little time, or without algorithms to choose from"
        )
    if found.own_operations and not found.reading.results:
        notes.append(
            "the program makes operations of its own (MPI_Op_create), and no results are compared: "
            "where they do not commute, other algorithms give other results; use --result"
        )
    if found.options.collectives and not found.recorded:
        notes.append("the program made no blocking collective calls on several ranks")
    return notes


def _trials(found: Tuning) -> list[TrialReport]:
    rows = [
        TrialReport(
            change=_change_words(found, trial.setting, trial.choices),
            single=sum(1 for choice in trial.choices.values() if choice) == 1,
            ratio=trial.ratio if math.isfinite(trial.ratio) else None,
            runs=len(trial.ratios),
            peak_bytes=_median_bytes(trial.peak_bytes),
            base_peak_bytes=_median_bytes(trial.base_peak_bytes),
            problem=trial.problem,
        )
        for trial in found.trials
    ]
    return sorted(rows, key=lambda row: (row.ratio is None, row.ratio or 0.0))


def _median_bytes(values: list[int]) -> int | None:
    return round(median(values)) if values else None


def _change_words(found: Tuning, setting: Setting, choices: dict[str, int]) -> str:
    """Name the rules as such: their variables say nothing to people."""
    if not choices.get(RULES_KEY) or found.ruled is None:
        return setting.words
    hidden = {*found.ruled.environment, *found.ruled.files}
    shown = {name: value for name, value in setting.environment.items() if name not in hidden}
    rest = Setting(shown, setting.launch)
    return "algorithms" if rest == Setting() else f"algorithms, {rest.words}"


def _proof(proof: Proof) -> ProofReport:
    return ProofReport(
        sides=[_side(proof, "base"), _side(proof, "again"), _side(proof, "tuned")],
        gain=_gain(proof),
        compared_results=proof.compared_results,
    )


def _gain(proof: Proof) -> Gain:
    found = proof.comparison
    ratio = found.ratio if math.isfinite(found.ratio) else 1.0
    interval = found.interval
    return Gain(
        ratio=ratio,
        low=interval.low if interval else ratio,
        high=interval.high if interval else ratio,
        error_rate=proof.error_rate,
        pairs=found.pairs,
        noise=proof.floor or 0.0,
    )


def _side(proof: Proof, name: Literal["base", "again", "tuned"]) -> SideReport:
    known = proof.median(name)
    interval = known.interval if known else None
    return SideReport(
        name=name,
        median_s=known.value if known else None,
        low_s=interval.low if interval else None,
        high_s=interval.high if interval else None,
        times_s=[time if math.isfinite(time) else None for time in proof.times_s[name]],
        peak_bytes=_median_bytes(proof.peak_bytes[name]) or 0,
    )


def _rules(found: Tuning, gain: Gain, made: str) -> Rules:
    best, ruled = found.best or Setting(), found.ruled
    uses_rules = _uses_rules(found)
    files = dict(ruled.files) if ruled is not None and uses_rules else {}
    environment = {name: value for name, value in best.environment.items() if name not in files}
    return Rules(
        schema_name="halocline.tune-rules",
        schema_version=1,
        made_by=f"halocline {__version__}",
        made=made,
        family=found.family.value,
        library=found.library.version,
        command=found.words,
        ranks=found.library.ranks,
        environment=environment,
        files=files,
        launch=list(best.launch),
        rulings=ruled.rulings if ruled is not None and uses_rules else [],
        gain=gain,
    )


def environment_script(setting: Setting, report: TuneReport) -> str:
    """Return what a shell or job script reads before it launches the program."""
    lines = [
        f"# Made by halocline tune for {report.library}; other versions have other algorithms.",
        *(f"# {line}" for line in f"Launch: {report.launch_line}".splitlines()),
    ]
    lines += [f"export {name}={shlex.quote(value)}" for name, value in setting.environment.items()]
    return "\n".join(lines) + "\n"
