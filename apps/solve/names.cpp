// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Collects what each list of the library has.
#include "names.hpp"

#include <nlohmann/json.hpp>

#include "halocline/backend/context.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/device_halo.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/io/compression.hpp"
#include "halocline/linalg/options.hpp"
#include "halocline/runtime/rank_device.hpp"
#include "halocline/solver/advection_diffusion/fluxes.hpp"
#include "halocline/solver/advection_diffusion/limiters.hpp"
#include "halocline/solver/advection_diffusion/problems.hpp"
#include "solvers.hpp"

namespace halocline::solve {

namespace {

using Json = nlohmann::ordered_json;

Json halo_schemes() {
    Json names{"default", "auto"};
    for (const std::string& name : halo_scheme_names()) {
        names.push_back(name);
    }
    for (const std::string& name : device_halo_scheme_names()) {
        names.push_back(name);
    }
    return names;
}

Json devices() {
    Json names = Json::array();
    for (const auto& [word, selection] : device_selections()) {
        names.push_back(word);
    }
    return names;
}

Json solver_names() {
    Json names = Json::array();
    for (const Solver& solver : solvers()) {
        names.push_back(solver.name);
    }
    return names;
}

}  // namespace

std::string names_text() {
    using namespace advection_diffusion;
    const Json names{
        {"parallel.backend", backend_names()},
        {"parallel.device", devices()},
        {"parallel.partitioner", partitioner_names()},
        {"parallel.partitioner_method", partition_method_names()},
        {"parallel.halo_scheme", halo_schemes()},
        {"output.compression", compression_names()},
        {"solver.name", solver_names()},
        {"advection_diffusion.flux", Fluxes::names},
        {"advection_diffusion.limiter", Limiters::names},
        {"advection_diffusion.problem", Problems::names},
        {"incompressible.method", linalg::method_names()},
        {"incompressible.preconditioner", linalg::preconditioner_names()},
        {"incompressible.smoother", linalg::smoother_names()},
    };
    return names.dump(2) + "\n";
}

}  // namespace halocline::solve
