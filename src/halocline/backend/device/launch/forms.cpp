// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/device/launch/forms.hpp"

#include <algorithm>
#include <map>

namespace halocline::device {

namespace {

/// Made at its first use: images add forms while static objects are made, in any order.
std::map<FormKey, Form>& all_forms() {
    static std::map<FormKey, Form> forms;
    return forms;
}

}  // namespace

std::string portable_name(std::string_view name, std::string_view unnamed) {
    // N9halocline6device<unnamed namespace>12UnnamedProbeE
    constexpr std::string_view before = "N9halocline6device";
    constexpr std::string_view after = "12UnnamedProbeE";
    constexpr std::string_view common = "12_GLOBAL__N_1";  // as g++ and clang say it
    const std::string_view space =
        unnamed.substr(before.size(), unnamed.size() - before.size() - after.size());
    std::string result(name);
    for (std::size_t at = result.find(space); at != std::string::npos && space != common;
         at = result.find(space, at + common.size())) {
        result.replace(at, space.size(), common);
    }
    return result;
}

void add_form(const FormKey& key, const Form& form) { all_forms().try_emplace(key, form); }

const Form* find_form(const FormKey& key) {
    const auto found = all_forms().find(key);
    const bool runs = found != all_forms().end() && found->second.run != nullptr;
    return runs ? &found->second : nullptr;
}

bool has_forms(bool on_gpu) {
    return std::any_of(all_forms().begin(), all_forms().end(), [&](const auto& entry) {
        return entry.second.run != nullptr && (entry.second.on_gpu || !on_gpu);
    });
}

std::string_view explain_missing_form(std::string_view source, bool on_gpu) {
    const auto of_source =
        std::find_if(all_forms().begin(), all_forms().end(),
                     [&](const auto& entry) { return entry.first.source == source; });
    if (of_source == all_forms().end()) {
        return "its source file was not compiled for devices. Build the program with "
               "halocline_add_program, or name the file in halocline_compile_for_devices";
    }
    if (on_gpu && !of_source->second.on_gpu) {
        return "its source file was compiled for the emulated device only. Use a halocline built "
               "with HALOCLINE_CUDA=ON";
    }
    return "devices have no form for its arguments. See docs/devices.md for what they run";
}

}  // namespace halocline::device
