# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A tuning from the first run to the proof: record, measure, choose, search, prove."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from halocline import __version__
from halocline.errors import RunFailedError, UsageError
from halocline.files.lock import locked
from halocline.preload.family import Family, family_of
from halocline.snapshot.folder import RANK_FOLDER, prepare_folder
from halocline.snapshot.raw import read_ranks
from halocline.snapshot.recording import Settings as RecorderSettings
from halocline.snapshot.recording import plan_recording
from halocline.tune.bench import Bench
from halocline.tune.choosing import Contest, judge
from halocline.tune.folder import JOURNAL_NAME, RECORD_FOLDER, RESULTS, tuning_place
from halocline.tune.journal import Journal
from halocline.tune.library import Library, program_library
from halocline.tune.measuring import fields_of, measure_fields
from halocline.tune.parameters import CATALOGUE, asked_parameters, catalogue, known_parameters
from halocline.tune.points import Point, recorded_points, worth_measuring
from halocline.tune.program import Program
from halocline.tune.progress import Progress
from halocline.tune.proof import LOOKS, Plan, Proof, least_pairs, prove
from halocline.tune.ruling import Ruled, write_rules
from halocline.tune.runs import Reading, Run, run_program
from halocline.tune.search import Budget, Search, Space, Trial
from halocline.tune.settings import Setting

LEAST_SHARE = 0.002
MOST_POINTS = 24
RUNS_A_PAIR = 3
BENCH_ERROR_RATE = 0.01
MPI_VARIABLES = ("OMPI_", "PRTE_", "MPIR_", "HYDRA_", "UCX_", "FI_")


@dataclass(frozen=True)
class Options:
    """What a tuning is asked for."""

    pairs: int = 12
    error_rate: float = 0.01
    budget: Budget = field(default_factory=lambda: Budget(None, None))
    collectives: bool = True
    parameters: bool = True
    asked: tuple[str, ...] = ()
    catalogue: Path = CATALOGUE
    seed: int = 1
    limit_s: float | None = None

    def verify(self) -> None:
        """Raise UsageError where a verdict would be impossible."""
        if not 0.0 < self.error_rate < 0.5:
            raise UsageError(
                f"--error-rate {self.error_rate} makes no sense (it is a probability below 0.5). "
                "Take 0.01."
            )
        least = least_pairs(self.error_rate)
        if self.pairs < least:
            raise UsageError(
                f"--pairs {self.pairs} are too few (at an error rate of {self.error_rate:g} even "
                f"the clearest gain needs {least}). Take more pairs or a larger rate."
            )


@dataclass
class Tuning:
    """What was found; parts that were not reached are None or empty."""

    words: list[str]
    family: Family
    options: Options
    reading: Reading
    first: Run
    library: Library
    elapsed_s: float = 0.0
    recorded: list[Point] = field(default_factory=list)
    own_operations: bool = False
    contests: list[Contest] = field(default_factory=list)
    ruled: Ruled | None = None
    trials: list[Trial] = field(default_factory=list)
    best: Setting | None = None
    best_choices: dict[str, int] = field(default_factory=dict)
    proof: Proof | None = None

    @property
    def reason(self) -> str | None:
        """Why there is no decision; None: there is one."""
        if self.proof is not None:
            return self.proof.reason
        return "nothing that was tried looked faster than the present settings"


def tune(
    words: Sequence[str],
    folder: Path,
    reading: Reading,
    options: Options,
    family: str | None = None,
) -> Tuning:
    """Tune a launch line; what an earlier call in this folder has found is not measured again.

    Raises:
        RunFailedError: the program does not run as it is.
        UsageError, InvalidInputError, MissingEnvironmentError: see the message.
    """
    options.verify()
    tables = catalogue(options.catalogue)
    found = family_of(words, family)
    library = program_library(words)
    if library is None:
        raise UsageError(
            "no program of this launch line is linked to an MPI library (its benchmark could not "
            "take the program's place). Name the program itself, not a script that starts it."
        )
    bench = Bench(words, found, folder)
    with locked(tuning_place(folder)):
        journal = Journal(folder / JOURNAL_NAME, _identity(words, reading, options, library.path))
        for name in RESULTS:  # of this tuning: the journal of another one has been refused
            (folder / name).unlink(missing_ok=True)
        work = _Work(list(words), found, folder, reading, options, journal, bench)
        try:
            return work.run(library.path.read_bytes(), tables)
        finally:
            work.progress.clear()
            journal.close()


def _identity(
    words: Sequence[str], reading: Reading, options: Options, library: Path
) -> dict[str, Any]:
    plain = asdict(options)
    plain |= {"catalogue": str(options.catalogue), "asked": list(options.asked)}
    chosen = {name: value for name, value in os.environ.items() if name.startswith(MPI_VARIABLES)}
    return {
        "halocline": __version__,
        "command": list(words),
        "MPI variables": chosen,
        "working folder": str(Path.cwd()),
        "MPI library": str(library.resolve()),
        "options": plain,
        "time": reading.time.pattern if reading.time else None,
        "results": [each.pattern for each in reading.results],
        "tolerance": reading.tolerance,
    }


