#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the coarse operators of hierarchies with P^T A P by scipy.sparse.

Levels that one pairing makes are compared entry by entry, each entry with its share. Levels of
several pairings lie between the smallest share times P^T A P and P^T A P, as quadratic forms do.

Usage: galerkin_oracle.py PROGRAM, where PROGRAM prints hierarchies (dump_levels.cpp).
Exits with 77 (skipped) where scipy is not installed.
"""

from __future__ import annotations

import subprocess
import sys

try:
    import numpy as np
    from scipy import sparse
    from scipy.sparse import csgraph
except ImportError:
    print("skipped: scipy is not installed (`make test` installs it and runs this)")
    sys.exit(77)


def read_hierarchies(text: str) -> list[dict[str, np.ndarray]]:
    """Returns one table of named rows a hierarchy; "title" and "levels" among them."""
    tables: list[dict[str, np.ndarray]] = []
    for line in text.splitlines():
        name, *values = line.split(" ")
        if name == "hierarchy":
            names = ("pairings", "levels", "parts")
            numbers = {
                key: np.array(int(value)) for key, value in zip(names, values[1:], strict=True)
            }
            tables.append({"title": np.array(values[0]), **numbers})
        else:
            tables[-1][name] = np.array([float(value) for value in values])
    return tables


def operator_of(table: dict[str, np.ndarray], level: int) -> sparse.csr_matrix:
    """The matrix of a level: off-diagonal entries -w, row sums d."""
    suffix = "" if level == 0 else f"_L{level}"
    prefix = "" if level == 0 else "linalg_"
    nodes = int(table[f"set:{prefix}nodes{suffix}"][0])
    ends = table[f"map:{prefix}edge_nodes{suffix}"].astype(int).reshape(-1, 2)
    weights = table[f"dat:{prefix}weights{suffix}"]
    a, b = ends[:, 0], ends[:, 1]
    rows = np.concatenate([a, b, a, b])
    columns = np.concatenate([a, b, b, a])
    values = np.concatenate([weights, weights, -weights, -weights])
    matrix = sparse.coo_matrix((values, (rows, columns)), shape=(nodes, nodes)).tocsr()
    diagonal = table.get(f"dat:{prefix}diagonal{suffix}", np.zeros(nodes))
    return matrix + sparse.diags(diagonal)


LENGTHWISE = 0.8
SMALLEST_SHARE = LENGTHWISE**3


def has_negative_edges(table: dict[str, np.ndarray], level: int) -> np.ndarray:
    """Whether an edge of each node (n) has a negative weight; parallel edges stay apart."""
    suffix, prefix = ("", "") if level == 0 else (f"_L{level}", "linalg_")
    ends = table[f"map:{prefix}edge_nodes{suffix}"].astype(int).reshape(-1, 2)
    is_negative = (table[f"dat:{prefix}weights{suffix}"] < 0.0) & (ends[:, 0] != ends[:, 1])
    result = np.zeros(int(table[f"set:{prefix}nodes{suffix}"][0]), dtype=bool)
    result[ends[is_negative].ravel()] = True
    return result


def with_shares(
    fine: sparse.csr_matrix,
    prolongation: sparse.csr_matrix,
    galerkin: np.ndarray,
    has_negative: np.ndarray,
) -> np.ndarray:
    """P^T A P of one pairing (n_coarse, n_coarse), its edges with their shares, same row sums."""
    edges = fine - sparse.diags(fine.diagonal())
    touched = (abs(edges) @ prolongation > 0).astype(float)  # (fine, coarse)
    touching = (prolongation.T @ touched).toarray()
    touching += touching.T
    children = np.asarray(prolongation.sum(axis=0)).ravel()
    pairs = children[:, None] + children[None, :]
    share = 1.0 - 2.0 * (1.0 - LENGTHWISE) * (pairs - touching) / pairs
    negative = (prolongation.T @ has_negative) > 0
    share[negative, :] = LENGTHWISE
    share[:, negative] = LENGTHWISE
    off = galerkin * share
    np.fill_diagonal(off, 0.0)
    return off + np.diag(galerkin.sum(axis=1) - off.sum(axis=1))


def check(table: dict[str, np.ndarray]) -> None:
    """Asserts that each level is what it should be of the finer one, and the number of parts."""
    levels, pairings = int(table["levels"]), int(table["pairings"])
    title = f"{table['title']}, pairings {pairings}"
    assert levels > 2, f"{title}: {levels} levels"
    for level in range(levels - 1):
        fine, coarse = operator_of(table, level), operator_of(table, level + 1)
        parent = table[f"map:linalg_parent_L{level}"].astype(int)
        count = parent.size
        prolongation = sparse.coo_matrix(
            (np.ones(count), (np.arange(count), parent)), shape=(count, coarse.shape[0])
        ).tocsr()
        assert np.all(np.bincount(parent, minlength=coarse.shape[0]) > 0), "a node has no child"
        galerkin = (prolongation.T @ fine @ prolongation).toarray()
        # Sums of some dozen terms, each exact to half a unit in the last place.
        slack = 100 * np.finfo(float).eps * np.abs(fine).sum(axis=1).max() * 8
        if pairings == 1:
            negative = has_negative_edges(table, level)
            expected = with_shares(fine, prolongation, galerkin, negative)
            error = np.abs(coarse.toarray() - expected).max()
            assert error <= slack, f"{title}, level {level + 1}: {error}"
        else:
            least = np.linalg.eigvalsh(coarse.toarray() - SMALLEST_SHARE * galerkin).min()
            assert least >= -slack * count, f"{title}, level {level + 1}: {least} below P^T A P"
            if np.all(galerkin - np.diag(np.diag(galerkin)) <= 0.0):
                most = np.linalg.eigvalsh(galerkin - coarse.toarray()).min()
                assert most >= -slack * count, f"{title}, level {level + 1}: above P^T A P"
        print(f"{title}, level {level + 1}: {coarse.shape[0]} nodes")
    parts, _ = csgraph.connected_components(operator_of(table, 0))
    assert parts == int(table["parts"]), f"{title}: {table['parts']} parts instead of {parts}"


def main() -> int:
    """Runs the program and checks what it prints."""
    text = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout
    tables = read_hierarchies(text)
    assert len(tables) == 10
    for table in tables:
        check(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
