// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Measures differences value by value, and finds the worst of all ranks.
#include "halocline/solver/mgcfd/difference.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "halocline/backend/reduce.hpp"
#include "halocline/mesh/first_element.hpp"

namespace halocline::mgcfd {

namespace {

constexpr double relative_tolerance = 10.0e-8;
constexpr double absolute_tolerance = 3.0e-19;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// |a - b|; infinite where only one side is finite, 0 where both are the same.
double distance(double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) {
        return 0.0;
    }
    const double apart = std::fabs(a - b);
    return std::isnan(apart) ? infinity : apart;
}

/// |a - b| / max(|a|, |b|).
double relative_distance(double a, double b, double apart) {
    if (apart == 0.0) {
        return 0.0;
    }
    const double relative = apart / std::max(std::fabs(a), std::fabs(b));
    return std::isfinite(a) && std::isfinite(b) ? relative : infinity;
}

/// What one rank found.
struct Found {
    std::int64_t differing = 0;
    std::int64_t over = 0;
    double max_abs = 0.0;
    double max_rel = 0.0;
    ExactSum squares;
    ExactSum squares_a;
    ExactSum squares_b;

    void add(double a, double b) {
        const double apart = distance(a, b);
        squares_a.add(a * a);
        squares_b.add(b * b);
        squares.add(apart * apart);
        differing += apart > 0.0 ? 1 : 0;
        const double tolerance = std::max(relative_tolerance * std::fabs(b), absolute_tolerance);
        over += apart <= tolerance ? 0 : 1;
        max_abs = std::max(max_abs, apart);
        max_rel = std::max(max_rel, relative_distance(a, b, apart));
    }
};

/// An exact sum says NaN where a term was infinite, too.
double root_of(const Communicator& comm, ExactSum& squares) {
    const double root = std::sqrt(sum_over_ranks(comm, squares));
    return std::isnan(root) ? infinity : root;
}

/// Adds row, component, values and place of the largest difference: the first of the file.
void locate(const Communicator& comm, const Level& level, const LaneDat& reference,
            record::ValueDifference& result) {
    const auto apart_at = [&](LocalIndex i, int d) {
        return distance(level.q.store().at(i, d), reference.store().at(i, d));
    };
    const auto column_of = [&](LocalIndex i) {
        int d = 0;
        while (d < variables && apart_at(i, d) != result.max_abs) {
            ++d;
        }
        return d;
    };
    const FirstElement worst =
        find_first(comm, *level.nodes.part, [&](LocalIndex i) { return column_of(i) < variables; });
    const bool mine = worst.local >= 0;
    const int column =
        static_cast<int>(comm.sum(static_cast<std::int64_t>(mine ? column_of(worst.local) : 0)));
    const auto of_owner = [&](const DatStore& store, int d) {
        return comm.sum(mine ? store.at(worst.local, d) : 0.0);
    };
    result.row = worst.global;
    result.column = column;
    result.a_at = of_owner(level.q.store(), column);
    result.b_at = of_owner(reference.store(), column);
    std::vector<double> place;
    for (int d = 0; d < 3; ++d) {
        place.push_back(of_owner(level.coordinates.store(), d));
    }
    result.coordinates = std::move(place);
}

}  // namespace

record::ValueDifference difference_of(const Communicator& comm, const Level& level,
                                      const LaneDat& reference) {
    const SetPart& nodes = *level.nodes.part;
    Found found;
    for (LocalIndex i = 0; i < nodes.owned; ++i) {
        for (int d = 0; d < variables; ++d) {
            found.add(level.q.store().at(i, d), reference.store().at(i, d));
        }
    }
    record::ValueDifference result;
    result.level = level.index;
    result.values = nodes.global_size * variables;
    result.differing = comm.sum(found.differing);
    result.over = comm.sum(found.over);
    result.max_abs = comm.max(found.max_abs);
    result.max_rel = comm.max(found.max_rel);
    const double norm_a = root_of(comm, found.squares_a);
    const double norm_b = root_of(comm, found.squares_b);
    result.l2 = root_of(comm, found.squares);
    const double scale = std::max(norm_a, norm_b);
    result.l2_relative = 0.0;
    if (result.differing > 0) {
        result.l2_relative = scale > 0.0 && std::isfinite(scale) ? result.l2 / scale : infinity;
        locate(comm, level, reference, result);
    }
    return result;
}

std::string words_of(const record::ValueDifference& difference) {
    std::string text = fmt::format("level {}: {} of {} values beyond the limits", difference.level,
                                   difference.over, difference.values);
    if (!difference.row) {
        return text + ", all are equal";
    }
    const std::vector<double>& x = *difference.coordinates;
    return text +
           fmt::format(
               ", max abs {:.3g}, max rel {:.3g}, L2 {:.3g}, L2 rel {:.3g}; largest: row {}, "
               "component {} at ({:.4g}, {:.4g}, {:.4g}): {} | {}",
               difference.max_abs, difference.max_rel, difference.l2, difference.l2_relative,
               *difference.row, *difference.column, x[0], x[1], x[2], difference.a_at,
               difference.b_at);
}

}  // namespace halocline::mgcfd
