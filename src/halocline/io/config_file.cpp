// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The strict parser of setting files.
#include "halocline/io/config_file.hpp"

#include <algorithm>
#include <array>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"
#include "halocline/io/text_file.hpp"

namespace halocline {

namespace {

// Source: MG-CFD-app-OP2, config.h (its mixture of '-' and '_' included).
constexpr std::array<std::string_view, 15> mgcfd_keys{
    "config-filepath",    "input_file",       "input_file_directory",
    "output_file_prefix", "papi-config-file", "validate_result",
    "measure_mem_bound",  "cycles",           "partitioner",
    "partitioner-method", "renumber",         "output_step_factors",
    "output_fluxes",      "output_variables", "output_flow_interval"};

[[noreturn]] void fail(const ConfigSetting& setting, const std::string& message) {
    throw InputError(place(setting.file, setting.line) + ": " + message);
}

}  // namespace

std::span<const std::string_view> mgcfd_config_keys() { return mgcfd_keys; }

std::vector<ConfigSetting> parse_config(std::string_view text, const std::string& path,
                                        std::span<const std::string_view> known_keys) {
    std::vector<ConfigSetting> settings;
    for (const TextLine& line : setting_lines(text, path)) {
        const std::optional<KeyValue> pair = split_key_value(line.text);
        ConfigSetting setting{pair ? pair->key : "", pair ? pair->value : "", path, line.number};
        if (!pair) {
            fail(setting,
                 "found " + in_quotes(line.text) +
                     ", which is no 'key = value' or '# comment'. Correct or remove the line.");
        }
        if (std::find(known_keys.begin(), known_keys.end(), setting.key) == known_keys.end()) {
            fail(setting, "unknown key " + in_quotes(setting.key) + ". " +
                              suggest_name(setting.key, known_keys));
        }
        const auto earlier = std::find_if(settings.begin(), settings.end(), [&](const auto& other) {
            return other.key == setting.key;
        });
        if (earlier != settings.end()) {
            fail(setting, "key '" + setting.key + "' is given twice (first in line " +
                              std::to_string(earlier->line) + "). Keep one of them.");
        }
        settings.push_back(std::move(setting));
    }
    return settings;
}

std::vector<ConfigSetting> read_config_file(const Communicator& comm, const std::string& path,
                                            std::span<const std::string_view> known_keys) {
    return parse_config(read_text_file(comm, path, "configuration file"), path, known_keys);
}

bool config_flag(const ConfigSetting& setting) {
    if (setting.value != "Y" && setting.value != "N") {
        fail(setting, "'" + setting.key + "' is " + in_quotes(setting.value) +
                          " (it switches something on or off). Write Y or N.");
    }
    return setting.value == "Y";
}

std::int64_t config_integer(const ConfigSetting& setting, std::int64_t least) {
    const std::optional<std::int64_t> value = parse_integer(setting.value);
    if (!value || *value < least) {
        fail(setting, "'" + setting.key + "' is " + in_quotes(setting.value) +
                          " (an integer of at least " + std::to_string(least) +
                          " is needed). Correct the value.");
    }
    return *value;
}

}  // namespace halocline
