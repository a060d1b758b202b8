// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loaded files of the process, so that an address becomes (file, offset), the same on every rank.
#pragma once

#include "sites.hpp"

#include <cstdint>

namespace halocline::snapshot {

struct Module {
    std::uintptr_t begin, end;
    std::uintptr_t base;  // load address: subtract to get an address of the file
    bool glue;            // Fortran or C++ bindings of the MPI library
    char path[512];
    char build_id[41];  // hexadecimal, empty when the file has none
};

inline constexpr int module_limit = 1024;

/// Takes a lock and may ask the loader: for the first meeting with an address only.
Place place_of(const void* address);
bool is_glue(std::int32_t module);

int module_count();
const Module& module_at(int index);

/// Path of the loaded file whose name contains `part`, or null.
const char* loaded_file(const char* part);

}  // namespace halocline::snapshot
