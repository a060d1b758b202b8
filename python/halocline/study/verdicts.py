# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a study advises, and what may spoil it, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from halocline.statistics import Verdict
from halocline.study.load import Study
from halocline.study.result import Noise, PointResult, Ratio, Winner
from halocline.wording import counted

#: A noise floor beyond it is worth a warning.
UNSTEADY = 0.1
#: Points that are named one by one.
MOST_NAMED = 5


def winners_of(study: Study, points: Sequence[PointResult], noise: Sequence[Noise]) -> list[Winner]:
    """Return what to use at each scale; nothing where there is nothing to choose."""
    if not study.comparisons:
        return []
    return [_winner(study, base.scale, points, noise) for base in study.bases]


def _winner(
    study: Study, scale: str, points: Sequence[PointResult], noise: Sequence[Noise]
) -> Winner:
    here = [point for point in points if point.scale == scale and not point.is_base]
    at = f"At {scale}: " if scale else ""
    floor = next((each.floor for each in noise if each.scale == scale), None)
    proven = [
        (point.comparison.ratio, point)
        for point in here
        if point.comparison is not None and point.comparison.verdict == Verdict.FASTER.value
    ]
    if not proven:
        beyond = f" The base differs from itself by up to {100 * floor:.1f} %." if floor else ""
        return Winner(scale=scale, point=None, sentence=f"{at}{_none_faster(here, at)}{beyond}")
    _, best = min(proven, key=lambda pair: pair[0])
    found = best.comparison
    assert found is not None  # noqa: S101 - it is in `proven`
    rivals = [
        point for _, point in proven if point is not best and _overlap(found, point.comparison)
    ]
    more = f" {counted(len(rivals), 'other point')} may be as fast." if rivals else ""
    floor_words = f", noise floor {100 * floor:.1f} %" if floor else ""
    return Winner(
        scale=scale,
        point=best.name,
        sentence=(
            f"{at}{best.label} saves {gain_words(found)} of the base's time "
            f"({100 * study.file.run.confidence:g} % over all verdicts{floor_words}).{more}"
        ),
    )


def _none_faster(here: Sequence[PointResult], at: str) -> str:
    """Say that nothing is significantly faster; of how many, or that nothing was compared."""
    compared = sum(point.comparison is not None for point in here)
    none = "no" if at else "No"
    if compared == 0 and here:
        return f"{none} point was compared with the base: no round of both has ended."
    return f"{none} point of {compared} is significantly faster than the base."


def _overlap(one: Ratio, other: Ratio | None) -> bool:
    if other is None or None in (one.high, other.low):
        return True
    return bool(other.low <= one.high)  # type: ignore[operator] # neither is None


def gain_words(found: Ratio) -> str:
    """Return e.g. `12.3 % (10.1 … 14.2)`; negative where time is lost."""
    gain = f"{100 * (1 - found.ratio):.1f} %"
    if found.low is None or found.high is None:
        return gain
    return f"{gain} ({100 * (1 - found.high):.1f} … {100 * (1 - found.low):.1f})"


def cautions_of(study: Study, points: Sequence[PointResult], noise: Sequence[Noise]) -> list[str]:
    """Return what a reader must know before he believes a figure."""
    return [*_of_machine(study), *_of_noise(study, noise), *_of_points(study, points)]


def _of_machine(study: Study) -> Iterator[str]:
    crowded = sum(
        study.launch(point).oversubscribed for point in study.points if not study.place.submits
    )
    if crowded:
        yield (
            f"{counted(crowded, 'point')} of {len(study.points)} ran with more ranks × threads "
            "than this machine has cores; their times say little about machines that have enough."
        )


def _of_noise(study: Study, noise: Sequence[Noise]) -> Iterator[str]:
    for each in noise:
        at = f" at {each.scale}" if each.scale else ""
        if each.floor is None:
            yield f"The base ran too seldom against itself{at} for a noise floor; no gain is safe."
        elif each.floor > UNSTEADY:
            yield (
                f"The base differs from itself{at} by up to {100 * each.floor:.0f} %: smaller "
                "gains cannot be shown here. Other programs share the machine, or it is not steady."
            )
        elif each.verdict != Verdict.NO_DIFFERENCE.value:
            yield (
                f"The base is significantly {each.verdict} than itself{at}: chance does that in "
                f"one study of {1 / (1 - study.file.run.confidence):.0f}, otherwise the machine is "
                "not steady."
            )


def _of_points(study: Study, points: Sequence[PointResult]) -> Iterator[str]:
    too_few = [point for point in points if point.median is not None and point.median.low is None]
    if too_few:
        yield (
            f"{counted(len(too_few), 'point')} ran too seldom for an interval "
            f"({study.least} rounds are needed)."
        )
    bad = [point for point in points if point.state not in ("ok", "not run")]
    for point in bad[:MOST_NAMED]:
        yield f"{point.title}: {point.state}, {point.why}."
    if len(bad) > MOST_NAMED:
        yield f"{len(bad) - MOST_NAMED} more points failed or were wrong; see the table."
    shaky = [point for point in points if point.state == "ok" and point.failures]
    for point in shaky[:MOST_NAMED]:
        yield f"{point.title}: {counted(point.failures, 'run')} failed."
