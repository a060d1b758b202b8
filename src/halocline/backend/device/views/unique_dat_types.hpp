// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whether the type of a dat that threads keep in registers identifies the dat.
#pragma once

#include <typeindex>
#include <vector>

#include "halocline/backend/device/views/registers.hpp"

namespace halocline::device::detail {

/// Threads know the dats they keep in registers by type, so one type must mean one dat: temporaries in
/// the whole chain, dats changed through maps in each loop.
class UniqueDatTypes {
public:
    template <class LoopT>
    void add(const LoopT& loop) {
        gathered_.clear();
        loop.for_each_arg([&](const auto& arg) {
            using Arg = std::remove_cvref_t<decltype(arg)>;
            if constexpr (Temporary<Arg>) {
                note(temporaries_, typeid(typename Arg::DatT), arg.store);
                holds_ = holds_ && arg.store->temporary;
            } else if constexpr (Gathered<Arg>) {
                note(gathered_, typeid(typename Arg::DatT), arg.store);
            }
        });
    }
    /// Whether it holds for the loops so far.
    [[nodiscard]] bool holds() const { return holds_; }

private:
    struct Seen {
        std::type_index type;
        const DatStore* store;
    };
    void note(std::vector<Seen>& seen, std::type_index type, const DatStore* store) {
        for (const Seen& each : seen) {
            if (each.type == type) {
                holds_ = holds_ && each.store == store;
                return;
            }
        }
        seen.push_back({type, store});
    }

    std::vector<Seen> temporaries_;
    std::vector<Seen> gathered_;
    bool holds_ = true;
};

}  // namespace halocline::device::detail
