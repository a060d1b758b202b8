# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The page of a study as Markdown: for merge requests, wikis, and pages of a project."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from halocline.study.figures.selection import rank_of
from halocline.study.page import measured_names, sorted_points
from halocline.study.result import PointResult, StudyResult
from halocline.study.view import (
    NOTHING,
    estimate_words,
    figure,
    gain_of,
    noise_words,
    speed_up_words,
    value_of,
    verdict_of,
    winning_points,
)
from halocline.wording import bytes_words, count_words, seconds_words

FUNCTIONS = 6


def markdown(result: StudyResult) -> str:
    """Return a study as Markdown."""
    parts = [f"# {escaped(result.title)}", _facts(result)]
    parts += [f"**{escaped(winner.sentence)}**" for winner in result.winners]
    parts += ["\n".join(f"- {escaped(sentence)}" for sentence in result.cautions)]
    for point in winning_points(result):
        at = f", {point.scale}" if point.scale else ""
        parts.append(f"Use {escaped(point.label)}{at}:\n\n```\n{point.launch_line}\n```")
    parts += ["## Points", _points(result), *_mpi(result), *_sizes(result), *_failures(result)]
    parts.append("\n".join(f"- {sentence}" for sentence in noise_words(result)))
    return "\n\n".join(part for part in parts if part) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; the first column is text, others are figures."""
    lines = [_row(head), _row(["---", *("---:" for _ in head[1:])])]
    return "\n".join([*lines, *(_row([escaped(cell) for cell in row]) for row in rows)])


def escaped(text: str) -> str:
    """Return text as Markdown shows it: nothing of it is markup."""
    for mark in "\\`*_|<>[]#":
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _facts(result: StudyResult) -> str:
    host = result.host
    return escaped(
        f"{host.name}: {host.cores} cores, {host.system}; {result.runs} runs, "
        f"{result.core_hours:.3g} core hours, {result.started[:19]} to {result.ended[:19]} UTC; "
        f"seed {result.seed}; ended: {result.ending}; {result.made_by}."
    )


def _points(result: StudyResult) -> str:
    scales = result.scaling != "none"
    names = measured_names(result)
    head = ["change", *(["scale"] if scales else []), result.by, "gain", "verdict"]
    head += [*(["speed-up (efficiency)"] if scales else []), "MPI", "memory", *names]
    rows = []
    for point in sorted_points(result):
        row = [point.label, *([point.scale] if scales else [])]
        row += [estimate_words(point.median, result.unit), gain_of(point), verdict_of(point)]
        row += [speed_up_words(point.speed_up)] if scales else []
        row += [_percent(point), value_of(point.memory_bytes)]
        row += [_measured(result, point, name) for name in names]
        rows.append(row)
    return table([escaped(name) for name in head], rows)


def _percent(point: PointResult) -> str:
    return f"{point.mpi.mpi_percent:.0f} %" if point.mpi is not None else NOTHING


def _measured(result: StudyResult, point: PointResult, name: str) -> str:
    if name not in point.medians:
        return NOTHING
    return figure(point.medians[name], result.units.get(name, ""))


def _mpi(result: StudyResult) -> list[str]:
    points = [point for point in result.points if point.mpi is not None]
    shares: dict[str, float] = {}
    for point in points:
        for name, seconds in point.mpi.function_s.items() if point.mpi else ():
            shares[name] = max(shares.get(name, 0.0), seconds)
    names = sorted(shares, key=lambda name: -shares[name])[:FUNCTIONS]
    if not points:
        return []
    rows = [
        [
            point.title,
            seconds_words(point.mpi.elapsed_s),
            seconds_words(point.mpi.mpi_s),
            *(seconds_words(point.mpi.function_s.get(name, 0.0)) for name in names),
        ]
        for point in points
        if point.mpi is not None
    ]
    head = ["point", "elapsed", "MPI", *(escaped(name) for name in names)]
    return ["## MPI time by function", table(head, rows)]


def _sizes(result: StudyResult) -> list[str]:
    points = [point for point in result.points if point.mpi is not None and point.mpi.sizes]
    shown = [point for point in points if point.is_base] + sorted(points, key=rank_of)[:1]
    rows = [
        [
            point.title,
            f"{bytes_words(entry.min_bytes)} to {bytes_words(entry.max_bytes)}",
            count_words(entry.messages),
            bytes_words(entry.bytes),
        ]
        for point in {point.name: point for point in shown}.values()
        for entry in (point.mpi.sizes if point.mpi else [])
    ]
    head = ["point", "size", "messages", "bytes"]
    return ["## Message sizes", table(head, rows)] if rows else []


def _failures(result: StudyResult) -> list[str]:
    parts = []
    for point in result.points:
        if point.last_lines:
            lines = "\n".join(f"    {line}" for line in point.last_lines)
            parts.append(f"{escaped(point.title)}: {point.state}, {escaped(point.why)}\n\n{lines}")
    return ["## What went wrong", *parts] if parts else []
