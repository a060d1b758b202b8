// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Resolves MPI's functions behind this library.
#include "collectives/mpi_symbols.hpp"

#include "collectives/plain.hpp"

#include <cstdio>
#include <cstdlib>

namespace halocline::endpoints {

namespace {

template <class Function>
void resolve(Function& function, const char* name, const char* version) {
    function = reinterpret_cast<Function>(preload::find_mpi_function(name));
    if (function == nullptr) {
        std::fprintf(stderr,
                     "halocline endpoints: the program's MPI library has no %s (MPI %s is needed). "
                     "Run the program without endpoints.\n",
                     name, version);
        std::abort();
    }
}

RealMpi resolve_all() {
    RealMpi found{};
#define HALOCLINE_RESOLVE(name) resolve(found.name, "PMPI_" #name, "3.1");
    HALOCLINE_MPI_FUNCTIONS(HALOCLINE_RESOLVE)
#undef HALOCLINE_RESOLVE
    return found;
}

#if MPI_VERSION >= 4
LargeMpi resolve_large() {
    LargeMpi found{};
#define HALOCLINE_RESOLVE(name) resolve(found.name, "PMPI_" #name, "4.0");
    HALOCLINE_LARGE_FUNCTIONS(HALOCLINE_RESOLVE)
#undef HALOCLINE_RESOLVE
    return found;
}
#endif

}  // namespace

namespace counted {

void find_real_functions(void* (*find)(const char* name));  // made by the generator

bool find_real() {
    find_real_functions(&preload::find_mpi_function);
    return true;
}

}  // namespace counted

constinit std::atomic<const RealMpi*> resolved_functions{nullptr};

const RealMpi& resolve_functions() {
    static const RealMpi functions = resolve_all();
    resolved_functions.store(&functions, std::memory_order_release);
    return functions;
}

#if MPI_VERSION >= 4
const LargeMpi& large() {
    static const LargeMpi functions = resolve_large();
    return functions;
}
#endif

}  // namespace halocline::endpoints
