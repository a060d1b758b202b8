// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// C streams: unlike fmt::print, they report a failure without throwing.
#include "halocline/core/print.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

namespace halocline {

namespace {

/// Opened the wrong way round: its use fails as that of a closed stream does.
void take_number(int stream) noexcept {
    if (::fcntl(stream, F_GETFD) < 0) {
        (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

}  // namespace

void guard_streams() noexcept {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        take_number(stream);  // in ascending order: open() gives the lowest free number
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

bool print_text(std::FILE* stream, std::string_view text) noexcept {
    std::clearerr(stream);
    const bool taken = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
    return std::fflush(stream) == 0 && taken;
}

}  // namespace halocline
