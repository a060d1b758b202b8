// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Launches as numbers, to be compared with recorded ones.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "halocline/core/types.hpp"

namespace halocline::device {

/// All that a launch depends on: two launches with equal signatures do the same.
using Signature = std::vector<std::uint64_t>;

/// Turns a view into numbers, as visitor of its fields.
struct SignatureWriter {
    Signature& out;
    template <class T>
    void pointer(T* value) {
        out.push_back(reinterpret_cast<std::uintptr_t>(value));
    }
    void number(LocalIndex value) { out.push_back(static_cast<std::uint64_t>(value)); }
    void number(double value) { out.push_back(std::bit_cast<std::uint64_t>(value)); }
    template <class T>
    void bytes(const T& value) {
        if constexpr (!std::is_empty_v<T>) {
            const std::size_t first = out.size();
            out.resize(first + (sizeof(T) + 7) / 8, 0);
            std::memcpy(&out[first], &value, sizeof(T));
        }
    }
};

/// All of a view.
template <class View>
Signature signature_of(View view) {
    Signature signature;
    view.visit(SignatureWriter{signature});
    return signature;
}

}  // namespace halocline::device