@dataclass
class _Work:
    """The steps of a tuning, one method each."""

    words: list[str]
    family: Family
    folder: Path
    reading: Reading
    options: Options
    journal: Journal
    bench: Bench

    def __post_init__(self) -> None:
        self.progress = Progress()
        self.program = Program(
            self.words, self.family, self.reading, self.journal, self.options.limit_s
        )

    def run(self, data: bytes, tables: list[dict[str, Any]]) -> Tuning:
        if self.journal.resumed:
            self.progress.stage("going on where an earlier call ended")
        self.progress.stage("running the program as it is")
        first = self.program.run_first()
        self._require_budget(first)
        library = self.bench.describe(Setting())
        found = Tuning(self.words, self.family, self.options, self.reading, first, library)
        if self.options.collectives:
            self._record(found)
            self._measure(found, data)
        budget, looks = self.options.budget.divided(self._proof_s(first), LOOKS)
        self._search(found, tables, budget)
        if found.best is not None:
            self.progress.stage(f"proving it by {self.options.pairs} pairs of runs")
            plan = Plan(self.options.pairs, self.options.error_rate, self.options.seed, looks)
            found.proof = prove(self.program, found.best, plan, self.progress.share)
        return found

    def _proof_s(self, first: Run) -> float:
        return RUNS_A_PAIR * self.options.pairs * first.wall_s

    def _require_budget(self, first: Run) -> None:
        seconds = self.options.budget.seconds
        if seconds is not None and seconds < self._proof_s(first):
            raise UsageError(
                f"a budget of {seconds:g} s is too small (a run takes {first.wall_s:.1f} s, and "
                f"the proof alone needs {RUNS_A_PAIR * self.options.pairs} runs, "
                f"{self._proof_s(first):.0f} s). Give more, or tune a shorter run."
            )

    def _record(self, found: Tuning) -> None:
        folder = self.folder / RECORD_FOLDER
        if "record" not in self.journal:
            self.progress.stage("recording its collectives")
            prepare_folder(folder)
            settings = RecorderSettings(sites=False, io=False, openmp=False)
            plan = plan_recording(self.words, folder, self.family, settings)
            run = run_program(plan.command, {}, Reading(), self.options.limit_s)
            ranks = read_ranks(folder / RANK_FOLDER)
            if run.problem or not ranks:
                why = run.problem or "no rank left a file"
                raise RunFailedError(
                    f"the program does not run under the recorder ({why}). "
                    "Tune without collectives: --no-collectives."
                )
            elapsed_s = max(rank.recorded_ns for rank in ranks) * 1e-9
            points = [asdict(point) for point in recorded_points(ranks)]
            own = any(each.name == "MPI_Op_create" for rank in ranks for each in rank.functions)
            record = {"elapsed_s": elapsed_s, "points": points, "own_operations": own}
            self.journal.put("record", record)
        data = self.journal["record"]
        found.elapsed_s = data["elapsed_s"]
        found.own_operations = data["own_operations"]
        found.recorded = [Point(**each) for each in data["points"]]

    def _measure(self, found: Tuning, data: bytes) -> None:
        points = worth_measuring(found.recorded, found.elapsed_s, LEAST_SHARE)[:MOST_POINTS]
        fields = fields_of(found.library, points, data)
        if not fields:
            return
        count = sum(len(each.algorithms) for each in fields)
        self.progress.stage(f"measuring {count} algorithms at {len(fields)} points")
        measure_fields(
            self.bench,
            found.library,
            fields,
            self.journal,
            self.options.seed,
            self.progress.share,
        )
        found.contests = [judge(each, BENCH_ERROR_RATE) for each in fields]
        found.ruled = write_rules(found.library, found.contests, data, self.folder)

    def _search(self, found: Tuning, tables: list[dict[str, Any]], budget: Budget) -> None:
        parameters = asked_parameters(found.library, self.options.asked)
        if self.options.parameters:
            asked = {each.name for each in parameters}
            known = known_parameters(found.library, self.words, tables)
            parameters += [each for each in known if each.name not in asked]
        rules = found.ruled.setting(self.folder) if found.ruled else None
        space = Space(rules, parameters)
        if not space.singles():
            return
        if rules is not None and not parameters:
            found.best, found.best_choices = rules, {"rules": 1}
            return
        self.progress.stage(f"searching {len(space.singles())} changes and their combinations")
        search = Search(self.program, space, self.options.seed)
        best = search.run(budget, self.progress.share)
        found.trials = search.trials
        if best is not None:
            found.best, found.best_choices = best.setting, best.choices
