// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Exchange pattern files: who sends how much to whom; docs/formats/exchange-pattern.md.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace halocline::p2p {

struct ExchangePattern {
    struct Message {
        int peer = 0;
        std::size_t bytes = 0;
    };
    std::vector<std::vector<Message>> sends;  ///< by rank

    [[nodiscard]] int ranks() const { return static_cast<int>(sends.size()); }
};

/// Reads a pattern from the text of a file. Throws InputError naming `path` and the key.
[[nodiscard]] ExchangePattern parse_exchange_pattern(const std::string& text,
                                                     const std::string& path);

/// Throws InputError when the file cannot be read, too.
[[nodiscard]] ExchangePattern read_exchange_pattern(const std::string& path);

}  // namespace halocline::p2p
