// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as input.dat: an InputError that names the file, or an input that holds together.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "halocline/core/error.hpp"
#include "halocline/io/input_file.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) { return 0; }

namespace {

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

void check(const halocline::MgcfdInput& input) {
    require(input.num_levels >= 1);
    require(input.level_files.size() == static_cast<std::size_t>(input.num_levels));
    require(input.base_array_index == 0 || input.base_array_index == 1);
    require(input.mg_mapping.empty() || input.mg_mapping.size() + 1 == input.level_files.size());
    require(!input.mesh_name.empty());
    for (const std::string& file : input.level_files) {
        require(!file.empty());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        check(halocline::parse_mgcfd_input(text, "input.dat"));
    } catch (const halocline::InputError& error) {
        const std::string_view message = error.what();
        require(message.starts_with("input.dat") && message.size() < 2000);
        require(message.find('\n') == std::string_view::npos);
    }
    return 0;
}
