// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Finds MPI's symbols behind this library, also when the program loads MPI late (mpi4py).
#include "collectives/mpi_symbols.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace halocline::endpoints {

namespace {

#ifdef OPEN_MPI
constexpr const char* library_names[] = {"libmpi.so.40", "libmpi.so.20", "libmpi.so.12"};
#else
constexpr const char* library_names[] = {"libmpich.so.12", "libmpi.so.12", "libmpi_gnu.so.12"};
#endif

/// For programs that load MPI themselves, out of reach of the usual search.
void* in_loaded_library(const char* name) {
    for (const char* library : library_names) {
        void* handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
        void* found = handle != nullptr ? dlsym(handle, name) : nullptr;
        if (found != nullptr) {
            return found;  // the handle stays: MPI is never unloaded
        }
    }
    return nullptr;
}

template <class Function>
void resolve(Function& function, const char* name) {
    function = reinterpret_cast<Function>(mpi_function(name));
    if (function == nullptr) {
        std::fprintf(stderr,
                     "halocline endpoints: %s was not found in this process (the preloaded library "
                     "serves another MPI than the program's). Start the program through "
                     "'halocline endpoints', which picks the right one.\n",
                     name);
        std::abort();
    }
}

RealMpi resolve_all() {
    RealMpi found{};
#define HALOCLINE_RESOLVE(name) resolve(found.name, "PMPI_" #name);
    HALOCLINE_MPI_FUNCTIONS(HALOCLINE_RESOLVE)
#undef HALOCLINE_RESOLVE
    return found;
}

}  // namespace

void* mpi_function(const char* name) {
    void* found = dlsym(RTLD_NEXT, name);
    return found != nullptr ? found : in_loaded_library(name);
}

void* mpi_data(const char* name) {
    void* found = dlsym(RTLD_DEFAULT, name);
    return found != nullptr ? found : in_loaded_library(name);
}

namespace counted {

void find_real_functions(void* (*find)(const char* name));  // made by the generator

bool find_real() {
    find_real_functions(&mpi_function);
    return true;
}

}  // namespace counted

constinit std::atomic<const RealMpi*> resolved_functions{nullptr};

const RealMpi& resolve_functions() {
    static const RealMpi functions = resolve_all();
    resolved_functions.store(&functions, std::memory_order_release);
    return functions;
}

}  // namespace halocline::endpoints
