// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers that tell about a flow: forces, energy, what is left of divergence, distance from a solution.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "halocline/solver/incompressible/solver.hpp"

namespace halocline::incompressible {

template <int dim>
struct Measured {
    double kinetic_energy = 0.0;  ///< integral of |u|^2 / 2
    double enstrophy = 0.0;       ///< integral of |curl u|^2 / 2
    double divergence = 0.0;      ///< largest flow out of a dual cell over its volume
    /// What the fluid does to each wall: pressure and friction, from the momentum balance of the dual
    /// cells at the wall, so that it is consistent with the scheme.
    std::vector<std::array<double, dim>> forces;
};

/// Distance from an exact solution: root of the mean square over the volume, and largest.
struct FlowError {
    double velocity_l2 = 0.0;
    double velocity_largest = 0.0;
    double pressure_l2 = 0.0;  ///< without its mean, in a closed box
};

template <int dim>
class Measures {
public:
    Measures(Context& context, Mesh& mesh, Solver<dim>& solver, const Options& options);

    /// Groups that are walls, in the order of the options.
    [[nodiscard]] const std::vector<std::string>& walls() const { return names_; }
    /// Of the present flow; forces are those of `walls()`. Collective.
    [[nodiscard]] Measured<dim> measure();

    /// At the present time. Collective.
    [[nodiscard]] FlowError error(const FlowExpressions& exact);

    /// Velocity, pressure and, where there is one, the scalar at every node, on the host. Collective.
    [[nodiscard]] const DatStore& state();
    /// Puts them together where they are computed, for who takes them by `state_handle`. Collective.
    void pack_state();
    /// The same without reading the values; has memory from the first call on.
    [[nodiscard]] const DatStore& state_handle();

private:
    void measure_energy(Measured<dim>& measured);
    void balance();
    [[nodiscard]] std::array<double, dim> force_on(const Subset<Node>& wall);
    [[nodiscard]] double largest_divergence();

    Context& context_;
    Solver<dim>& solver_;
    const Options& options_;
    const Mesh& mesh_;
    std::optional<NodeVector<dim + 1>> state_;
    std::optional<NodeVector<dim + 2>> with_scalar_;  ///< in place of `state_`
    Dat<Node, double, dim + 1, TemporaryStorage> sum_;
    Dat<Node, double, dim * dim, TemporaryStorage> gradient_sum_;
    std::vector<std::string> names_;
    std::vector<Subset<Node>> nodes_of_walls_;
};

}  // namespace halocline::incompressible
