// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Absent entries of maps on their way to a rank: negative until sets have their final size, then the
// row behind all elements.
#pragma once

#include <algorithm>

#include "halocline/dist/migration/rows.hpp"
#include "halocline/mesh/declaration.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline::dist {

/// Notes in the sets of `mesh` which of them maps may miss.
void mark_absent(const MeshDeclaration& declaration, MeshPart& mesh);

/// Lets negative targets name the row that stands for them.
void place_absent_targets(MeshPart& mesh);

/// Memory for the rows of a dat of `dim` values of type T; the row of absent targets is zero.
template <class T>
[[nodiscard]] Buffer<double> words_of_rows(const SetPart& set, std::size_t dim) {
    Buffer<double> words = words_of<T>(static_cast<std::size_t>(set.rows()) * dim);
    const auto first = static_cast<std::size_t>(set.total) * dim;
    std::fill_n(values_in<T>(words) + first, set.has_absent ? dim : 0, T{});
    return words;
}

/// Whether the targets of a row, and `other` if that is an owner, have several owners.
[[nodiscard]] bool is_cut(const int* owners, std::size_t arity, int other);

}  // namespace halocline::dist
