// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Small text files of settings: reading them once for all ranks, and taking their lines apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// Throws InputError where something lies at `path` that is not a regular file: a pipe would wait for a
/// writer, a device may never end. `what` names its role.
void require_regular_file(const std::string& path, const std::string& what);

/// Rank 0 reads `path`; every rank gets the text. Collective. Throws InputError on every rank when
/// the file is missing, unreadable or plainly no text of settings; `what` names its role.
[[nodiscard]] std::string read_text_file(const Communicator& comm, const std::string& path,
                                         const std::string& what);

/// One line that says something: no blank line, no comment, without line end and outer blanks.
struct TextLine {
    int number = 0;    ///< counted from 1
    std::string text;  ///< without the end of the line
};

/// Lines of `text` that are neither blank nor start with `#`. Takes LF and CR LF line ends and a
/// UTF-8 byte order mark. Throws InputError when the text holds a zero byte.
[[nodiscard]] std::vector<TextLine> setting_lines(std::string_view text, const std::string& path);

/// The two sides of `key = value`, without outer blanks; nothing when there is no `=`.
struct KeyValue {
    std::string key;    ///< without blanks around it
    std::string value;  ///< without blanks around it
};
[[nodiscard]] std::optional<KeyValue> split_key_value(std::string_view line);

/// `text` as a decimal integer; nothing when any of it is something else or does not fit.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

/// "file:line", the head of every message about a line.
[[nodiscard]] std::string place(const std::string& path, int line);

/// `text` fit for a message: control characters replaced, long text cut.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace halocline
