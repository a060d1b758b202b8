#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Solves with hierarchies in the cycles of pyamg, beside pairwise hierarchies of its own.

pyamg multiplies with the operators and prolongations that the program prints. Its conjugate
gradients with V-cycles of symmetric Gauss-Seidel sweeps must come to 1e-8, on grids in no more
iterations than with a hierarchy that it made with as many pairings a level (A. Napov, Y. Notay,
SIAM J. Sci. Comput. 34 (2012) A1079 is what both follow).

Usage: pyamg_oracle.py PROGRAM, where PROGRAM prints hierarchies (dump_levels.cpp).
Exits with 77 (skipped) where pyamg is not installed.
"""

from __future__ import annotations

import subprocess
import sys

try:
    import numpy as np
    from galerkin_oracle import operator_of, read_hierarchies
    from pyamg import pairwise_solver
    from pyamg.multilevel import MultilevelSolver
    from pyamg.relaxation.smoothing import change_smoothers
    from scipy import sparse
    from scipy.sparse import csgraph
except ImportError:
    print("skipped: pyamg is not installed (`make test` installs it and runs this)")
    sys.exit(77)

TOLERANCE = 1e-8
MOST_ITERATIONS = 20
SWEEPS = ("gauss_seidel", {"sweep": "symmetric"})

#: pyamg pairs these, too. Of graphs whose edges lead anywhere it makes levels without end.
GRIDS = ("grid", "irregular", "negative")


def as_pyamg(table: dict[str, np.ndarray]) -> MultilevelSolver:
    """The levels of a printed hierarchy with pyamg's smoothers and coarsest solve."""
    levels = []
    for level in range(int(table["levels"])):
        made = MultilevelSolver.Level()
        made.A = operator_of(table, level).tocsr()
        if level > 0:
            parent = table[f"map:linalg_parent_L{level - 1}"].astype(int)
            rows = np.arange(parent.size)
            shape = (parent.size, made.A.shape[0])
            finer = levels[-1]
            finer.P = sparse.csr_matrix((np.ones(parent.size), (rows, parent)), shape=shape)
            finer.R = finer.P.T.tocsr()
        levels.append(made)
    solver = MultilevelSolver(levels, coarse_solver="pinv")
    change_smoothers(solver, SWEEPS, SWEEPS)
    return solver


def made_by_pyamg(matrix: sparse.csr_matrix, pairings: int) -> MultilevelSolver:
    """A hierarchy of pyamg's own of the same matrix."""
    aggregate = ("pairwise", {"theta": 0.25, "norm": "min", "matchings": pairings})
    return pairwise_solver(
        matrix,
        aggregate=aggregate,
        presmoother=SWEEPS,
        postsmoother=SWEEPS,
        max_coarse=10,
        coarse_solver="pinv",
    )


def iterations(solver: MultilevelSolver) -> int:
    """Iterations of conjugate gradients to the tolerance; asserts that the residual is there."""
    matrix = solver.levels[0].A
    right = np.random.default_rng(1).random(matrix.shape[0])
    _, part = csgraph.connected_components(matrix)
    right -= (np.bincount(part, right) / np.bincount(part))[part]  # no part may know its constant
    residuals: list[float] = []
    found = solver.solve(
        right, tol=TOLERANCE, accel="cg", cycle="V", residuals=residuals, maxiter=100
    )
    error = np.linalg.norm(right - matrix @ found) / np.linalg.norm(right)
    assert error <= 10 * TOLERANCE, f"a residual of {error} stayed"
    return len(residuals) - 1


def main() -> int:
    """Runs the program and solves with what it prints."""
    text = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout
    tables = read_hierarchies(text)
    assert {str(table["title"]) for table in tables} > set(GRIDS)
    for table in tables:
        solver = as_pyamg(table)
        title, pairings = str(table["title"]), int(table["pairings"])
        taken = iterations(solver)
        told = f"{title}, pairings {pairings}: {taken} iterations"
        told += f", complexity {solver.operator_complexity():.2f}"
        assert taken <= MOST_ITERATIONS, told
        if title in GRIDS:
            peer = made_by_pyamg(solver.levels[0].A, pairings)
            peer_taken = iterations(peer)
            told += f"; of pyamg's own {peer_taken}, {peer.operator_complexity():.2f}"
            assert taken <= peer_taken, told
        print(told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
