// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where the staged values of a tile lie in shared memory.
#pragma once

#include "halocline/backend/device/views/dat_access.hpp"
#include "halocline/backend/device/views/two_ended_args.hpp"

namespace halocline::device {

/// Layout of one two-ended loop's staged values in `bytes` of shared memory: targets at the second end with all that is
/// derived from them, then values of elements, then entries of rows. As many of each as fit.
template <class LoopT, int bytes>
class StagingLayout {
    using Indices = typename LoopView<LoopT>::Indices;
    template <std::size_t a>
    using Arg = typename LoopView<LoopT>::template Arg<a>;
    template <std::size_t a>
    using Stored = typename Arg<a>::Stored;

    template <std::size_t a>
    static constexpr int target_bytes() {
        if constexpr (!detail::reads_end<Arg<a>, 1>()) {
            return 0;
        } else {
            return is_pairs<a>() ? (Arg<a>::size + 1) / 2 * 16
                                 : Arg<a>::size * static_cast<int>(sizeof(Stored<a>));
        }
    }
    template <std::size_t a>
    static constexpr int value_size() {
        return comes_in_row_order<LoopT, Arg<a>> ? Arg<a>::size : 0;
    }
    template <std::size_t a>
    static constexpr int value_bytes() {
        return value_size<a>() * static_cast<int>(sizeof(Stored<a>));
    }
    template <std::size_t... a>
    static constexpr int all_target_bytes(std::index_sequence<a...>) {
        return (0 + ... + target_bytes<a>());
    }
    template <std::size_t... a>
    static constexpr int all_value_bytes(std::index_sequence<a...>) {
        return (0 + ... + value_bytes<a>());
    }
    /// Three values for two targets, as meshes have it; a multiple of eight targets.
    static constexpr int fitting_targets() {
        const int each = 2 * all_target_bytes(Indices{}) + 3 * all_value_bytes(Indices{});
        return each == 0 ? 0 : 2 * (bytes - entry_bytes) / each / 8 * 8;
    }
    template <std::size_t... a>
    static constexpr int largest_value(std::index_sequence<a...>) {
        int largest = 1;
        ((largest = value_size<a>() > largest ? value_size<a>() : largest), ...);
        return largest;
    }

public:
    /// @name How many fit
    /// @{
    static constexpr int most_slots = tile / slice * 7;
    static constexpr int most_targets = fitting_targets();
    static constexpr int most_values = most_targets / 2 * 3;
    /// @}

    HALOCLINE_HD explicit StagingLayout(unsigned char* memory) : memory_(memory) {}

    /// Whether argument `a` lies in pairs.
    template <std::size_t a>
    static constexpr bool is_pairs() {
        return shape_of<typename Arg<a>::DatT>() == Shape::pairs;
    }
    /// Whether argument `a` has components that are derived from others.
    template <std::size_t a>
    static constexpr bool is_derived() {
        if constexpr (!detail::reads_end<Arg<a>, 1>()) {
            return false;
        } else {
            return Arg<a>::size > Arg<a>::DatT::dim;
        }
    }
    /// Components of the largest value: a thread copies one, so that neighbouring threads share a memory transaction.
    static constexpr int value_parts() { return largest_value(Indices{}); }

    /// @name Where argument `a` lies, of a target or an element at a place of the tile
    /// @{
    template <std::size_t a>
    [[nodiscard]] HALOCLINE_HD detail::Pair* pair_at(LocalIndex place, int p) const {
        return reinterpret_cast<detail::Pair*>(targets_of<a>()) + p * most_targets + place;
    }
    template <std::size_t a>
    [[nodiscard]] HALOCLINE_HD Stored<a>* component_at(LocalIndex place, int d) const {
        return reinterpret_cast<Stored<a>*>(targets_of<a>()) + d * most_targets + place;
    }
    template <std::size_t a>
    [[nodiscard]] HALOCLINE_HD Stored<a>* value_at(LocalIndex place) const {
        constexpr int before = most_targets * all_target_bytes(Indices{}) +
                               most_values * all_value_bytes(std::make_index_sequence<a>{});
        return reinterpret_cast<Stored<a>*>(memory_ + before) + place * Arg<a>::size;
    }
    /// @}
    [[nodiscard]] HALOCLINE_HD std::uint32_t* entries() const {
        return reinterpret_cast<std::uint32_t*>(memory_ + (bytes - entry_bytes));
    }

    /// Of a target's components the first `n`, as they lie here.
    template <std::size_t a, int n>
    [[nodiscard]] HALOCLINE_HD Values<double, n> target(LocalIndex place) const {
        Values<double, n> values;
        for (int d = 0; d < n; ++d) {
            if constexpr (!is_pairs<a>()) {
                values[d] = widened(*component_at<a>(place, d));
            } else if (d % 2 == 0) {
                const detail::Pair pair = *pair_at<a>(place, d / 2);
                values[d] = pair.x;
                values[d + 1 < n ? d + 1 : d] = d + 1 < n ? pair.y : pair.x;
            }
        }
        return values;
    }

private:
    static constexpr int entry_bytes = most_slots * slice * static_cast<int>(sizeof(std::uint32_t));

    template <std::size_t a>
    [[nodiscard]] HALOCLINE_HD unsigned char* targets_of() const {
        return memory_ + most_targets * all_target_bytes(std::make_index_sequence<a>{});
    }

    unsigned char* memory_;
};

}  // namespace halocline::device
