// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/output/account.hpp"

#include <algorithm>

namespace halocline::output {

double Account::hidden_s() const { return std::max(0.0, written_s - blocked_s - drained_s); }

Account Account::over_ranks(const Communicator& comm) const {
    Account slowest = *this;
    slowest.copied_s = comm.max(copied_s);
    slowest.blocked_s = comm.max(blocked_s);
    slowest.drained_s = comm.max(drained_s);
    slowest.written_s = comm.max(written_s);
    slowest.deepest_queue = comm.max(deepest_queue);
    return slowest;
}

}  // namespace halocline::output
