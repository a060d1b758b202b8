# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Searches combinations of settings on the whole program, within a budget of seconds or runs.

Every trial runs next to the user's own launch line; their ratio is what counts, so that a machine
that slows down fools nobody. Each change alone comes first, then what optuna's estimator (TPE)
proposes. A few finalists are measured more often; of the best one, changes that do nothing are
taken back. It is only a candidate: among many trials some look fast by chance, and `proof` measures
it anew.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from halocline.statistics import median_interval
from halocline.tune.parameters import Parameter
from halocline.tune.program import BASE, Program
from halocline.tune.settings import Setting

RULES_KEY = "rules"
FAILED = 10.0
"""The ratio reported to optuna for a trial that failed or gave other results."""
FINALISTS = 3
FINAL_ROUNDS = 4
NEEDLESS_ROUNDS = 3
TOLERATED = 0.01
"""A change whose absence costs no more than this is needless."""
TRIAL = "trial"


@dataclass(frozen=True)
class Space:
    """What can be combined: algorithms of collectives on or off, and parameters."""

    rules: Setting | None
    parameters: Sequence[Parameter]

    def sizes(self) -> dict[str, int]:
        """Return how many choices each part has; choice 0 is the present state."""
        found = {RULES_KEY: 2} if self.rules is not None else {}
        return found | {each.name: len(each.values) + 1 for each in self.parameters}

    def setting(self, choices: dict[str, int]) -> Setting:
        """Return the setting of some choices."""
        made = self.rules if self.rules is not None and choices.get(RULES_KEY) else Setting()
        for each in self.parameters:
            choice = choices.get(each.name, 0)
            if choice:
                made = made.joined(each.setting(each.values[choice - 1]))
        return made

    def singles(self) -> list[dict[str, int]]:
        """Return every change alone."""
        nothing = dict.fromkeys(self.sizes(), 0)
        return [
            {**nothing, name: choice}
            for name, size in self.sizes().items()
            for choice in range(1, size)
        ]


@dataclass
class Trial:
    """Choices with the ratios (time over that of the base next to it) measured so far."""

    choices: dict[str, int]
    setting: Setting
    ratios: list[float]
    peak_bytes: list[int]
    base_peak_bytes: list[int]
    problem: str | None = None

    @property
    def ratio(self) -> float:
        """The median ratio; infinite where the setting does not work."""
        if self.problem or not self.ratios:
            return math.inf
        return median_interval(self.ratios).value


@dataclass(frozen=True)
class Budget:
    """Seconds and runs that a search may take; None: no bound."""

    seconds: float | None
    runs: int | None

    def used(self, seconds: float, runs: int) -> float:
        """Return which share of it is used, the larger of the two; from 1 on nothing is left."""
        spent = ((seconds, self.seconds), (runs, self.runs))
        shares = [now / most if most > 0 else 1.0 for now, most in spent if most is not None]
        return max(shares, default=0.0)

    def divided(self, proof_s: float, looks: int) -> tuple[Budget, int]:
        """Return what a search may take, and how many looks the proof.

        Args:
            proof_s: what a look takes.
            looks: the most; fewer where the search would be left less time than one takes.
        """
        if self.seconds is None:
            return Budget(3 * proof_s if self.runs is None else None, self.runs), looks
        looks = max(1, min(looks, int(self.seconds / proof_s) - 1))
        return Budget(self.seconds - looks * proof_s, self.runs), looks


