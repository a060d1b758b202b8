# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Search and proof on a program that is a formula: what is found, and what is not made up."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping

import pytest
from halocline.tune.parameters import Parameter
from halocline.tune.proof import Plan, Proof, least_pairs, prove
from halocline.tune.runs import Run
from halocline.tune.search import Budget, Search, Space
from halocline.tune.settings import Setting

Cost = Callable[[Mapping[str, str]], float]


class _Formula:
    """Stands for `Program`: a run takes what a formula of its variables says, with noise."""

    compares = True

    def __init__(self, cost: Cost, noise: float, seed: int) -> None:
        self._cost = cost
        self._noise = noise
        self._random = random.Random(seed)  # noqa: S311
        self.runs = 0

    def round(self, _name: str, settings: Mapping[str, Setting], _seed: str) -> dict[str, Run]:
        drift = math.exp(self._random.gauss(0.0, 0.3))  # a machine that is busy now and then
        return {each: self._run(setting, drift) for each, setting in settings.items()}

    def _run(self, setting: Setting, drift: float) -> Run:
        self.runs += 1
        time_s = (
            self._cost(setting.environment) * drift * math.exp(self._random.gauss(0, self._noise))
        )
        return Run(time_s, time_s, 1000, 0)

    def matches(self, run: Run) -> bool:
        return run.problem is None


def _flat(_: Mapping[str, str]) -> float:
    return 1.0


PARAMETERS = [Parameter(f"P{place}", "environment", tuple("abc")) for place in range(6)]


def _prove(program: _Formula, setting: Setting, pairs: int = 12) -> Proof:
    return prove(program, setting, Plan(pairs, 0.01, 1), lambda _: None)  # type: ignore[arg-type]


def _search(program: _Formula, space: Space, budget: Budget, seed: int = 1) -> Setting | None:
    best = Search(program, space, seed).run(budget, lambda _: None)  # type: ignore[arg-type]
    return best.setting if best else None


def test_nothing_to_gain_is_no_decision_in_twenty_of_twenty() -> None:
    for seed in range(20):
        program = _Formula(_flat, 0.05, seed)
        best = _search(program, Space(None, PARAMETERS), Budget(None, 80), seed)
        assert best is None or _prove(program, best).reason is not None


def test_a_false_gain_is_as_rare_as_stated() -> None:
    # 300 proofs of nothing at 1 %: both comparisons and the noise floor have to agree, so that
    # 6 or more have a probability below 10 % even if every proof took all of its 1 % (one side).
    gains = sum(
        _prove(_Formula(_flat, 0.05, seed), Setting({"x": "y"})).holds for seed in range(300)
    )
    assert gains < 6


def test_a_combination_that_pays_is_found_and_proved() -> None:
    def cost(variables: Mapping[str, str]) -> float:
        saved = 0.15 * (variables.get("P1") == "b") + 0.15 * (variables.get("P4") == "c")
        return 1.0 - saved + 0.3 * (variables.get("P0") is not None)

    program = _Formula(cost, 0.01, 1)
    best = _search(program, Space(None, PARAMETERS), Budget(None, 200))
    assert best is not None
    assert best.environment == {"P1": "b", "P4": "c"}  # what does nothing is taken back
    proof = _prove(program, best)
    assert proof.reason is None
    assert proof.comparison.ratio == pytest.approx(0.7, abs=0.05)


def test_rules_alone_stay_a_finalist() -> None:
    def cost(variables: Mapping[str, str]) -> float:
        return 0.5 if "RULES" in variables else 1.0

    space = Space(Setting({"RULES": "1"}), PARAMETERS[:1])
    best = _search(_Formula(cost, 0.0, 1), space, Budget(None, 20))
    assert best is not None
    assert "RULES" in best.environment


def test_the_budget_of_runs_ends_the_search() -> None:
    program = _Formula(_flat, 0.05, 1)
    _search(program, Space(None, PARAMETERS), Budget(None, 20))
    # 10 pairs, then 4 rounds of 3 finalists beside the base
    assert program.runs == 20 + 4 * 4


def test_the_budget_of_seconds_ends_the_search() -> None:
    program = _Formula(lambda _: 1.0, 0.0, 1)
    program._random.gauss = lambda *_: 0.0  # type: ignore[method-assign] # a second each
    _search(program, Space(None, PARAMETERS), Budget(10.0, None))
    assert program.runs == 10 + 4 * 4


def test_other_results_are_no_gain() -> None:
    class Wrong(_Formula):
        def matches(self, run: Run) -> bool:
            return run.time_s is not None and run.time_s > 0.5

    program = Wrong(lambda variables: 0.1 if variables else 1.0, 0.0, 1)
    program._random.gauss = lambda *_: 0.0  # type: ignore[method-assign]
    proof = _prove(program, Setting({"x": "y"}))
    assert proof.reason is not None
    assert "other results" in proof.reason


def test_a_slower_setting_is_named_so() -> None:
    proof = _prove(_Formula(lambda v: 2.0 if v else 1.0, 0.01, 1), Setting({"x": "y"}))
    assert proof.reason == "the settings that looked best make the program slower"


def test_pairs_that_cannot_prove_anything_are_known_before() -> None:
    # Signed ranks of n pairs err with 2 × 2^-n at least, and each of two looks has half the rate.
    assert least_pairs(0.01) == 9
    assert least_pairs(0.05) == 7


def test_a_gain_that_shows_but_cannot_be_told_gets_a_second_look() -> None:
    program = _Formula(lambda v: 0.95 if v else 1.0, 0.06, 3)
    proof = _prove(program, Setting({"x": "y"}))
    assert len(proof.times_s["base"]) == 24
    flat = _Formula(lambda v: 1.2 if v else 1.0, 0.06, 3)
    assert len(_prove(flat, Setting({"x": "y"})).times_s["base"]) == 12


@pytest.mark.parametrize("budget", [Budget(None, 0), Budget(0.0, None)])
def test_a_budget_of_nothing_tries_nothing(budget: Budget) -> None:
    program = _Formula(_flat, 0.05, 1)
    assert _search(program, Space(None, PARAMETERS), budget) is None
    assert program.runs == 0


@pytest.mark.parametrize(
    ("seconds", "search_s", "looks"),
    [(None, 30.0, 2), (10.0, 0.0, 1), (15.0, 5.0, 1), (29.0, 19.0, 1), (30.0, 10.0, 2)],
)
def test_search_and_proof_keep_to_the_budget_together(
    seconds: float | None, search_s: float, looks: int
) -> None:
    """A look takes 10 s."""
    assert Budget(seconds, None).divided(10.0, 2) == (Budget(search_s, None), looks)
    left = Budget(seconds, 7).divided(10.0, 2)[0]
    assert left == Budget(None if seconds is None else search_s, 7)
