// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Strings as JSON writes them, and lines that survive a crash.
#include "output.hpp"

#include <stdexcept>

namespace halocline::tune_bench {

std::string quoted(const std::string& text) {
    std::string made = "\"";
    for (const char each : text) {
        const auto code = static_cast<unsigned char>(each);
        if (each == '"' || each == '\\') {
            made += '\\';
            made += each;
        } else if (code < 0x20 || code >= 0x7f) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", code);
            made += escape;
        } else {
            made += each;
        }
    }
    return made + '"';
}

std::string listed(const std::vector<std::int64_t>& numbers) {
    std::string made = "[";
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        made += (i > 0 ? "," : "") + std::to_string(numbers[i]);
    }
    return made + "]";
}

Output::Output(const std::string& path) {
    if (path.empty()) {
        return;
    }
    file_ = std::fopen(path.c_str(), "ae");
    if (file_ == nullptr) {
        throw std::runtime_error(path + ": cannot be written. Check that its folder exists.");
    }
}

Output::~Output() {
    if (file_ != nullptr) {
        std::fclose(file_);
    }
}

void Output::line(const std::string& json) {
    if (file_ != nullptr) {
        std::fputs((json + "\n").c_str(), file_);
        std::fflush(file_);
    }
}

}  // namespace halocline::tune_bench
