// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The values of a segment as words of its message: one of eight bytes, or two of four. nvcc reads this
// file, too.
#pragma once

#include <cstdint>
#include <cstring>

#include "halocline/core/types.hpp"
#include "halocline/mesh/raw_dat.hpp"

namespace halocline::dist {

/// Listed elements of a dat, as consecutive words of a message: component d of the k-th listed element is
/// value k dim + d, of its type. Pointers are device memory, in kernels what those see of it.
struct ListedValues {
    RawDat dat;
    const LocalIndex* elements = nullptr;  ///< (count)
    LocalIndex count = 0;

    [[nodiscard]] HALOCLINE_HD bool are_halves() const {
        return dat.type == ElementType::float32 || dat.type == ElementType::int32;
    }
    [[nodiscard]] HALOCLINE_HD std::int64_t values() const { return std::int64_t{count} * dat.dim; }
    [[nodiscard]] HALOCLINE_HD std::int64_t words() const {
        return are_halves() ? (values() + 1) / 2 : values();
    }

    [[nodiscard]] HALOCLINE_HD std::uint64_t word(std::int64_t w) const {
        if (!are_halves()) {
            return load<std::uint64_t>(w);
        }
        const std::uint64_t low = load<std::uint32_t>(2 * w);
        const std::uint64_t high = 2 * w + 1 < values() ? load<std::uint32_t>(2 * w + 1) : 0;
        return high << 32 | low;
    }
    HALOCLINE_HD void set_word(std::int64_t w, std::uint64_t bits) const {
        if (!are_halves()) {
            store(w, bits);
            return;
        }
        store(2 * w, static_cast<std::uint32_t>(bits));
        if (2 * w + 1 < values()) {
            store(2 * w + 1, static_cast<std::uint32_t>(bits >> 32));
        }
    }

private:
    /// Value v of the message: component after component, element after element.
    [[nodiscard]] HALOCLINE_HD std::int64_t place(std::int64_t v) const {
        const auto k = static_cast<LocalIndex>(v / dat.dim);
        return dat.layout.offset(elements[k], static_cast<int>(v - std::int64_t{k} * dat.dim));
    }
    template <class Bits>
    [[nodiscard]] HALOCLINE_HD Bits load(std::int64_t v) const {
        Bits bits;
        __builtin_memcpy(&bits, reinterpret_cast<const Bits*>(dat.values) + place(v), sizeof(Bits));
        return bits;
    }
    template <class Bits>
    HALOCLINE_HD void store(std::int64_t v, Bits bits) const {
        __builtin_memcpy(reinterpret_cast<Bits*>(dat.values) + place(v), &bits, sizeof(Bits));
    }
};

}  // namespace halocline::dist
