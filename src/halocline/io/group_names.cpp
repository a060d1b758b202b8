// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A JSON object in an attribute.
#include "halocline/io/group_names.hpp"

#include <charconv>
#include <nlohmann/json.hpp>

namespace halocline {

std::map<std::int64_t, std::string> read_group_names(const Hdf5File& file) {
    std::map<std::int64_t, std::string> names;
    const auto text = file.text("bnd_group_names");
    const auto json = nlohmann::json::parse(text.value_or("{}"), nullptr, false);
    if (!json.is_object()) {
        return names;
    }
    for (const auto& [key, value] : json.items()) {
        std::int64_t group = -1;
        std::from_chars(key.data(), key.data() + key.size(), group);
        if (value.is_string()) {
            names[group] = value.get<std::string>();
        }
    }
    return names;
}

}  // namespace halocline
