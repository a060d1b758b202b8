// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Every shape a loop can have, each with the answer that plain nested loops over the tables give.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "halocline/core/math.hpp"
#include "support/loop_world.hpp"
#include "support/numbers.hpp"

namespace halocline::test {

/// One shape: run on the library, and worked out from the definition: elements by ascending id, one
/// after the other. Both return all results one after the other, rows by global id.
struct LoopShape {
    std::string name;
    std::function<std::vector<double>(LoopWorld&)> run;
    std::function<std::vector<double>(const WorldTables&)> expected;
};

[[nodiscard]] std::vector<LoopShape> direct_shapes();
[[nodiscard]] std::vector<LoopShape> indirect_read_shapes();
[[nodiscard]] std::vector<LoopShape> indirect_inc_shapes();
[[nodiscard]] std::vector<LoopShape> two_ended_shapes();
[[nodiscard]] std::vector<LoopShape> reduction_shapes();
[[nodiscard]] std::vector<LoopShape> chain_shapes();
[[nodiscard]] std::vector<LoopShape> rows_shapes();
[[nodiscard]] std::vector<LoopShape> mixed_shapes();
[[nodiscard]] std::vector<LoopShape> wide_shapes();
[[nodiscard]] std::vector<LoopShape> subset_shapes();
[[nodiscard]] std::vector<LoopShape> type_shapes();
[[nodiscard]] std::vector<LoopShape> absent_shapes();
[[nodiscard]] std::vector<LoopShape> all_shapes();

/// Row i of a table of n columns.
template <int n>
[[nodiscard]] Values<double, n> row_of(const std::vector<double>& table, GlobalIndex i) {
    Values<double, n> row;
    for (int d = 0; d < n; ++d) {
        row[d] = table[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(d)];
    }
    return row;
}

template <int n>
void set_row(std::vector<double>& table, GlobalIndex i, const Values<double, n>& row) {
    for (int d = 0; d < n; ++d) {
        table[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(d)] = row[d];
    }
}

template <int n>
void add_row(std::vector<double>& table, GlobalIndex i, const Values<double, n>& row) {
    for (int d = 0; d < n; ++d) {
        table[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(d)] += row[d];
    }
}

/// What an increment starts from.
template <int n>
[[nodiscard]] Values<double, n> nothing_yet() {
    Values<double, n> row;
    for (int d = 0; d < n; ++d) {
        row[d] = no_increment;
    }
    return row;
}

/// (rows, columns) of value(row, column).
template <class Value>
[[nodiscard]] std::vector<double> table_of(GlobalIndex rows, int columns, Value value) {
    std::vector<double> table;
    for (GlobalIndex i = 0; i < rows; ++i) {
        for (int d = 0; d < columns; ++d) {
            table.push_back(value(i, d));
        }
    }
    return table;
}

inline void append(std::vector<double>& all, const std::vector<double>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

/// 1/q0 and the length of the first two components, for dats with derived values.
struct InverseAndLength {
    static constexpr int size = 2;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& q, Values<V, size>& extra) const {
        extra[0] = V(1.0) / q[0];
        extra[1] = sqrt(q[0] * q[0] + q[1] * q[1]);
    }
};
using WithDerived = DerivedStorage<InverseAndLength>;

/// Components and derived values, as `derived(dat)` hands them to kernels.
[[nodiscard]] inline Values<double, 5> extended(const Values<double, 3>& q) {
    Values<double, 2> extra;
    InverseAndLength{}(q, extra);
    return {q[0], q[1], q[2], extra[0], extra[1]};
}

/// Fields of the shapes by seed.
inline double field_x(GlobalIndex id, int d) { return rough_number(11, id, d); }

}  // namespace halocline::test
