// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Is a buffer device memory? Asked of the CUDA driver if the program has loaded it, else never.
#pragma once

#include <atomic>

namespace halocline::snapshot {

/// cuPointerGetAttribute of the driver API: (result, attribute, pointer), 0 on success.
using PointerQuery = int (*)(void*, int, unsigned long long);
extern std::atomic<PointerQuery> pointer_query;

/// Checks whether a driver was loaded since the last check.
void look_for_device_driver();

bool ask_driver(PointerQuery query, const void* pointer);

inline bool is_device_memory(const void* pointer) {
    const PointerQuery query = pointer_query.load(std::memory_order_relaxed);
    return query != nullptr && pointer != nullptr && ask_driver(query, pointer);
}

}  // namespace halocline::snapshot
