# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Shuffling is a permutation: nothing but numbering and edge direction changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from halocline.mesh.arrays import AnyArray

Make = Callable[..., Any]


@pytest.fixture(params=["sector", "rotor37"])
def pair(request: pytest.FixtureRequest, make: Make) -> tuple[Any, Any]:
    natural = make(request.param, 5000, 3, name="natural")
    return natural, make(request.param, 5000, 3, name="shuffled", shuffle=True, seed=5)


def sorted_rows(*columns: AnyArray) -> AnyArray:
    rows = np.column_stack(columns)
    return rows[np.lexsort(rows.T[::-1])]


def test_origin_is_a_permutation_that_restores_nodes(pair: tuple[Any, Any]) -> None:
    for plain, mixed in zip(*pair, strict=True):
        origin = mixed["origin"][:, 0]
        np.testing.assert_array_equal(np.sort(origin), np.arange(plain.nodes))
        assert (origin != np.arange(plain.nodes)).mean() > 0.9
        for name in ("node_coordinates", "areas"):
            np.testing.assert_array_equal(mixed[name], plain[name][origin])


def test_edges_are_the_same_up_to_order_and_direction(pair: tuple[Any, Any]) -> None:
    for plain, mixed in zip(*pair, strict=True):
        ends = mixed["origin"][:, 0][mixed["edge-->node"]]
        flipped = ends[:, 0] > ends[:, 1]
        assert 0.3 < flipped.mean() < 0.7
        sign = np.where(flipped, -1.0, 1.0)[:, None]
        np.testing.assert_array_equal(
            sorted_rows(np.sort(ends, axis=1), sign * mixed["edge_weights"]),
            sorted_rows(plain["edge-->node"], plain["edge_weights"]),
        )


def test_boundary_is_the_same_up_to_order(pair: tuple[Any, Any]) -> None:
    for plain, mixed in zip(*pair, strict=True):
        origin = mixed["origin"][:, 0]
        np.testing.assert_array_equal(
            sorted_rows(origin[mixed["bnd_node-->node"]], mixed["bnd_node-->group"],
                        mixed["bnd_node_weights"]),
            sorted_rows(plain["bnd_node-->node"], plain["bnd_node-->group"],
                        plain["bnd_node_weights"]),
        )  # fmt: skip
        for name in ("bnd_quads", "periodic_node_pairs"):
            np.testing.assert_array_equal(origin[mixed[name]], plain[name])


def test_parents_follow_the_numbering_of_both_levels(pair: tuple[Any, Any]) -> None:
    natural, shuffled = pair
    for level in range(len(natural) - 1):
        origin = shuffled[level]["origin"][:, 0]
        coarse_origin = shuffled[level + 1]["origin"][:, 0]
        parents = coarse_origin[shuffled[level]["node-->mg_node"][:, 0]]
        np.testing.assert_array_equal(parents, natural[level]["node-->mg_node"][origin, 0])


def test_seed_decides_the_numbering(make: Make) -> None:
    first = make("box", 1000, 1, name="a", shuffle=True, seed=1)[0]
    again = make("box", 1000, 1, name="b", shuffle=True, seed=1)[0]
    other = make("box", 1000, 1, name="c", shuffle=True, seed=2)[0]
    for name in first.data:
        np.testing.assert_array_equal(first[name], again[name])
    assert (first["origin"] != other["origin"]).any()
