# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the libraries read: rows of Open MPI, trees of MPICH."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from halocline.errors import InvalidInputError
from halocline.preload.family import Family
from halocline.tune import mpich_rules
from halocline.tune.candidates import Algorithm
from halocline.tune.choosing import Contest
from halocline.tune.library import Library, Variable
from halocline.tune.measuring import Field
from halocline.tune.openmpi_rules import (
    LIBRARY_CHOICE,
    NO_BOUND,
    NUMBERS,
    Row,
    Rules,
    Stretch,
    overlaid,
    read_rules,
    rules_text,
    stretch,
)
from halocline.tune.points import Point
from halocline.tune.ruling import write_rules

ALLREDUCE = NUMBERS["Allreduce"]
OLD = {"algorithm=MPIR_Allreduce_intra_old": {}}


def test_a_stretch_holds_for_its_sizes_alone() -> None:
    rows = overlaid(LIBRARY_CHOICE, [Stretch(64, 128, Row(0, 3))])
    assert rows == (Row(0, 0), Row(64, 3), Row(128, 0))


def test_stretches_that_touch_need_no_row_between_them() -> None:
    stretches = [Stretch(0, 64, Row(0, 3)), Stretch(64, 128, Row(0, 4, 2, 8192))]
    assert overlaid(LIBRARY_CHOICE, stretches) == (Row(0, 3), Row(64, 4, 2, 8192), Row(128, 0))


def test_a_stretch_without_bound_is_the_only_row() -> None:
    assert overlaid((Row(0, 1), Row(10, 2)), [Stretch(0, NO_BOUND, Row(0, 5))]) == (Row(0, 5),)


def test_what_the_user_had_stays_around_a_stretch() -> None:
    rows = overlaid((Row(0, 1), Row(100, 2)), [Stretch(50, 150, Row(0, 7))])
    assert rows == (Row(0, 1), Row(50, 7), Row(150, 2))


def test_sizes_are_those_that_the_library_asks_for() -> None:
    # Allgather: recorded is what a rank sends, the library asks for what all receive.
    assert stretch("Allgather", 4, (64, 128), Row(0, 1)) == Stretch(256, 509, Row(0, 1))
    assert stretch("Allreduce", 4, (64, 128), Row(0, 1)) == Stretch(64, 128, Row(0, 1))


def test_other_communicator_sizes_keep_what_they_had() -> None:
    rules = Rules({ALLREDUCE: {1: (Row(0, 1),)}}).with_rows(ALLREDUCE, 4, (Row(0, 3),))
    found = [rules.rows(ALLREDUCE, members)[0].algorithm for members in (2, 3, 4, 5, 64)]
    assert found == [1, 1, 3, 1, 1]
    assert Rules().rows(ALLREDUCE, 4) == LIBRARY_CHOICE


def test_a_rules_file_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    rules = Rules().with_rows(ALLREDUCE, 4, (Row(0, 0), Row(64, 3, 4, 8192)))
    file = tmp_path / "rules.conf"
    file.write_text(rules_text(rules, "heading", {ALLREDUCE: {3: "recursive_doubling"}}))
    assert read_rules(file) == rules
    assert "recursive_doubling" in file.read_text()


@pytest.mark.parametrize(
    "text", ["", "1\n2\n1\n4\n2\n0 1 0 0\n", "1 2 three", "rule-file-version-2"]
)
def test_a_broken_rules_file_is_refused_with_its_name(tmp_path: Path, text: str) -> None:
    file = tmp_path / "rules.conf"
    file.write_text(text)
    with pytest.raises(InvalidInputError, match=r"rules\.conf"):
        read_rules(file)


def _walk(branch: dict[str, Any], members: int, size: int) -> str:
    """Answer the questions of a tree as MPICH does: the first that holds, never back."""
    while True:
        key, inner = next(
            (key, inner) for key, inner in branch.items() if _holds(key, members, size)
        )
        if key.startswith("algorithm="):
            return key
        branch = inner


