// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A program with arguments of its own: it sees all that MPI does not take, in order.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "halocline/core/error.hpp"
#include "halocline/runtime/runtime.hpp"

int program(halocline::Runtime& /*runtime*/, int argc, char** argv) {
    constexpr std::array<std::string_view, 4> expected{"--cells", "12", "two words", "last"};
    const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
    const bool same = argc == 5 && argv[argc] == nullptr &&
                      std::equal(expected.begin(), expected.end(), arguments.begin() + 1);
    return static_cast<int>(same ? halocline::ExitCode::ok
                                 : halocline::ExitCode::comparison_differs);
}

int main(int argc, char** argv) { return halocline::run_program<program>(argc, argv); }
