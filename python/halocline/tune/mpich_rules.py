# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""MPICH's selection file: a tree of questions that ends in names of algorithms.

The library carries its own tree as text. Rules are put in front of the part of a function: for
communicators of one size, and sizes in some stretches, another algorithm; for all else a copy of
what stood there, because MPICH never goes back up the tree. What its own tree asks about a call
before it takes an algorithm (in place? commutative?) is asked again: the tree is not checked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from halocline.documents.store import read_json
from halocline.errors import InvalidInputError

START = b'{"collective='
SIZE_KEYS = ("avg_msg_size", "total_msg_size")
# Questions that say whether an algorithm may be taken at all: (not measured, as measured). The
# benchmark has separate buffers, a built-in sum and more elements than ranks.
GUARDS = (
    ("is_sendbuf_inplace=yes", "is_sendbuf_inplace=no"),
    ("is_commutative=no", "is_commutative=yes"),
    ("is_op_built_in=no", "is_op_built_in=yes"),
    ("is_block_regular=no", "is_block_regular=yes"),
    ("count<pow2", "count=any"),
)


def built_in_tree(data: bytes) -> dict[str, Any] | None:
    """Return the tree of MPICH's own algorithms in a library's file; None where there is none."""
    decoder = json.JSONDecoder()
    place = data.find(START)
    while place >= 0:
        end = data.find(b"\0", place)
        text = data[place:end].decode("utf-8", errors="replace")
        place = data.find(START, end)
        if "algorithm=MPIR_Allreduce_intra" not in text:
            continue
        try:
            tree, _ = decoder.raw_decode(text)
        except ValueError:
            continue
        if isinstance(tree, dict):
            return tree
    return None


def read_tree(file: Path) -> dict[str, Any]:
    """Return the tree of a selection file of the user."""
    tree = read_json(file, f"selection file of MPICH ({file}, which its variable names)")
    if not isinstance(tree, dict):
        raise InvalidInputError(
            f"{file} is not a selection file of MPICH (it holds no object). Tune without it."
        )
    return tree


def function_key(function: str) -> str:
    """Return the key of the branch of a function."""
    return f"collective={function.lower()}"


def algorithm_key(function: str, label: str) -> str:
    """Return the end of a branch for an algorithm by the name that its variable has for it."""
    return f"algorithm=MPIR_{function}_intra_{label}"


def size_key(tree: dict[str, Any], function: str) -> str | None:
    """Return which size the tree asks for a function; None: it asks none."""
    text = json.dumps(tree.get(function_key(function), {}))
    return next((key for key in SIZE_KEYS if f'"{key}' in text), None)


def with_rules(
    tree: dict[str, Any],
    function: str,
    members: int,
    stretches: Sequence[tuple[int, int, str]],
) -> dict[str, Any]:
    """Return a tree with other algorithms for communicators of exactly so many members.

    Args:
        tree: as `built_in_tree` returns it.
        function: e.g. `Allreduce`.
        members: size of the communicators.
        stretches: sizes from, up to (past the end), and the key of the algorithm; by size.
    """
    name = function_key(function)
    key = size_key(tree, function) or SIZE_KEYS[0]
    return {
        **tree,
        name: _in_intra(tree[name], lambda old: _by_members(old, members, key, stretches)),
    }


def _in_intra(
    branch: dict[str, Any], change: Callable[[dict[str, Any]], dict[str, Any]]
) -> dict[str, Any]:
    if "comm_type=intra" in branch:
        return {**branch, "comm_type=intra": change(branch["comm_type=intra"])}
    return change(branch)


def _by_members(
    old: dict[str, Any], members: int, key: str, stretches: Sequence[tuple[int, int, str]]
) -> dict[str, Any]:
    return {
        f"comm_size<{members}": old,
        f"comm_size<{members + 1}": _by_size(old, key, stretches),
        "comm_size=any": old,
    }


def _by_size(
    old: dict[str, Any], key: str, stretches: Sequence[tuple[int, int, str]]
) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for low, high, algorithm in sorted(stretches):
        if low > 0:
            made.setdefault(f"{key}<{low}", old)
        made[f"{key}<{high}"] = _guarded(old, {algorithm: {}})
    return {**made, f"{key}=any": old}


def _guarded(old: dict[str, Any], made: dict[str, Any]) -> dict[str, Any]:
    """Return a branch that is taken by calls like the measured ones; others go on as before."""
    asked = json.dumps(old)
    for other, measured in GUARDS:
        if f'"{other}"' in asked:
            made = {other: old, measured: made}
    return made
