// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How meshes of benchmarks are numbered: as they are made, or at random as bad files are.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "halocline/core/types.hpp"

namespace halocline::benchmarks {

enum class Numbering { natural, shuffled };

[[nodiscard]] constexpr const char* numbering_name(Numbering numbering) {
    return numbering == Numbering::natural ? "natural" : "shuffled";
}

/// New number of each of `count` elements: its own, or one at random.
[[nodiscard]] std::vector<GlobalIndex> new_numbers(GlobalIndex count, Numbering numbering,
                                                   std::mt19937_64& random);

/// Rows of `width` values where their elements are now.
template <class T>
[[nodiscard]] std::vector<T> moved_rows(const std::vector<T>& rows, std::size_t width,
                                        const std::vector<GlobalIndex>& number) {
    std::vector<T> moved(rows.size());
    for (std::size_t i = 0; i < number.size(); ++i) {
        for (std::size_t d = 0; d < width; ++d) {
            moved[static_cast<std::size_t>(number[i]) * width + d] = rows[i * width + d];
        }
    }
    return moved;
}

/// Replaces the targets of a map by their new numbers; absent ones stay absent.
void rename_targets(std::vector<GlobalIndex>& targets, const std::vector<GlobalIndex>& number);

}  // namespace halocline::benchmarks
