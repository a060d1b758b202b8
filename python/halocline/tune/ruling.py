# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""From winners of points to what the library reads: a rules file, a selection tree, variables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from halocline.files.output_file import write_text
from halocline.preload.family import Family
from halocline.tune import mpich_rules, openmpi_rules
from halocline.tune.candidates import (
    DYNAMIC,
    RULES_FILE,
    SEGMENTS,
    Algorithm,
    forced_algorithm,
    openmpi_variable,
)
from halocline.tune.choosing import Contest, common_winner
from halocline.tune.library import Library
from halocline.tune.measuring import base_setting
from halocline.tune.rules import Ruling
from halocline.tune.settings import MCA, Setting

OPENMPI_FILE = "openmpi-rules.conf"
FAN_OUT = "_chain_fanout"
MPICH_FILE = "mpich-selection.json"
MPICH_TREE = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"


@dataclass(frozen=True)
class Ruled:
    """What is set: variables, files by variable, and what these say."""

    environment: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    rulings: list[Ruling] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)  # sentences

    def setting(self, folder: Path) -> Setting:
        """Return the setting, with files in `folder`."""
        return Setting(self.environment).with_files(self.files, folder)


def write_rules(
    library: Library, contests: Sequence[Contest], data: bytes, folder: Path
) -> Ruled | None:
    """Write the files of the winners; None where no point has one.

    Args:
        library: as described by its ranks.
        contests: all points that were measured.
        data: the library's file.
        folder: where the files go.
    """
    groups: dict[tuple[str, int], list[Contest]] = {}
    for contest in contests:
        point = contest.field.point
        groups.setdefault((point.function, point.members), []).append(contest)
    if library.family is Family.OPENMPI:
        ruled = _openmpi(library, groups, folder)
    else:
        ruled = _mpich(library, groups, data, folder)
    return ruled if ruled.rulings else None


@dataclass(frozen=True)
class Choice:
    """An algorithm for the size of a contest, or for all sizes of its function."""

    contest: Contest
    winner: Algorithm
    bounded: bool = True


def _ruling(choice: Choice) -> Ruling:
    point = choice.contest.field.point
    found = choice.contest.comparisons.get(choice.winner.name)
    return Ruling(
        function=f"MPI_{point.function}",
        members=point.members,
        low_bytes=point.low if choice.bounded else 0,
        high_bytes=point.high if choice.bounded else None,
        algorithm=choice.winner.title,
        ratio=found.ratio if found else 1.0,
    )


Groups = dict[tuple[str, int], list[Contest]]


def _openmpi(library: Library, groups: Groups, folder: Path) -> Ruled:
    user_file = library.value(RULES_FILE) if library.value(DYNAMIC) == "1" else ""
    rules = openmpi_rules.read_rules(Path(user_file)) if user_file else openmpi_rules.Rules()
    environment = dict(base_setting(library).environment)
    rulings: list[Ruling] = []
    names: dict[int, dict[int, str]] = {}
    for (function, members), contests in sorted(groups.items()):
        fan_out = _number(library, openmpi_variable(function) + FAN_OUT)
        chosen = _openmpi_choices(function, contests)
        if not chosen:
            continue
        rulings += [_ruling(each) for each in chosen]
        number = openmpi_rules.NUMBERS[function]
        names[number] = dict(library.variables[openmpi_variable(function)].items)
        forced = forced_algorithm(library, function)
        if forced:  # Open MPI would look at it before it looks at rules, or after, by its version
            environment[MCA + openmpi_variable(function)] = "0"
            if number not in rules.functions:
                always = (_forced_row(library, function, forced),)
                rules = openmpi_rules.Rules({**rules.functions, number: {1: always}})
        base = rules.rows(number, members)
        stretches = [_openmpi_stretch(each, fan_out) for each in chosen]
        rows = openmpi_rules.overlaid(base, stretches)
        rules = rules.with_rows(number, members, rows)
    environment.pop(MCA + RULES_FILE, None)
    if rulings:
        heading = f"by halocline tune, for {library.version}"
        write_text(folder / OPENMPI_FILE, openmpi_rules.rules_text(rules, heading, names))
    return Ruled(environment, {MCA + RULES_FILE: OPENMPI_FILE}, rulings)


