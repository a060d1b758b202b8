// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Copies of texts into fixed room, cut where it ends.
#pragma once

#include <cstddef>

namespace halocline::snapshot {

template <std::size_t size>
void copy_text(char (&to)[size], const char* from) {
    std::size_t i = 0;
    for (; i + 1 < size && from[i] != '\0'; ++i) {
        to[i] = from[i];
    }
    to[i] = '\0';
}

}  // namespace halocline::snapshot
