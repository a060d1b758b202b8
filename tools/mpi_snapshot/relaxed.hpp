// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Counts that any thread adds to and the report reads: whole numbers, in no order with others.
#pragma once

#include <atomic>
#include <cstdint>

namespace halocline::snapshot {

inline void add(std::atomic<std::uint64_t>& to, std::uint64_t amount) {
    to.fetch_add(amount, std::memory_order_relaxed);
}
inline std::uint64_t get(const std::atomic<std::uint64_t>& from) {
    return from.load(std::memory_order_relaxed);
}

}  // namespace halocline::snapshot
