// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/core/lifetime.hpp"

#include <deque>
#include <mutex>
#include <vector>

namespace halocline {

struct Lifetime::Pool {
    std::mutex mutex;
    std::deque<Cell> cells;
    std::vector<Cell*> unused;  ///< with room for all cells

    /// Lives until the process ends: so do objects with static storage, and who watches them.
    static Pool& get() {
        static Pool& pool = *new Pool;
        return pool;
    }
};

Lifetime::Cell* Lifetime::take_cell() noexcept {
    Pool& pool = Pool::get();
    const std::scoped_lock lock(pool.mutex);
    if (pool.unused.empty()) {
        pool.cells.emplace_back();
        pool.unused.reserve(pool.cells.size());
        return &pool.cells.back();
    }
    Cell* cell = pool.unused.back();
    pool.unused.pop_back();
    return cell;
}

void Lifetime::give_back(Cell* cell) noexcept {
    if (cell == nullptr) {
        return;
    }
    Pool& pool = Pool::get();
    const std::scoped_lock lock(pool.mutex);
    cell->number.fetch_add(1, std::memory_order_release);
    pool.unused.push_back(cell);
}

}  // namespace halocline
