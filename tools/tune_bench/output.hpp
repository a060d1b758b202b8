// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// JSON, an object a line, each on the disk before the next call that may crash or hang.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace halocline::tune_bench {

/// `text` in quotation marks.
std::string quoted(const std::string& text);

/// `[1,2,3]`
std::string listed(const std::vector<std::int64_t>& numbers);

/// The file that rank 0 adds to; other ranks have none and write nothing.
class Output {
public:
    /// Throws std::runtime_error where the file cannot be opened; an empty path opens none.
    explicit Output(const std::string& path);
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    /// Adds a line and hands it to the system.
    void line(const std::string& json);

private:
    std::FILE* file_ = nullptr;
};

}  // namespace halocline::tune_bench