class Search:
    """Trials of a space on a program."""

    def __init__(self, program: Program, space: Space, seed: int) -> None:
        """Nothing runs yet."""
        self._program = program
        self._space = space
        self._seed = seed
        self.trials: list[Trial] = []
        self._spent_s = 0.0

    def run(self, budget: Budget, progress: Callable[[float], None]) -> Trial | None:
        """Search, and return the best finalist; None where nothing was faster.

        Runs that the journal holds already are not run again, but count as they did then.
        """
        runs = 0
        for choices in self._proposals():
            used = budget.used(self._spent_s, runs)
            if used >= 1.0:
                break
            progress(used)
            self._try(choices)
            runs += 2
        best = self._final()
        return self._without_needless(best) if best is not None else None

    def _proposals(self) -> Iterator[dict[str, int]]:
        """Yield choices; what came of them is known when the next are asked for."""
        sizes = self._space.sizes()
        singles = self._space.singles()
        combinations = math.prod(sizes.values())
        if combinations - 1 == len(singles):
            yield from singles
            return
        sampler = _Sampler(sizes, singles, self._seed)
        seen: set[tuple[int, ...]] = set()
        repeated = 0
        while len(seen) < combinations and repeated < 20:
            choices = sampler.ask()
            key = tuple(choices.values())
            if key in seen or not any(key):
                repeated += 1
                sampler.tell(self._known(choices))
                seen.add(key)
                continue
            seen.add(key)
            yield choices
            sampler.tell(min(self._known(choices), FAILED))

    def _known(self, choices: dict[str, int]) -> float:
        found = [trial.ratio for trial in self.trials if trial.choices == choices]
        return min(found[0], FAILED) if found else 1.0

    def _try(self, choices: dict[str, int]) -> None:
        trial = self._with_choices(choices)
        self.trials.append(trial)
        self._measure([trial], f"search {len(self.trials)}")

    def _measure(self, trials: Sequence[Trial], name: str) -> None:
        settings = {BASE: Setting()}
        settings |= {f"{TRIAL} {place}": trial.setting for place, trial in enumerate(trials)}
        runs = self._program.round(name, settings, str(self._seed))
        self._spent_s += sum(run.wall_s for run in runs.values())
        base = runs[BASE]
        for place, trial in enumerate(trials):
            run = runs[f"{TRIAL} {place}"]
            if not self._program.matches(run):
                trial.problem = run.problem or "its results are not those of the first run"
            elif base.time_s and run.time_s:
                trial.ratios.append(run.time_s / base.time_s)
                if run.peak_bytes and base.peak_bytes:
                    trial.peak_bytes.append(run.peak_bytes)
                    trial.base_peak_bytes.append(base.peak_bytes)

    def _final(self) -> Trial | None:
        """Measure the best trials some more; the rules alone are among them."""
        works = sorted((trial for trial in self.trials if not trial.problem), key=_ratio)
        finalists = works[:FINALISTS]
        alone = [t for t in works if t.choices.get(RULES_KEY) and sum(t.choices.values()) == 1]
        finalists += [trial for trial in alone if trial not in finalists]
        if not finalists:
            return None
        for place in range(FINAL_ROUNDS):
            standing = [trial for trial in finalists if not trial.problem]
            if standing:
                self._measure(standing, f"final {place}")
        best = min(finalists, key=_ratio)
        return best if best.ratio < 1.0 else None

    def _without_needless(self, best: Trial) -> Trial:
        """Take back changes without which the best one is as fast."""
        changed = [name for name, choice in best.choices.items() if choice]
        if len(changed) < 2:
            return best
        without = {name: self._with_choices({**best.choices, name: 0}) for name in changed}
        for place in range(NEEDLESS_ROUNDS):
            self._measure([best, *without.values()], f"needless {place}")
        kept = {
            name: best.choices[name]
            for name, trial in without.items()
            if not self._is_as_fast(trial, best)
        }
        if not kept or len(kept) == len(changed):
            return best
        pruned = self._with_choices({**dict.fromkeys(best.choices, 0), **kept})
        for place in range(NEEDLESS_ROUNDS):
            self._measure([best, pruned], f"pruned {place}")
        self.trials.append(pruned)
        return pruned if self._is_as_fast(pruned, best) else best

    def _with_choices(self, choices: dict[str, int]) -> Trial:
        return Trial(choices, self._space.setting(choices), [], [], [])

    def _is_as_fast(self, trial: Trial, best: Trial) -> bool:
        """Compare a trial with the best one in the rounds that both ran last."""
        recent = best.ratios[-NEEDLESS_ROUNDS:]
        if trial.problem or best.problem or not recent:
            return False
        return trial.ratio <= (1.0 + TOLERATED) * median_interval(recent).value


def _ratio(trial: Trial) -> float:
    return trial.ratio


class _Sampler:
    """Optuna's estimator over choices by number; it is repeatable by its seed."""

    def __init__(self, sizes: dict[str, int], first: Sequence[dict[str, int]], seed: int) -> None:
        try:
            import optuna
        except ImportError:
            self._study = None
            self._left = list(first)
            return
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=max(10, len(first) // 2))
        self._study = optuna.create_study(sampler=sampler)
        for choices in first:
            self._study.enqueue_trial(choices)
        self._sizes = sizes
        self._trial: Any = None

    def ask(self) -> dict[str, int]:
        if self._study is None:
            return self._left.pop(0) if self._left else {}
        self._trial = self._study.ask()
        return {
            name: self._trial.suggest_categorical(name, list(range(size)))
            for name, size in self._sizes.items()
        }

    def tell(self, ratio: float) -> None:
        if self._study is not None:
            self._study.tell(self._trial, ratio)
