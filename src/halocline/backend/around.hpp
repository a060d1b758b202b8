// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What all back ends do around a loop: halos needed, changes noted, bytes counted.
#pragma once

#include <algorithm>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/core/clock.hpp"
#include "halocline/loop/loop.hpp"

namespace halocline::detail {

/// Dats whose halo the loop reads: through maps, or on import-exec elements when those are executed.
template <class LoopT>
void append_halo_reads(const LoopT& loop, std::vector<DatStore*>& stores) {
    loop.for_each_arg([&](const auto& arg) {
        using Arg = std::remove_cvref_t<decltype(arg)>;
        if constexpr (!Arg::is_global) {
            const bool reads = Arg::access == Access::read || Arg::access == Access::read_write;
            if (reads && (Arg::is_indirect || LoopT::has_indirect_change) && !arg.store->temporary) {
                stores.push_back(arg.store);
            }
        }
    });
}

template <class LoopT>
void mark_changes(const LoopT& loop) {
    loop.for_each_arg([&](const auto& arg) {
        using Arg = std::remove_cvref_t<decltype(arg)>;
        if constexpr (!Arg::is_global && Arg::access != Access::read) {
            arg.store->mark_written();
        }
    });
}

/// Bytes a loop must move at least: each dat and map once, read and written apart.
template <class LoopT>
std::int64_t count_bytes(const LoopT& loop) {
    std::vector<const void*> seen;
    std::int64_t bytes = 0;
    const auto first_time = [&](const void* item) {
        const bool fresh = std::find(seen.begin(), seen.end(), item) == seen.end();
        if (fresh) {
            seen.push_back(item);
        }
        return fresh;
    };
    loop.for_each_arg([&](const auto& arg) {
        using Arg = std::remove_cvref_t<decltype(arg)>;
        if constexpr (!Arg::is_global) {
            const bool both = Arg::access != Access::read && Arg::access != Access::write;
            if (first_time(arg.store) && !arg.store->temporary) {
                bytes += static_cast<std::int64_t>(arg.store->set->owned) * arg.store->dim *
                         (both ? 16 : 8);
            }
            if constexpr (Arg::is_indirect) {
                if (first_time(arg.map)) {
                    bytes += static_cast<std::int64_t>(arg.from->owned) * arg.map->arity * 4;
                }
            }
        }
    });
    return bytes;
}

/// Adds one call to the account when it goes out of scope.
class LoopAccount {
public:
    LoopAccount(Context& context, const LoopName& name, std::int64_t elements, std::int64_t bytes)
        : context_(context), name_(name), elements_(elements), bytes_(bytes), start_s_(wall_seconds()) {}
    ~LoopAccount() {
        LoopStatistics& row = context_.loops().row(name_);
        ++row.calls;
        row.seconds += wall_seconds() - start_s_;
        row.elements += elements_;
        row.bytes += bytes_;
    }
    LoopAccount(const LoopAccount&) = delete;
    LoopAccount& operator=(const LoopAccount&) = delete;

private:
    Context& context_;
    LoopName name_;
    std::int64_t elements_;
    std::int64_t bytes_;
    double start_s_;
};

}  // namespace halocline::detail
