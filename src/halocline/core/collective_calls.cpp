// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/core/collective_calls.hpp"

#include <algorithm>
#include <vector>

namespace halocline {

namespace {

/// In the order in which they were made, which is the same on all ranks.
std::vector<CallListener*>& listeners() {
    static std::vector<CallListener*> all;
    return all;
}

}  // namespace

CallListener::CallListener(const Communicator& comm) : comm_(comm.get()) {
    listeners().push_back(this);
}

CallListener::~CallListener() { std::erase(listeners(), this); }

void enter_call(const Communicator& comm, const std::string& call) {
    const auto& all = listeners();
    const auto last = std::find_if(all.rbegin(), all.rend(), [&](const CallListener* listener) {
        return listener->is_for(comm);
    });
    if (comm.size() > 1 && last != all.rend()) {
        (*last)->enter(call);
    }
}

}  // namespace halocline
