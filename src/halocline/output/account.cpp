// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/output/account.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace halocline::output {

double Account::hidden_s() const { return std::max(0.0, written_s - blocked_s - drained_s); }

Account Account::over_ranks(const Communicator& comm) const {
    Account slowest = *this;
    slowest.copied_s = comm.max(copied_s);
    slowest.blocked_s = comm.max(blocked_s);
    slowest.drained_s = comm.max(drained_s);
    const std::vector<double> written = comm.all_gather(std::span(&written_s, 1));
    const auto longest = std::max_element(written.begin(), written.end());
    slowest.written_s = *longest;
    slowest.slowest_rank = static_cast<int>(longest - written.begin());
    slowest.deepest_queue = comm.max(deepest_queue);
    return slowest;
}

}  // namespace halocline::output
