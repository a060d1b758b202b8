# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The typed result of a study, version 1: `study.json`."""

from __future__ import annotations

from typing import Annotated, Literal

from halocline.documents.part import Bounds, DocumentPart, key
from halocline.documents.store import DocumentKind
from halocline.snapshot.model import Bin

SCHEMA_NAME = "halocline.study"
SCHEMA_VERSION = 1
RESULT_NAME = "study.json"

Count = Annotated[int, Bounds(ge=0)]
Positive = Annotated[float, Bounds(ge=0.0)]
Value = int | float | bool | str
State = Literal["ok", "failed", "timeout", "wrong", "not run"]
Word = Literal["faster", "slower", "no difference can be told"]


class Estimate(DocumentPart):
    """A median of runs; the bounds are null where runs are too few."""

    value: float = key(description="median")
    low: float | None = key(description="lower bound of its interval")
    high: float | None = key(description="upper bound of its interval")
    runs: Count = key(description="runs that count")


class Ratio(DocumentPart):
    """A point beside its base, from runs of the same rounds."""

    ratio: Positive = key(description="time of the point ÷ time of the base (Hodges-Lehmann)")
    low: Positive | None = key(description="lower bound at the level of its test")
    high: Positive | None = key(description="upper bound at the level of its test")
    error: Positive = key(description="probability of signed ranks as far apart by chance")
    level: Positive = key(description="what it had to stay below, by Holm's correction")
    pairs: Count = key(description="rounds in which both ran")
    verdict: Word = key(description="what can be told")


class SpeedUp(DocumentPart):
    """A point beside the same settings at the first scale."""

    value: Positive = key(description="time at the first scale ÷ time here; of weak scaling, too")
    low: Positive | None = key(description="lower bound")
    high: Positive | None = key(description="upper bound")
    efficiency_percent: Positive = key(
        description="100 × speed-up × first cores ÷ cores; of weak scaling 100 × speed-up"
    )


class MpiTimes(DocumentPart):
    """What the snapshot of a point says; its run is not timed."""

    elapsed_s: Positive = key(description="MPI_Init to MPI_Finalize, slowest rank")
    mpi_s: Positive = key(description="mean over ranks")
    mpi_percent: Positive
    imbalance_percent: Positive | None
    function_s: dict[str, float] = key(description="mean over ranks by function, largest first")
    sizes: list[Bin] = key(description="message sizes, all functions and ranks")


class PointResult(DocumentPart):
    """One point."""

    name: str = key(description="p000, p001, …")
    label: str = key(description="how it differs from the base")
    scale: str = key(description="ranks, threads, hosts in words; empty: one scale only")
    is_base: bool
    values: dict[str, Value] = key(description="variables")
    cores: Count = key(description="ranks × threads")
    launch_line: str = key(description="what starts it")
    state: State
    why: str = key(description="what went wrong")
    last_lines: list[str] = key(default_factory=list, description="of the output that went wrong")
    failures: Count = key(description="runs that did not count")
    median: Estimate | None = key(description="of what points are compared by")
    comparison: Ratio | None = key(None, description="null: a base, or nothing to compare")
    speed_up: SpeedUp | None = key(None, description="null: one scale only")
    medians: dict[str, float] = key(description="of all that is measured")
    memory_bytes: Positive | None = key(None, description="largest resident set of a process")
    mpi: MpiTimes | None = key(None, description="null: no snapshot")

    @property
    def title(self) -> str:
        """Its change with its scale, where there are several."""
        if not self.scale:
            return self.label
        return self.scale if self.is_base else f"{self.label}, {self.scale}"


class Noise(DocumentPart):
    """The base against itself."""

    scale: str
    pairs: Count
    floor: Positive | None = key(
        description="largest share that the interval of their ratio reaches; null: too few pairs"
    )
    verdict: Word = key(description="anything but no difference: the machine is not steady")


class Winner(DocumentPart):
    """What to use at a scale."""

    scale: str
    point: str | None = key(description="name; null: no point is significantly faster")
    sentence: str


class Host(DocumentPart):
    """Where the study ran, or was submitted from."""

    name: str
    cores: Count
    system: str


class StudyResult(DocumentPart):
    """One study."""

    schema_name: Literal["halocline.study"] = key(name="schema")
    schema_version: Literal[1] = key(description="1; raised when a key changes its meaning")
    made_by: str = key(description="halocline and its version")
    title: str
    study_file: str = key(description="path")
    study_text: str = key(description="what the study file said")
    host: Host
    started: str = key(description="UTC, ISO 8601; the first run")
    ended: str = key(description="UTC, ISO 8601; the last run")
    ending: str = key(description="why no more runs were made")
    seed: Count = key(description="of the order of runs")
    by: str = key(description="what points are compared by")
    unit: str
    units: dict[str, str] = key(description="of all that is measured")
    better: Literal["smaller", "larger"]
    confidence: Positive
    scaling: Literal["strong", "weak", "none"]
    runs: Count = key(description="all, trials and failures included")
    run_s: Positive = key(description="wall time of all runs")
    core_hours: Positive = key(description="their wall time × cores")
    noise: list[Noise]
    points: list[PointResult]
    winners: list[Winner]
    cautions: list[str]


RESULT = DocumentKind(StudyResult, SCHEMA_NAME, SCHEMA_VERSION, "study")
