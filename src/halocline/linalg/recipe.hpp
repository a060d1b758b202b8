// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The loops of a preconditioner as values: what each one runs over, reads and changes.
#pragma once

#include "halocline/linalg/kernels.hpp"
#include "halocline/linalg/level.hpp"
#include "halocline/loop/chain.hpp"

namespace halocline::linalg::recipe {

/// sum := (A - D) x at every node, for loops that follow in a chain.
template <class S, class X>
auto edge_sum(Level<S>& level, const X& x) {
    return make_loop({"edge_laplacian", level.index}, level.edges, EdgeLaplacian{},
                     read<0>(x, level.edge_nodes), read<1>(x, level.edge_nodes),
                     read(level.weights), inc<0>(level.sum, level.edge_nodes),
                     inc<1>(level.sum, level.edge_nodes));
}

/// One sweep: next = guess + damping D^-1 (rhs - A guess).
template <class S>
auto smoothing(Level<S>& level, double damping) {
    return make_chain({"smooth", level.index}, level.nodes, edge_sum(level, level.guess),
                      make_loop({"relax", level.index}, level.nodes, Smooth{damping},
                                read(level.sum), read(level.diagonal), read(level.inverse),
                                read(level.rhs), read(level.guess), write(level.next)));
}

/// rhs - A guess, left in `next`.
template <class S>
auto residual(Level<S>& level) {
    return make_chain(
        {"residual", level.index}, level.nodes, edge_sum(level, level.guess),
        make_loop({"subtract", level.index}, level.nodes, Residual{}, read(level.sum),
                  read(level.diagonal), read(level.rhs), read(level.guess), write(level.next)));
}

template <class S>
auto restriction(const Level<S>& fine, Level<S>& coarse, double damping) {
    return make_chain(
        {"restrict", coarse.index}, coarse.nodes,
        make_loop({"sum_children", coarse.index}, fine.nodes, SumChildren{}, read(fine.next),
                  inc<0>(coarse.sum, *fine.parent)),
        make_loop({"start_level", coarse.index}, coarse.nodes, StartLevel{damping},
                  read(coarse.sum), read(coarse.inverse), write(coarse.rhs), write(coarse.guess)));
}

/// The same in two steps, where every rank has the coarse level whole: ranks sum up their share, and
/// then each takes all sums.
template <class S>
auto sums_of_children(const Level<S>& fine, Level<S>& coarse) {
    SumsOfChildren& sums = *coarse.sums;
    return make_chain({"restrict", coarse.index}, sums.set,
                      make_loop({"sum_children", coarse.index}, fine.nodes, SumChildren{},
                                read(fine.next), inc<0>(sums.sum, sums.parent)),
                      make_loop({"keep_sums", coarse.index}, sums.set, Copy<>{}, read(sums.sum),
                                write(sums.values)));
}
template <class S>
auto collection(Level<S>& coarse, double damping) {
    return make_loop({"collect_sums", coarse.index}, coarse.nodes, StartLevel{damping},
                     read<0>(coarse.sums->values, coarse.sums->source), read(coarse.inverse),
                     write(coarse.rhs), write(coarse.guess));
}

template <class S>
auto correction(Level<S>& fine, const Level<S>& coarse) {
    return make_loop({"correct", fine.index}, fine.nodes, Correct{},
                     read<0>(coarse.guess, *fine.parent), read_write(fine.guess));
}

/// Energy of an error, and the right-hand side that its correction has.
template <class S>
auto error_energy(Level<S>& level, Vector<S>& error, Global<double, 1>& energy, double damping) {
    return make_chain(
        {"error_energy", level.index}, level.nodes, edge_sum(level, error),
        make_loop({"start_error", level.index}, level.nodes, StartError{damping}, read(level.sum),
                  read(level.diagonal), read(error), read(level.inverse), write(level.rhs),
                  write(level.guess), inc(energy)));
}

template <class S>
auto error_correction(Level<S>& level, Vector<S>& error) {
    return make_loop({"correct_error", level.index}, level.nodes, Correct{}, read(level.guess),
                     read_write(error));
}

template <class S>
auto first_products(Level<S>& level) {
    return make_chain(
        {"first_products", level.index}, level.nodes, edge_sum(level, level.guess),
        make_loop({"multiply_first", level.index}, level.nodes, FirstProducts{}, read(level.sum),
                  read(level.diagonal), read(level.guess), read(level.rhs),
                  write(*level.first_product), inc(level.first_products)));
}

template <class S>
auto reduction(Level<S>& level, double damping) {
    return make_loop({"reduce", level.index}, level.nodes, Reduce{damping},
                     read(level.first_products), read(*level.first_product), read(level.inverse),
                     read_write(level.rhs), write(level.guess));
}

template <class S>
auto second_products(Level<S>& level) {
    return make_chain(
        {"second_products", level.index}, level.nodes, edge_sum(level, level.guess),
        make_loop({"multiply_second", level.index}, level.nodes, SecondProducts{}, read(level.sum),
                  read(level.diagonal), read(level.guess), read(*level.first_product),
                  read(level.rhs), inc(level.second_products)));
}

/// The correction of a level that was solved by two steps.
template <class S>
auto correction_of_two(Level<S>& fine, const Level<S>& coarse) {
    return make_loop({"correct_twice", fine.index}, fine.nodes, CorrectTwice{},
                     read(coarse.first_products), read(coarse.second_products),
                     read<0>(*coarse.first_direction, *fine.parent),
                     read<0>(coarse.guess, *fine.parent), read_write(fine.guess));
}

/// The coarsest level's solution.
template <class S>
auto solution(Level<S>& level, const InverseOperator& inverse) {
    return make_chain({"solve_coarsest", level.index}, level.nodes,
                      make_loop({"segment_products", level.index}, inverse.segments,
                                SegmentProduct{}, read_all(level.rhs, inverse.columns),
                                read(inverse.entries), inc<0>(level.sum, inverse.row)),
                      make_loop({"keep_solution", level.index}, level.nodes, Copy<>{},
                                read(level.sum), write(level.guess)));
}

}  // namespace halocline::linalg::recipe
