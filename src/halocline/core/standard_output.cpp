// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The stream is the process's own, and so is the memory of its first failure.
#include "halocline/core/standard_output.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "halocline/core/error.hpp"
#include "halocline/core/print.hpp"

namespace halocline {

namespace {

std::atomic<int> first_failure{0};

}  // namespace

void say_text(std::string_view text) noexcept {
    errno = 0;
    if (!print_text(stdout, text)) {
        const int reason = errno != 0 ? errno : EIO;
        int none = 0;
        first_failure.compare_exchange_strong(none, reason);
    }
}

int finish_output(const char* program, int code) noexcept {
    say_text("");  // what others have printed
    const int reason = first_failure.load();
    if (reason == 0 || reason == EPIPE) {
        return code;
    }
    print(stderr, "{}: standard output cannot be written ({}). Send it elsewhere.\n", program,
          std::strerror(reason));
    return code != 0 ? code : static_cast<int>(ExitCode::run_failed);
}

}  // namespace halocline
