// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What boundaries leave of a velocity, what they give, and what flows through them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "halocline/backend/make_subset.hpp"
#include "halocline/core/expression.hpp"
#include "halocline/solver/incompressible/boundary_groups.hpp"
#include "halocline/solver/incompressible/boundary_kernels.hpp"
#include "halocline/solver/incompressible/geometry.hpp"

namespace halocline::incompressible {

/// Of values that boundary nodes alone have.
template <int dim>
using AtBoundary = Dat<Members<Node>, double, dim, LaneStorage>;

/// Expressions of a condition, read once.
struct ConditionValues {
    std::vector<Expression> velocity;  ///< of walls and inlets: 3
    std::optional<Expression> pressure;
    [[nodiscard]] bool uses_time() const;
};

/// A velocity at a boundary node becomes P u + g: zero P and the given velocity at walls and inlets, P
/// without the normal of slip walls, one at outlets. A node of several groups has the velocity of the
/// first of: conditions with `corners`, walls at rest, walls that move, inlets; then slip walls.
template <int dim>
class Boundaries {
public:
    /// Takes the boundary of level 0 from `mesh`. Collective.
    Boundaries(Context& context, Mesh& mesh, const Geometry<dim>& geometry, const Options& options,
               const ConditionOfGroup& conditions);

    /// Values of expressions at that time. Throws InputError where more flows into a closed box than
    /// out of it. Collective.
    void set_time(double time);
    /// Whether `set_time` changes anything after the first call.
    [[nodiscard]] bool uses_time() const { return uses_time_; }

    /// Makes `velocity` what boundaries leave of it and give. Collective.
    void constrain(NodeVector<dim>& velocity) const;
    /// The nodes of boundary entries.
    [[nodiscard]] const Subset<Node>& nodes() const { return nodes_; }
    /// What flows out of the mesh there.
    [[nodiscard]] const AtBoundary<1>& flux() const { return flux_; }

    /// Nodes whose pressure is given; none in a closed box.
    [[nodiscard]] bool is_open() const { return is_open_; }
    [[nodiscard]] const Subset<Node>& outlets() const { return outlets_; }
    /// Pressure at outlets, zero elsewhere; none where it is zero at all times.
    [[nodiscard]] const std::optional<NodeScalar>& outlet_pressure() const {
        return outlet_pressure_;
    }

    /// Values of formulae, one a condition, at the nodes of their groups; `not_given` elsewhere. A node
    /// of several groups has the largest. Collective.
    void give_values(const std::vector<std::optional<Expression>>& by_condition, double time,
                     NodeScalar& nodes);

    /// The nodes that have the velocity of a condition. Collective.
    [[nodiscard]] Subset<Node> nodes_held_by(int condition, std::string name) const;

private:
    [[nodiscard]] Subset<Node> find_nodes();
    void find_holders();
    [[nodiscard]] NodeVector<3> normals_of(int condition);
    void find_slip_walls();
    void find_outlets();
    void give_velocities(double time, bool all);
    void give_fluxes(double time);
    void give_pressures(double time);
    [[nodiscard]] const BoundaryCondition& condition_of(int index) const {
        return options_.boundaries[static_cast<std::size_t>(index)];
    }

    Context& context_;
    Mesh& mesh_;
    const Options& options_;
    const Geometry<dim>& geometry_;
    std::vector<ConditionValues> values_;
    std::vector<int> condition_of_entry_;  ///< of owned entries
    bool uses_time_ = false;
    bool is_open_ = false;
    bool is_first_time_ = true;

    Set<BoundaryEntry> entries_;
    Map<BoundaryEntry, Node, 1> entry_node_;
    Dat<BoundaryEntry, double, 3> inward_;
    Dat<BoundaryEntry, double, dim> places_;
    Dat<BoundaryEntry, double, 1> entry_values_;  ///< of `give_values`
    Dat<BoundaryEntry, double, 1> entry_flux_;
    Subset<Node> nodes_;
    std::vector<int> holders_;  ///< of owned ones: the condition whose velocity each has; -1: none
    AtBoundary<symmetric_size<dim>> projection_;
    AtBoundary<dim> given_;
    AtBoundary<1> flux_;
    std::optional<NodeScalar> node_flux_;  ///< where entries add up, if they do so again
    Subset<Node> outlets_;
    std::optional<NodeScalar> outlet_pressure_;
};

}  // namespace halocline::incompressible
