// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Fields by name.
#include "halocline/run/output_field.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"

namespace halocline::run {

std::vector<OutputField> choose_fields(const std::vector<OutputField>& known,
                                       const std::vector<std::string>& wanted) {
    std::vector<OutputField> chosen;
    if (wanted.empty()) {
        std::copy_if(known.begin(), known.end(), std::back_inserter(chosen),
                     [](const OutputField& field) { return field.is_usual; });
        return chosen;
    }
    std::vector<std::string_view> names;
    for (const OutputField& field : known) {
        names.push_back(field.name);
    }
    for (const std::string& name : wanted) {
        const auto found = std::find(names.begin(), names.end(), name);
        validate<UsageError>(found != names.end(), "this solver has no field '" + name + "'. " +
                                                       suggest_name(name, names));
        chosen.push_back(known[static_cast<std::size_t>(found - names.begin())]);
    }
    return chosen;
}

}  // namespace halocline::run
