// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A quantity that the flow carries and that spreads: d c/dt + u . grad c = kappa lap c.
#pragma once

#include <optional>
#include <vector>

#include "halocline/run/solver_state.hpp"
#include "halocline/solver/incompressible/boundaries.hpp"
#include "halocline/solver/incompressible/geometry.hpp"
#include "halocline/solver/incompressible/step_factors.hpp"

namespace halocline::incompressible {

/// The fluxes of volume that carry it: see `mass_flux`.
template <int dim>
struct AdvectingFlux {
    const NodeVector<dim>& free_velocity;
    const NodeScalar& potential;
    const Global<double, 1>& mass_tau;
};

/// By the backward difference of the velocity: convection extrapolated, diffusion implicit. Nodes of
/// groups with a value hold it, through others nothing spreads.
template <int dim>
class ScalarTransport {
public:
    /// Starts from the initial formula. All but `options` outlive it. Collective.
    ScalarTransport(Context& context, Mesh& mesh, const Geometry<dim>& geometry,
                    Boundaries<dim>& boundaries, const Options& options);

    /// One step to `time`, of the factors of the velocity's, carried by the fluxes at its beginning.
    /// Collective.
    void advance(const AdvectingFlux<dim>& advecting, double time,
                 const Global<double, factor_count>& factors);

    [[nodiscard]] const NodeScalar& value() const { return value_; }
    /// Adds what the next step depends on.
    void add_to(run::SolverState& state);

private:
    void hold(NodeScalar& value);
    void spread(double tau);

    Context& context_;
    const Geometry<dim>& geometry_;
    Boundaries<dim>& boundaries_;
    double diffusivity_;
    double upwind_;
    std::vector<std::optional<Expression>> given_formulae_;  ///< by condition
    NodeScalar value_;
    NodeScalar next_;
    NodeScalar given_;
    Direct<1> before_;
    Direct<1> convection_;        ///< of the value before
    Direct<1> older_convection_;  ///< of the one before that
    Direct<1> rhs_;
    Dat<Node, double, 1, TemporaryStorage> sum_;
    Subset<Node> holders_;
    bool has_holders_ = false;
};

}  // namespace halocline::incompressible
