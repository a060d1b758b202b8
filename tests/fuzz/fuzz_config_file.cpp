// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a configuration file: an InputError that names it, or known keys, each once.
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "halocline/core/error.hpp"
#include "halocline/io/config_file.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) { return 0; }

namespace {

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

void check(const std::vector<halocline::ConfigSetting>& settings) {
    std::set<std::string> keys;
    int line = 0;
    for (const halocline::ConfigSetting& setting : settings) {
        require(keys.insert(setting.key).second && setting.line > line);
        line = setting.line;
        if (setting.key == "cycles") {
            require(halocline::config_integer(setting, 1) >= 1);
        } else if (setting.key == "renumber") {
            (void)halocline::config_flag(setting);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        check(halocline::parse_config(text, "run.conf", halocline::mgcfd_config_keys()));
    } catch (const halocline::InputError& error) {
        const std::string_view message = error.what();
        require(message.starts_with("run.conf") && message.size() < 2000);
        require(message.find('\n') == std::string_view::npos);
    }
    return 0;
}