def _holds(key: str, members: int, size: int) -> bool:
    name, less, bound = key.partition("<")
    if not less:
        return True
    return {"comm_size": members, "avg_msg_size": size}[name] < int(bound)


def test_a_tree_asks_for_members_and_sizes_before_the_old_questions() -> None:
    tree = {
        "collective=allreduce": {
            "comm_type=intra": {"avg_msg_size<1000": OLD, "avg_msg_size=any": OLD}
        }
    }
    new = "algorithm=MPIR_Allreduce_intra_new"
    changed = mpich_rules.with_rules(tree, "Allreduce", 4, [(64, 128, new), (128, 256, new + "2")])
    branch = changed["collective=allreduce"]["comm_type=intra"]
    found = {
        size: _walk(branch, 4, size).removeprefix("algorithm=MPIR_Allreduce_intra_")
        for size in (0, 63, 64, 127, 128, 255, 256, 5000)
    }
    assert found == {
        0: "old",
        63: "old",
        64: "new",
        127: "new",
        128: "new2",
        255: "new2",
        256: "old",
        5000: "old",
    }
    assert all("old" in _walk(branch, members, 100) for members in (2, 3, 5, 64))


def test_calls_that_were_not_measured_keep_the_old_algorithm() -> None:
    guards = {"is_sendbuf_inplace=yes": OLD, "is_sendbuf_inplace=no": OLD}
    tree = {"collective=allreduce": {"comm_type=intra": guards}}
    new = "algorithm=MPIR_Allreduce_intra_new"
    changed = mpich_rules.with_rules(tree, "Allreduce", 4, [(0, 128, new)])
    sizes = changed["collective=allreduce"]["comm_type=intra"]["comm_size<5"]
    branch = sizes["avg_msg_size<128"]
    assert branch == {"is_sendbuf_inplace=yes": guards, "is_sendbuf_inplace=no": {new: {}}}


def test_the_tree_is_found_among_others_in_a_library() -> None:
    own = {"collective=allreduce": OLD | {"algorithm=MPIR_Allreduce_intra_smp": {}}}
    device = {"collective=allreduce": {"algorithm=MPIDI_Allreduce_intra_composition_alpha": {}}}
    texts = [json.dumps(tree, separators=(",", ":")).encode() for tree in (device, own)]
    data = b"\x7fELF\0" + texts[0] + b'\0{"collective=\0' + texts[1] + b"\0rest"
    assert mpich_rules.built_in_tree(data) == own
    assert mpich_rules.built_in_tree(b"\x7fELF\0") is None


def test_a_selection_file_of_the_user_is_read_as_we_write_it(tmp_path: Path) -> None:
    file = tmp_path / "tree.json"
    tree = {"collective=allreduce": OLD}
    file.write_text(json.dumps(tree, indent=1))
    assert mpich_rules.read_tree(file) == tree


@pytest.mark.parametrize("text", [None, "[]", "{"])
def test_a_selection_file_that_cannot_be_read_is_named(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "tree.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(InvalidInputError, match=r"tree\.json"):
        mpich_rules.read_tree(file)


def test_a_function_that_a_tree_does_not_name_is_left_out(tmp_path: Path) -> None:
    """Winners of two sizes, and a tree of the user without a branch for the function."""
    tree = tmp_path / "tree.json"
    tree.write_text(json.dumps({"collective=bcast": OLD}))
    variable = Variable(
        "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", "text", str(tree), True, (), ""
    )
    library = Library(Family.MPICH, "v", 2, {variable.name: variable})
    ring = Algorithm("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", 1, "ring")
    point = Point("Allreduce", 2, 100, 64, 128, 10, 1.0)
    contest = Contest(Field(point, [ring]), {}, 0.01, ring)
    data = b"algorithm=MPIR_Allreduce_intra_ring\0"
    assert write_rules(library, [contest], data, tmp_path) is None
    assert not (tmp_path / "mpich-selection.json").exists()
