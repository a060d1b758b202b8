// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Permutations with a generator that the caller seeds.
#include "numbering.hpp"

#include <algorithm>
#include <numeric>

namespace halocline::benchmarks {

std::vector<GlobalIndex> new_numbers(GlobalIndex count, Numbering numbering,
                                     std::mt19937_64& random) {
    std::vector<GlobalIndex> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), GlobalIndex{0});
    if (numbering == Numbering::shuffled) {
        std::shuffle(numbers.begin(), numbers.end(), random);
    }
    return numbers;
}

void rename_targets(std::vector<GlobalIndex>& targets, const std::vector<GlobalIndex>& number) {
    for (GlobalIndex& target : targets) {
        target = target == absent ? absent : number[static_cast<std::size_t>(target)];
    }
}

}  // namespace halocline::benchmarks
