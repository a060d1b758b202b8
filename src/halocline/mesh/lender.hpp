// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Aliasing: a dat whose values are dead for a while gives its memory to dats that live only then.
// Host memory of one rank: devices have memory of their own for each dat.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/mesh/dat.hpp"

namespace halocline {

/// Hands out a dat's memory in consecutive pieces. Who borrows loses the values it had, and keeps new ones
/// until the lender, or another dat in the same piece, is written. The lender's memory must stay: no swap.
class Lender {
public:
    /// Lends the memory of `idle`, which outlives it.
    explicit Lender(DatStore& idle)
        : name_(idle.name), at_(idle.values.data()), left_(idle.values.size()) {}

    /// Words of eight bytes that a dat takes, up to whole cache lines.
    [[nodiscard]] static std::size_t room_for(const DatStore& dat) {
        return (words_of(dat) + simd_lanes - 1) / simd_lanes * simd_lanes;
    }
    /// Whether what is left is enough for the values of `dat`.
    [[nodiscard]] bool has_room_for(const DatStore& dat) const { return room_for(dat) <= left_; }

    /// The next piece. Throws ContractError when so much is not left.
    [[nodiscard]] double* take(std::size_t words) {
        validate<ContractError>(words <= left_,
                                "dat '" + name_ + "' cannot hold " + std::to_string(words) +
                                    " words of other dats (" + std::to_string(left_) +
                                    " are left). Use a larger one.");
        left_ -= words;
        return std::exchange(at_, at_ + words);
    }

    /// Lets a dat of doubles lie in `memory` from now on.
    static void place(DatStore& dat, double* memory) {
        dat.values = Buffer<double>::borrow(memory, words_of(dat));
    }
    /// In the next piece.
    void lend_to(DatStore& dat) { place(dat, take(room_for(dat))); }

private:
    static std::size_t words_of(const DatStore& dat) {
        return static_cast<std::size_t>(dat.layout.size(dat.set->rows(), dat.dim));
    }

    std::string name_;
    double* at_;
    std::size_t left_;
};

}  // namespace halocline
