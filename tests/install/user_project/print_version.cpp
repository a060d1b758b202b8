// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Prints what the installed package says of itself.
#include "halocline/core/build_info.hpp"

#include <iostream>

int main() {
    namespace info = halocline::build_info;
    std::cout << "halocline " << info::version << ' ' << info::git_describe << ' '
              << info::build_type << " for " << info::arch << '\n';
}
