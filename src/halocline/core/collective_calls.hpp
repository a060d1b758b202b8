// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How calls that have a communicator only reach what compares them with those of other ranks.
#pragma once

#include <string>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// While it exists, it hears of each `enter_call` on its communicator. All ranks make one together.
class CallListener {
public:
    CallListener(const CallListener&) = delete;
    CallListener& operator=(const CallListener&) = delete;
    /// Gets what this rank is about to do, such as "writes fields". Collective.
    virtual void enter(const std::string& call) = 0;
    /// Whether calls on `comm` are for it.
    [[nodiscard]] bool is_for(const Communicator& comm) const { return comm_ == comm.get(); }

protected:
    explicit CallListener(const Communicator& comm);
    ~CallListener();

private:
    MPI_Comm comm_;
};

/// This rank is about to do `call` with all ranks of `comm`. Where a `Runtime` runs them, throws ContractError
/// when another rank is about to do something else. From the main thread. Collective.
void enter_call(const Communicator& comm, const std::string& call);

}  // namespace halocline
