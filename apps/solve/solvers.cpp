// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The table of solvers.
#include "solvers.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "advection_diffusion_case.hpp"
#include "halocline/core/nearest.hpp"
#include "incompressible_case.hpp"
#include "mgcfd_case.hpp"

namespace halocline::solve {

namespace {

constexpr auto table = std::to_array<Solver>({
    {"mgcfd", "MG-CFD's multigrid Euler solver", run_mgcfd},
    {"advection_diffusion", "a scalar that is carried and spreads, against exact solutions",
     run_advection_diffusion},
    {"incompressible", "incompressible flow by pressure correction", run_incompressible},
});

}  // namespace

std::span<const Solver> solvers() { return table; }

const Solver& solver_of(CaseSection& root) {
    CaseSection section = root.section("solver");
    const std::string name = section.text("name");
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const Solver& solver) { return solver.name == name; });
    if (found == table.end()) {
        std::vector<std::string_view> names;
        names.reserve(table.size());
        for (const Solver& solver : table) {
            names.push_back(solver.name);
        }
        section.fail("name", "is '" + name + "'. " + suggest_name(name, names));
    }
    return *found;
}

}  // namespace halocline::solve
