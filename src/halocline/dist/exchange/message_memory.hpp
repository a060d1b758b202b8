// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Memory for messages that the plans of one exchange share: only one of them is in flight at a time.
#pragma once

#include <vector>

#include "halocline/memory/buffer.hpp"

namespace halocline::dist {

/// Hands out the same memory again and again. Requests keep addresses, so that what is too small for
/// a later plan stays for the earlier ones.
class MessageMemory {
public:
    /// At least `values` doubles; what they held may be overwritten between two exchanges.
    [[nodiscard]] double* take(std::size_t values) {
        for (Buffer<double>& block : blocks_) {
            if (block.size() >= values) {
                return block.data();
            }
        }
        return blocks_.emplace_back(values).data();
    }

    /// How often what was there was too small.
    [[nodiscard]] std::size_t blocks() const noexcept { return blocks_.size(); }

private:
    std::vector<Buffer<double>> blocks_;
};

}  // namespace halocline::dist