def _forced_row(library: Library, function: str, forced: int) -> openmpi_rules.Row:
    """What the user forces, as a row: it holds where no rule does."""
    name = openmpi_variable(function)
    fan_out, segments = _number(library, name + FAN_OUT), _number(library, name + SEGMENTS)
    return openmpi_rules.Row(0, forced, fan_out, segments)


def _number(library: Library, name: str) -> int:
    value = library.value(name) or ""
    return int(value) if value.isdigit() else 0


def _openmpi_choices(function: str, contests: Sequence[Contest]) -> list[Choice]:
    """Return which algorithm is to be taken where."""
    if function not in openmpi_rules.NUMBERS:
        return []
    if function not in openmpi_rules.SIZED:
        winner = common_winner(contests)
        return [] if winner is None else [Choice(contests[0], winner, bounded=False)]
    by_size = sorted(contests, key=lambda each: each.field.point.low)
    return [Choice(each, each.winner) for each in by_size if each.winner is not None]


def _openmpi_stretch(choice: Choice, fan_out: int) -> openmpi_rules.Stretch:
    point, winner = choice.contest.field.point, choice.winner
    row = openmpi_rules.Row(0, winner.value, fan_out, winner.segments or 0)
    if not choice.bounded:
        return openmpi_rules.Stretch(0, openmpi_rules.NO_BOUND, row)
    return openmpi_rules.stretch(point.function, point.members, (point.low, point.high), row)


def _mpich(library: Library, groups: Groups, data: bytes, folder: Path) -> Ruled:
    """One variable where one algorithm serves all sizes of a function, else the selection tree."""
    by_function: dict[str, list[Contest]] = {}
    for (function, _), contests in sorted(groups.items()):
        by_function.setdefault(function, []).extend(contests)
    environment: dict[str, str] = {}
    rulings: list[Ruling] = []
    left_out: list[str] = []
    user_file = library.value(MPICH_TREE)
    tree = first = (
        mpich_rules.read_tree(Path(user_file)) if user_file else mpich_rules.built_in_tree(data)
    )
    for function, contests in by_function.items():
        winner = common_winner(contests)
        if winner is not None:
            environment[winner.variable] = winner.label
            rulings += [_ruling(Choice(each, winner, bounded=False)) for each in contests]
            continue
        won = [Choice(each, each.winner) for each in contests if each.winner is not None]
        ruled = [each for each in won if tree is not None and _is_in_rules(each, tree, data)]
        left_out += [_left_out(each) for each in won if each not in ruled]
        rulings += [_ruling(each) for each in ruled]
        for members in sorted({each.contest.field.point.members for each in ruled}):
            here = [each for each in ruled if each.contest.field.point.members == members]
            if tree is not None:
                stretches = [_mpich_stretch(each, tree) for each in here]
                tree = mpich_rules.with_rules(tree, function, members, stretches)
    if tree is first:
        return Ruled(environment, {}, rulings, left_out)
    write_text(folder / MPICH_FILE, json.dumps(tree, indent=1) + "\n")
    return Ruled(environment, {MPICH_TREE: MPICH_FILE}, rulings, left_out)


def _is_in_rules(choice: Choice, tree: dict[str, object], data: bytes) -> bool:
    """Whether a selection tree can name an algorithm, and has a branch for its function."""
    function = choice.contest.field.point.function
    name = mpich_rules.algorithm_key(function, choice.winner.label)
    known = mpich_rules.function_key(function) in tree and name.encode() in data
    return known and "_POSIX_" not in choice.winner.variable


def _left_out(choice: Choice) -> str:
    point = choice.contest.field.point
    return (
        f"{choice.winner.label} was faster for MPI_{point.function} of {point.bytes} bytes only, "
        "and MPICH's selection file has no name for it"
    )


def _mpich_stretch(choice: Choice, tree: dict[str, object]) -> tuple[int, int, str]:
    """Return sizes as the tree asks for them, from and up to (past the end), and the algorithm."""
    point = choice.contest.field.point
    function, low, high = point.function, point.low, point.high
    if mpich_rules.size_key(tree, function) == "total_msg_size":
        scale = point.members if function.startswith("Allgather") else 1
        low, high = low * scale, (high - 1) * scale + 1
    elif function.startswith("Alltoall"):
        low, high = low // point.members, -(-high // point.members)
    return low, high, mpich_rules.algorithm_key(function, choice.winner.label)
