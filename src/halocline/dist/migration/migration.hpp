// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Moves rows from block owners to the ranks that own or execute them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "halocline/dist/migration/directory.hpp"
#include "halocline/dist/migration/rows.hpp"
#include "halocline/dist/migration/sparse_exchange.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::dist {

/// Which rows of this rank's block go where.
class Route {
public:
    /// Tells every rank what it gets. Collective.
    Route(const Communicator& comm, Grouping groups)
        : rows_(std::move(groups.rows)), exchange_(comm, std::move(groups.counts)) {}

    /// Rows that this rank gets.
    [[nodiscard]] std::int64_t arriving() const noexcept { return exchange_.received_rows(); }
    /// Rows of this rank's block in the order in which they leave.
    [[nodiscard]] std::span<const LocalIndex> rows() const noexcept { return rows_; }

    /// Rows in sending order, ready for deliver(); the block may be freed afterwards.
    template <class T>
    [[nodiscard]] Buffer<T> packed(std::span<const T> block, int width) const {
        return permuted_rows(block, width, rows());
    }

    /// Writes what arrives to `to`, ascending by global id. Collective.
    template <class T>
    void deliver(const Buffer<T>& packed_rows, T* to, int width) const {
        exchange_.forward(packed_rows.data(), to, width);
    }

private:
    std::vector<LocalIndex> rows_;
    SparseExchange exchange_;
};

/// How the rows of one set travel: each to its owner, some also to ranks that execute them.
struct SetRoutes {
    Route owned;  ///< each row to its owner
    Route exec;   ///< rows to ranks that execute them for others
};

/// Routes of set `set`, and how many rows of `counted_maps` have targets of different owners, added to
/// `cut_rows`. Collective.
[[nodiscard]] SetRoutes plan_routes(const Communicator& comm, const MeshDeclaration& declaration,
                                    const std::vector<OwnerBlock>& owners, int set,
                                    const std::vector<int>& counted_maps, std::int64_t& cut_rows);

/// Global ids that arrive by `route`, ascending. Collective.
[[nodiscard]] std::vector<GlobalIndex> arriving_ids(const Communicator& comm, GlobalIndex set_size,
                                                    const Route& route);

}  // namespace halocline::dist
