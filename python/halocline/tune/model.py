# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The typed report of one tuning, version 1: what `halocline tune` writes beside its rules."""

from __future__ import annotations

from typing import Literal

from halocline.documents.part import DocumentPart, key
from halocline.tune.rules import Gain, Ruling

SCHEMA_NAME = "halocline.tune"
SCHEMA_VERSION = 1


class AlgorithmReport(DocumentPart):
    """One algorithm at one point, beside the default."""

    name: str = key(description="as the library names it")
    state: str = key(
        description="ok; slow: given up; wrong: false result; error: MPI refused; crashed; "
        "refused: cannot be set"
    )
    median_s: float | None = key(None, description="a call on the slowest rank")
    ratio: float | None = key(None, description="its time over the default's, paired")
    low: float | None = key(None, description="lower end of the interval of the ratio")
    high: float | None = key(None, description="upper end")
    verdict: str | None = key(None, description="faster, slower or no difference can be told")
    wins: bool = key(False, description="it was chosen for this point")


class PointReport(DocumentPart):
    """Calls of one function, communicator size and message size."""

    function: str = key(description="e.g. `MPI_Allreduce`")
    members: int = key(description="ranks of the communicator")
    bytes: int = key(description="mean size, as docs/formats/snapshot-raw.md counts it")
    calls: int = key(description="of a run, each counted once")
    seconds: float = key(description="in them, mean over ranks, waiting included")
    percent: float = key(description="100 × seconds ÷ elapsed time of the recorded run")
    default_s: float | None = key(None, description="median of a call by the default; benchmark")
    noise: float | None = key(None, description="share by which the default differs from itself")
    saving_s: float = key(0.0, description="calls × what the winner saves a call; benchmark")
    algorithms: list[AlgorithmReport] = key(
        default_factory=list, description="empty: not measured, too little time is spent there"
    )


class TrialReport(DocumentPart):
    """Settings that were tried on the whole program."""

    change: str = key(description="what differs from the user's launch line")
    single: bool = key(description="one change alone")
    ratio: float | None = key(None, description="median of time over that of the run beside it")
    runs: int = key(description="how many such pairs")
    peak_bytes: int | None = key(None, description="largest resident memory of a process, median")
    base_peak_bytes: int | None = key(None, description="the same of the runs beside it")
    problem: str | None = key(None, description="why it does not count")


class SideReport(DocumentPart):
    """One side of the proof."""

    name: Literal["base", "again", "tuned"] = key(description="again: the base a second time")
    median_s: float | None = key(description="median time")
    low_s: float | None = key(description="lower end of its interval")
    high_s: float | None = key(description="upper end")
    times_s: list[float | None] = key(description="of each round; null: a run failed")
    peak_bytes: int = key(
        description="largest resident memory of a process, median; 0: less than halocline's own"
    )


class ProofReport(DocumentPart):
    """What the whole program said."""

    sides: list[SideReport]
    gain: Gain
    compared_results: bool = key(description="false: exit codes alone were compared")


class TuneReport(DocumentPart):
    """One tuning."""

    schema_name: Literal["halocline.tune"] = key(
        name="schema", description="always `halocline.tune`"
    )
    schema_version: Literal[1] = key(description="1; raised when a key changes its meaning")
    made_by: str = key(description="halocline and its version")
    made: str = key(description="UTC, ISO 8601")
    host: str = key(description="where it ran")
    command: list[str] = key(description="launch line as given")
    family: Literal["openmpi", "mpich"] = key(description="MPI family")
    library: str = key(description="version of the library")
    ranks: int
    decision: bool = key(description="whether rules were written")
    reason: str | None = key(description="why there is no decision")
    time_is: str = key(description="what counts as the time of a run")
    first_run_s: float = key(description="time of the first run")
    recorded_s: float | None = key(description="elapsed time of the recorded run")
    points: list[PointReport] = key(description="most time first")
    rulings: list[Ruling] = key(description="algorithms that the change sets")
    notes: list[str] = key(default_factory=list, description="what was left out, and why")
    trials: list[TrialReport] = key(default_factory=list, description="least time first")
    change: str | None = key(None, description="the settings that were proved or not")
    proof: ProofReport | None = key(None, description="null: nothing looked faster")
    launch_line: str | None = key(None, description="the command with the settings; decision only")
    apply_line: str | None = key(None, description="the same by `halocline tune --apply`")
