// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Templates of communicator.hpp.
#pragma once

#include "halocline/core/communicator.hpp"
#include "halocline/core/error.hpp"

namespace halocline {

template <class Work>
void run_agreed(const Communicator& comm, Work&& work) {
    int code = 0;
    std::string message;
    try {
        work();
    } catch (const Error& error) {
        code = static_cast<int>(error.code());
        message = error.what();
    } catch (const std::bad_alloc&) {
        code = static_cast<int>(ExitCode::environment);
        message = "out of memory on rank " + std::to_string(comm.rank()) +
                  " (the mesh share does not fit). Use more ranks or a machine with more memory.";
    }
    comm.agree(code, message);
}

}  // namespace halocline
