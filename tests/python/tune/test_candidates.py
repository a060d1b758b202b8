# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Algorithms as libraries list them, and versions as they say them."""

from __future__ import annotations

from halocline.preload.family import Family
from halocline.tune.candidates import (
    SEGMENTED_FROM,
    forced_algorithm,
    mpich_algorithms,
    openmpi_algorithms,
    word_test,
)
from halocline.tune.library import Library, Variable, short_version

ITEMS = ((0, "ignore"), (1, "linear"), (2, "ring"))


def _openmpi(forced: str, dynamic: str, segments: str | None = None) -> Library:
    variables = [
        Variable("coll_tuned_use_dynamic_rules", "other", dynamic, False, (), ""),
        Variable("coll_tuned_bcast_algorithm", "int", forced, True, ITEMS, ""),
    ]
    if segments is not None:
        name = "coll_tuned_bcast_algorithm_segmentsize"
        variables.append(Variable(name, "int", segments, True, (), ""))
    return Library(Family.OPENMPI, "v", 2, {each.name: each for each in variables})


def test_the_present_choice_does_not_compete_with_itself() -> None:
    assert [a.value for a in openmpi_algorithms(_openmpi("0", "0"), "Bcast", 8)] == [1, 2]
    assert [a.value for a in openmpi_algorithms(_openmpi("1", "1"), "Bcast", 8)] == [0, 2]


def test_what_is_forced_without_dynamic_rules_has_no_effect() -> None:
    assert forced_algorithm(_openmpi("1", "0"), "Bcast") == 0
    assert forced_algorithm(_openmpi("1", "1"), "Bcast") == 1


def test_long_messages_are_cut_in_several_ways() -> None:
    short = openmpi_algorithms(_openmpi("0", "0", "0"), "Bcast", SEGMENTED_FROM - 1)
    long = openmpi_algorithms(_openmpi("0", "0", "0"), "Bcast", SEGMENTED_FROM)
    assert [a.segments for a in short] == [0, 0]
    assert {a.segments for a in long} == {0, 32768, 131072}
    assert len({a.name for a in long}) == len(long)
    assert long[1].values["coll_tuned_bcast_algorithm_segmentsize"] == 32768


def test_a_forced_algorithm_with_segments_is_tried_without_them() -> None:
    found = openmpi_algorithms(_openmpi("1", "1", "64"), "Bcast", 8)
    assert [(a.value, a.segments) for a in found] == [(0, None), (1, 0), (2, 0)]


def test_names_of_mpich_are_cut_out_of_its_description() -> None:
    # As MPICH 4.0 describes a variable: line breaks are lost, names stick to words before them.
    text = (
        "Variable to select allreduce algorithmauto - Internal algorithm selection (can be "
        "overridden with X)nb                 - Force nonblocking algorithmsmp       - Force smp "
        "algorithmrecursive_doubling - Force recursive doubling algorithm"
    )
    variable = Variable("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "int", "0", True, (), text)
    library = Library(Family.MPICH, "v", 2, {variable.name: variable})
    words = word_test(b"\0auto\0nb\0smp\0recursive_doubling\0")
    found = mpich_algorithms(library, "Allreduce", words)
    assert [(a.value, a.label) for a in found] == [(1, "nb"), (2, "smp"), (3, "recursive_doubling")]


def test_versions_tell_builds_apart_and_leave_out_how_they_were_compiled() -> None:
    openmpi = "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4"
    assert short_version(openmpi) == "Open MPI v4.1.4"
    mpich = "MPICH Version:\t4.0.2\nMPICH Device:\tch4:ucx\nMPICH CC: \tgcc -g\n"
    assert short_version(mpich) == "MPICH 4.0.2 (ch4:ucx)"
