# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The typed study file (`study.toml`): every section, key, default and limit."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from halocline.case.section import PATTERN_WORDS, Section
from halocline.case.submit_section import Duration, SubmitSection, VariableName

PERCENT = r"^[0-9]+(\.[0-9]+)? ?%$"
PATTERN_WORDS[PERCENT] = 'a part is written with its unit, as "2 %"'
Share = Annotated[str, Field(pattern=PERCENT)]
Design = Literal["product", "one at a time", "points"]


def _pattern(text: str) -> str:
    import re

    try:
        groups = re.compile(text).groups
    except re.error as error:
        raise ValueError(f"no regular expression, {error}") from None
    if groups != 1:
        raise ValueError(
            f"must have one pair of parentheses, around what is looked for, not {groups}"
        )
    return text


Pattern = Annotated[str, AfterValidator(_pattern)]


class ProgramSection(Section):
    """What runs."""

    command: str | list[str] | None = Field(
        None, description="words of the program, {NAME} for variables; without mpirun, as a rule"
    )
    case: str | None = Field(None, description="a case file in place of a command")
    programs: dict[Literal["openmpi", "mpich"], str] = Field(
        default_factory=dict, description="what {program} stands for with each MPI library"
    )
    environment: dict[VariableName, str] = Field(
        default_factory=dict, description="variables of all points, {NAME} allowed"
    )
    files: list[str] = Field(
        default_factory=list,
        description="copied into the folder of each run; empty: runs start beside the study file",
    )
    launcher: Literal["auto", "mpirun", "none"] = Field(
        "auto", description="auto: mpirun where ranks are given and the command brings none"
    )

    @property
    def words(self) -> list[str]:
        """The words of the command; raises ValueError where a quotation mark is missing."""
        import shlex

        given = self.command
        return shlex.split(given) if isinstance(given, str) else list(given or [])


class ScalingSection(Section):
    """Scaling studies in short."""

    strong: list[int | str] | None = Field(
        None, description='ranks, or "RANKSxTHREADS", "HOSTSxRANKSxTHREADS", at the same size'
    )
    weak: list[int | str] | None = Field(None, description="the same while `grows` grows")
    grows: str | None = Field(None, description="the variable that grows with the cores")
    each: int | None = Field(None, ge=1, description="its value for one core")


class RunSection(Section):
    """How it runs."""

    confidence: float = Field(
        0.95, gt=0.5, lt=1.0, description="of intervals; 1 - it: false differences, all together"
    )
    width: Share = Field(
        "2 %", description="repeat until the median is known within so much of it, up and down"
    )
    least: int = Field(6, ge=2, description="rounds at least")
    most: int = Field(30, ge=2, description="rounds at most")
    noise_rounds: int = Field(6, ge=0, description="rounds of the base against itself, first")
    twins: bool = Field(True, description="the base runs twice in each round, as a control")
    budget_time: Duration | None = Field(None, description='end after so long, e.g. "30m"')
    budget_runs: int | None = Field(None, ge=1, description="end after so many runs")
    time_limit: Duration = Field("1h", description="a run that takes longer has failed")
    seed: int = Field(1, ge=0, description="of the order of runs")
    jobs: int = Field(1, ge=1, description="jobs of a scheduler that wait or run at a time")
    arrays: bool = Field(
        False, description="submit a round as arrays of jobs, `jobs` of each at a time"
    )
    keep: bool = Field(False, description="keep what runs leave in their folders")


class PatternSection(Section):
    """A number in the output of the program."""

    pattern: Pattern = Field(description="a regular expression; the number in parentheses")
    unit: str = Field(min_length=1, description='e.g. "s", "MB/s"; "1" for a number without one')
    better: Literal["smaller", "larger"] = Field("smaller", description="what is an improvement")
    take: Literal["first", "last", "sum", "largest"] = Field(
        "last", description="of several that match"
    )


class MeasureSection(Section):
    """What is measured beside wall time, CPU time and memory."""

    by: str = Field("", description="what settings are compared by; empty: see docs/study.md")
    snapshot: Literal["once", "every", "never"] = Field(
        "once", description="record MPI in one run more of each point, in every run, or never"
    )
    patterns: dict[VariableName, PatternSection] = Field(default_factory=dict)
    records: list[str] = Field(
        default_factory=list, description='keys of run records, e.g. "results.compute_s"'
    )


class CheckSection(Section):
    """When results count as those of the base."""

    pattern: Pattern | None = Field(None, description="what must be the same in the output")
    files: list[str] = Field(
        default_factory=list, description="result files or folders to `halocline compare`"
    )
    absolute: float = Field(0.0, ge=0.0, description="accepted absolute difference")
    relative: float = Field(0.0, ge=0.0, description="accepted relative difference")


class StudyFile(Section):
    """A study file."""

    title: str = Field("", description="shown on the page")
    design: Design = Field(
        "product",
        description="of `vary`: all combinations; the base and one change at a time; `points`",
    )
    exclude: list[str] = Field(
        default_factory=list, description='conditions, e.g. "ranks * threads > 4"'
    )
    program: ProgramSection = Field(description="what runs")
    base: dict[str, Any] = Field(default_factory=dict, description="the base: a value a variable")
    vary: dict[str, Any] = Field(default_factory=dict, description="a list of values a variable")
    points: list[dict[str, Any]] = Field(default_factory=list, description="changes of the base")
    scaling: ScalingSection | None = Field(None, description="all of it at several scales")
    run: RunSection = Field(default_factory=RunSection, description="how it runs")
    submit: SubmitSection | None = Field(None, description="run as batch jobs")
    measure: MeasureSection = Field(default_factory=MeasureSection, description="what is measured")
    check: CheckSection | None = Field(None, description="when results are those of the base")
