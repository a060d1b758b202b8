// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How many elements each part should get, from the weights of the parts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "halocline/core/types.hpp"

namespace halocline::dist {

/// Sizes in proportion to `weights` (empty: equal) that add up to `size`; none is 0, so `size` must
/// be at least `parts`. Equal weights give the sizes of `block_range`.
[[nodiscard]] std::vector<GlobalIndex> target_sizes(GlobalIndex size, int parts,
                                                    std::span<const double> weights);

/// Whether sizes differ by rounding only.
[[nodiscard]] bool is_equal(std::span<const GlobalIndex> sizes);

/// Ends of the parts when they follow each other: running sums of the sizes.
[[nodiscard]] std::vector<GlobalIndex> running_sums(std::span<const GlobalIndex> sizes);

/// Shares of the whole, for libraries that want them as floating-point numbers that add up to 1.
[[nodiscard]] std::vector<float> target_shares(std::span<const GlobalIndex> sizes);

/// Throws UsageError unless there is one finite weight above 0 for each part, or none at all.
void validate_weights(std::span<const double> weights, int parts);

}  // namespace halocline::dist
