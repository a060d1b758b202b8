// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Memory aliasing: dats that are never live at the same time share the host memory of one of them.
// Host memory of one rank: devices have memory of their own for each dat.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/mesh/dat_store.hpp"

namespace halocline {

/// Hands out the memory of one dat, its owner, in consecutive pieces. A dat that is placed there loses its
/// values, and keeps new ones until the owner, or another dat in the same piece, is written. The owner
/// must keep its memory: it may not be swapped.
class AliasedMemory {
public:
    /// The memory of `owner`, which outlives this object and all dats that are placed there.
    explicit AliasedMemory(DatStore& owner)
        : name_(owner.name), next_(owner.values.data()), left_(owner.values.size()) {}

    /// Words of eight bytes that a dat takes, up to whole cache lines.
    [[nodiscard]] static std::size_t words_for(const DatStore& dat) {
        return (words_of(dat) + simd_lanes - 1) / simd_lanes * simd_lanes;
    }
    /// Whether what is left is enough for the values of `dat`.
    [[nodiscard]] bool has_room_for(const DatStore& dat) const { return words_for(dat) <= left_; }

    /// The next piece. Throws ContractError when less than `words` is left.
    [[nodiscard]] double* allocate(std::size_t words) {
        validate<ContractError>(words <= left_,
                                "dat '" + name_ + "' cannot hold " + std::to_string(words) +
                                    " words of other dats (" + std::to_string(left_) +
                                    " are left). Use a larger one.");
        left_ -= words;
        return std::exchange(next_, next_ + words);
    }

    /// Places the values of a dat of doubles at `memory`.
    static void place(DatStore& dat, double* memory) {
        dat.values = Buffer<double>::borrow(memory, words_of(dat));
    }
    /// Places the values of a dat of doubles in the next piece.
    void share_with(DatStore& dat) { place(dat, allocate(words_for(dat))); }

private:
    static std::size_t words_of(const DatStore& dat) {
        return static_cast<std::size_t>(dat.asked_layout().size(dat.set->rows(), dat.dim));
    }

    std::string name_;
    double* next_;
    std::size_t left_;
};

}  // namespace halocline
