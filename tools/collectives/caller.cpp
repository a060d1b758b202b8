// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Tells the program's own calls from those that the MPI library makes inside others.
#include "collectives/calls.hpp"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace halocline::endpoints {

namespace {

/// MPI's own modules; its Fortran libraries (libmpi_mpifh, libmpichfort) call for the program.
bool is_mpi_module(const char* path) {
    const std::string_view name(path);
    const std::string_view file = name.substr(name.rfind('/') + 1);
    for (const std::string_view start :
         {"libmpi.so", "libmpich.so", "mca_", "libmca_", "libopen-pal", "libromio"}) {
        if (file.starts_with(start)) {
            return true;
        }
    }
    return false;
}

bool look_up(const void* address) {
    Dl_info info{};
    return dladdr(address, &info) != 0 && info.dli_fname != nullptr &&
           is_mpi_module(info.dli_fname);
}

/// Addresses seen, with the answer in the lowest bit; a collision only costs another look-up.
std::array<std::atomic<std::uintptr_t>, 256> answers{};

bool is_mpi_code(const void* address) {
    const auto key = reinterpret_cast<std::uintptr_t>(address) << 1U;
    auto& answer = answers[(key >> 3U) % answers.size()];
    const std::uintptr_t known = answer.load(std::memory_order_relaxed);
    if ((known & ~std::uintptr_t{1}) == key) {
        return (known & 1U) != 0;
    }
    const bool inner = look_up(address);
    answer.store(key | (inner ? 1U : 0U), std::memory_order_relaxed);
    return inner;
}

}  // namespace

bool called_by_program(Function function, const void* caller) {
    if (!is_mpi_code(caller)) {
        return true;
    }
    Session::get().count(function, Passed::inner);
    return false;
}

}  // namespace halocline::endpoints
