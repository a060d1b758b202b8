// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which of two ways a loop is faster in on this rank: they take turns in its first calls, then the faster
// one stays. Results are the same.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace halocline {

/// Which of two ways to run a loop on one thread is faster, found by taking turns in its first
/// calls.
class FasterWay {
public:
    /// Packs of elements, or one element after the other, as the serial back end does it.
    enum class Way { packs, elements };
    /// Of each way. The first is not counted: it makes plans, and touches memory first.
    static constexpr int trials = 4;

    /// Of the next call.
    [[nodiscard]] Way turn() const {
        if (!decided()) {
            return calls_ % 2 == 0 ? Way::packs : Way::elements;
        }
        // Packs keep what they have where the difference is below 3 %.
        return least_s_[1] < 0.97 * least_s_[0] ? Way::elements : Way::packs;
    }
    /// Whether all trials are done.
    [[nodiscard]] bool decided() const { return calls_ == 2 * trials; }
    /// The call whose turn it was took so long.
    void note(double seconds) {
        if (calls_ >= 2) {
            double& least = least_s_[static_cast<std::size_t>(turn())];
            least = std::min(least, seconds);
        }
        ++calls_;
    }

private:
    int calls_ = 0;
    std::array<double, 2> least_s_{std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::infinity()};
};

/// One loop's.
struct NamedWay {
    std::string name;  ///< of the loop
    int level;         ///< of the loop; -1: none
    FasterWay way;     ///< chosen or being tried
};

}  // namespace halocline
