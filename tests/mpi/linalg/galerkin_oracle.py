#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the coarse operators of hierarchies with P^T A P by scipy.sparse.

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
            tables.append({"title": np.array(values[0]), "levels": np.array(int(values[1]))})
            tables[-1]["parts"] = np.array(int(values[2]))
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


def check(table: dict[str, np.ndarray]) -> None:
    """Asserts that each level is P^T A P of the finer one, and the number of connected parts."""
    levels = int(table["levels"])
    title = str(table["title"])
    assert levels > 2, f"{title}: {levels} levels"
    for level in range(levels - 1):
        fine, coarse = operator_of(table, level), operator_of(table, level + 1)
        parent = table[f"map:linalg_parent_L{level}"].astype(int)
        count = parent.size
        prolongation = sparse.coo_matrix(
            (np.ones(count), (np.arange(count), parent)), shape=(count, coarse.shape[0])
        ).tocsr()
        assert np.all(np.bincount(parent, minlength=coarse.shape[0]) > 0), "a node has no child"
        expected = (prolongation.T @ fine @ prolongation).toarray()
        # Sums of some dozen terms, each exact to half a unit in the last place.
        scale = np.abs(fine).sum(axis=1).max() * 8
        error = np.abs(coarse.toarray() - expected).max()
        assert error <= 100 * np.finfo(float).eps * scale, f"{title}, level {level + 1}: {error}"
        print(f"{title}, level {level + 1}: {coarse.shape[0]} nodes, largest error {error:.1e}")
    parts, _ = csgraph.connected_components(operator_of(table, 0))
    assert parts == int(table["parts"]), f"{title}: {table['parts']} parts instead of {parts}"


def main() -> int:
    """Runs the program and checks what it prints."""
    text = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout
    tables = read_hierarchies(text)
    assert len(tables) == 4
    for table in tables:
        check(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
