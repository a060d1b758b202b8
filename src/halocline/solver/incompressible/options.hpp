// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a run of the incompressible solver is asked for beside the options of every run.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "halocline/linalg/options.hpp"
#include "halocline/run/options.hpp"

namespace halocline::incompressible {

/// What holds on one group of boundary entries. Texts are expressions of x, y, z and t.
struct BoundaryCondition {
    std::string group;                                   ///< by name, as the mesh file has it
    std::string kind = "wall";                           ///< wall | inlet | outlet | slip
    std::array<std::string, 3> velocity{"0", "0", "0"};  ///< of walls and inlets
    std::string pressure = "0";                          ///< of outlets
    std::optional<std::string> scalar;                   ///< value of the scalar; none: no flux
    bool corners = false;  ///< nodes that belong to other groups as well have this velocity
};

/// A solution to start from or to compare with: expressions of x, y, z and t.
struct FlowExpressions {
    std::array<std::string, 3> velocity{"0", "0", "0"};
    std::string pressure = "0";
};

/// A quantity that the flow carries and that does not act on it.
struct ScalarOptions {
    double diffusivity = 0.0;
    std::string initial = "0";
};

/// Density is 1: pressure is divided by it. Lengths are those of the mesh.
struct Options : run::Options {
    double viscosity = 1e-3;      ///< kinematic; 0: none
    std::string scheme = "bdf2";  ///< bdf2 | rk3
    double upwind = 0.0;          ///< share of upwind in convection, 0 to 1; 0 conserves energy
    std::array<double, 3> body_force{};

    double end_time = 1.0;
    double courant = 0.5;    ///< largest Courant number of a step
    double time_step = 0.0;  ///< 0: as long as `courant` allows
    bool steady = false;     ///< ends when |du/dt| is small enough, at `end_time` at the latest
    double steady_tolerance = 1e-6;  ///< root mean square of du/dt

    FlowExpressions initial;
    std::optional<FlowExpressions> exact;  ///< results are compared with it at the end
    std::vector<BoundaryCondition> boundaries;
    std::optional<ScalarOptions> scalar;

    linalg::SolverOptions pressure;  ///< tolerance: of mass against what the step would leave
    std::string hierarchy_storage = "float";     ///< of linalg::HierarchyOptions
    std::optional<GlobalIndex> most_replicated;  ///< of them, too; none: by where ranks compute

    Options() {
        steps = 0;  ///< as many as `end_time` takes
        pressure.tolerance = 1e-6;
    }
};

}  // namespace halocline::incompressible
