// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Expressions are evaluated on the host, at boundary nodes and entries only.
#include "halocline/solver/incompressible/boundaries.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "halocline/backend/par_loop.hpp"
#include "halocline/solver/incompressible/checks.hpp"

namespace halocline::incompressible {

namespace {

bool has_velocity(const BoundaryCondition& condition) {
    return condition.kind == "wall" || condition.kind == "inlet";
}

bool is_still(const ConditionValues& values) {
    return std::all_of(values.velocity.begin(), values.velocity.end(),
                       [](const Expression& u) { return u.is_constant_zero(); });
}

constexpr int key_step = 4096;  ///< more than there are conditions

/// The group that holds a node: the largest number. 0: none.
double key_of(const BoundaryCondition& condition, const ConditionValues& values, int index) {
    if (!has_velocity(condition)) {
        return 0.0;
    }
    const int rank = condition.corners           ? 3
                     : condition.kind == "inlet" ? 0
                     : is_still(values)          ? 2
                                                 : 1;
    return (rank + 1) * key_step + index + 1;
}

ConditionValues read_values(const BoundaryCondition& condition) {
    ConditionValues values;
    if (has_velocity(condition)) {
        for (const std::string& text : condition.velocity) {
            values.velocity.emplace_back(text);
        }
    } else if (condition.kind == "outlet") {
        values.pressure.emplace(condition.pressure);
    }
    return values;
}

template <int dim>
using SquareMatrix = Values<Values<double, dim>, dim>;

template <int dim>
SquareMatrix<dim> diagonal_matrix(double value) {
    SquareMatrix<dim> matrix{};
    for (int d = 0; d < dim; ++d) {
        matrix[d][d] = value;
    }
    return matrix;
}

/// Takes the normal of a slip wall out of P at node `i`, less what earlier walls took.
template <int dim>
void take_out(SquareMatrix<dim>& p, const DatStoreOf<double>& normals, LocalIndex i) {
    constexpr double least_sine_squared = 0.01;  // less: the same plane, bent
    Values<double, dim> left{};
    double size = 0.0;
    double square = 0.0;
    for (int r = 0; r < dim; ++r) {
        size += normals.at(i, r) * normals.at(i, r);
        for (int k = 0; k < dim; ++k) {
            left[r] += p[r][k] * normals.at(i, k);
        }
        square += left[r] * left[r];
    }
    if (square <= least_sine_squared * size) {
        return;
    }
    for (int r = 0; r < dim; ++r) {
        for (int k = 0; k < dim; ++k) {
            p[r][k] -= left[r] * left[k] / square;
        }
    }
}

/// The part of a symmetric matrix that `project` takes it from.
template <int dim>
void store_upper(const SquareMatrix<dim>& p, DatStoreOf<double>& rows, LocalIndex i) {
    int entry = 0;
    for (int r = 0; r < dim; ++r) {
        for (int k = r; k < dim; ++k) {
            rows.at(i, entry++) = p[r][k];
        }
    }
}

}  // namespace

bool ConditionValues::uses_time() const {
    return std::any_of(velocity.begin(), velocity.end(),
                       [](const Expression& u) { return u.uses_time(); }) ||
           (pressure && pressure->uses_time());
}

template <int dim>
Boundaries<dim>::Boundaries(Context& context, Mesh& mesh, const Geometry<dim>& geometry,
                            const Options& options, const ConditionOfGroup& conditions)
    : context_(context),
      mesh_(mesh),
      options_(options),
      geometry_(geometry),
      is_open_(has_outlet(options)),
      entries_(mesh.set<BoundaryEntry>("bnd_L0")),
      entry_node_(mesh.map<BoundaryEntry, Node, 1>("bnd_node_L0")),
      inward_(mesh.take_dat<BoundaryEntry, double, 3>("bnd_weights_L0")),
      places_(mesh.make_dat<BoundaryEntry, double, dim>(entries_, "entry_places")),
      entry_values_(mesh.make_dat<BoundaryEntry, double, 1>(entries_, "entry_values")),
      entry_flux_(mesh.make_dat<BoundaryEntry, double, 1>(entries_, "entry_flux")),
      nodes_(find_nodes()),
      projection_(mesh.make_dat<Members<Node>, double, symmetric_size<dim>, LaneStorage>(
          nodes_.members(), "projection")),
      given_(mesh.make_dat<Members<Node>, double, dim, LaneStorage>(nodes_.members(),
                                                                    "given_velocity")),
      flux_(
          mesh.make_dat<Members<Node>, double, 1, LaneStorage>(nodes_.members(), "boundary_flux")) {
    for (const BoundaryCondition& condition : options.boundaries) {
        values_.push_back(read_values(condition));
        uses_time_ = uses_time_ || values_.back().uses_time();
    }
    const auto groups = mesh.take_dat<BoundaryEntry, double, 1>("bnd_group_L0");
    for (LocalIndex i = 0; i < entries_.part->owned; ++i) {
        condition_of_entry_.push_back(
            conditions[static_cast<std::size_t>(groups.store().at(i, 0))]);
    }
    par_loop(context_, {"entry_places", 0}, entries_, Copy<dim>{},
             read<0>(geometry.coordinates, entry_node_), write(places_));
    find_holders();
    find_slip_walls();
    find_outlets();
}

template <int dim>
Subset<Node> Boundaries<dim>::find_nodes() {
    entry_values_.fill(Values<double, 1>{{1.0}});
    auto marked = mesh_.make_dat<Node, double, 1>(geometry_.nodes, "boundary_nodes");
    par_loop(context_, {"boundary_nodes", 0}, entries_, TakeLargest{}, read(entry_values_),
             reduce_max<0>(marked, entry_node_));
    return make_subset(context_, mesh_, geometry_.nodes, "boundary_nodes",
                       [&](LocalIndex i) { return marked.store().at(i, 0) > 0.0; });
}

template <int dim>
void Boundaries<dim>::find_holders() {
    entry_values_.fill([&](LocalIndex i, int) {
        if (i >= entries_.part->owned) {
            return 0.0;
        }
        const int c = condition_of_entry_[static_cast<std::size_t>(i)];
        return key_of(condition_of(c), values_[static_cast<std::size_t>(c)], c);
    });
    auto largest = mesh_.make_dat<Node, double, 1>(geometry_.nodes, "holders");
    par_loop(context_, {"holders", 0}, entries_, TakeLargest{}, read(entry_values_),
             reduce_max<0>(largest, entry_node_));
    for (LocalIndex k = 0; k < nodes_.owned(); ++k) {
        holders_.push_back(static_cast<int>(largest.store().at(nodes_.element(k), 0)) % key_step -
                           1);
    }
}

template <int dim>
Subset<Node> Boundaries<dim>::nodes_held_by(int condition, std::string name) const {
    std::vector<char> is_held(static_cast<std::size_t>(geometry_.nodes.part->owned), 0);
    for (LocalIndex k = 0; k < nodes_.owned(); ++k) {
        is_held[static_cast<std::size_t>(nodes_.element(k))] =
            holders_[static_cast<std::size_t>(k)] == condition ? 1 : 0;
    }
    return make_subset(context_, mesh_, geometry_.nodes, std::move(name),
                       [&](LocalIndex i) { return is_held[static_cast<std::size_t>(i)] != 0; });
}

/// Areas of a condition's entries at their nodes, added up: the direction that a slip wall there has.
template <int dim>
NodeVector<3> Boundaries<dim>::normals_of(int condition) {
    auto normals = mesh_.make_dat<BoundaryEntry, double, 3>(entries_, "slip_normals");
    normals.fill([&](LocalIndex i, int d) {
        const bool is_mine = i < entries_.part->owned &&
                             condition_of_entry_[static_cast<std::size_t>(i)] == condition;
        return is_mine ? inward_.store().at(i, d) : 0.0;
    });
    auto at_nodes = mesh_.make_dat<Node, double, 3>(geometry_.nodes, "slip_normal");
    par_loop(context_, {"slip_normals", 0}, entries_, Add<3>{}, read(normals),
             inc<0>(at_nodes, entry_node_));
    return at_nodes;
}

template <int dim>
void Boundaries<dim>::find_slip_walls() {
    std::vector<SquareMatrix<dim>> p;
    for (const int holder : holders_) {
        p.push_back(diagonal_matrix<dim>(holder >= 0 ? 0.0 : 1.0));
    }
    for (std::size_t c = 0; c < options_.boundaries.size(); ++c) {
        if (options_.boundaries[c].kind != "slip") {
            continue;
        }
        const NodeVector<3> normals = normals_of(static_cast<int>(c));
        for (LocalIndex k = 0; k < nodes_.owned(); ++k) {
            take_out<dim>(p[static_cast<std::size_t>(k)], normals.store(), nodes_.element(k));
        }
    }
    auto& store = projection_.change();
    for (LocalIndex k = 0; k < nodes_.owned(); ++k) {
        store_upper<dim>(p[static_cast<std::size_t>(k)], store, k);
    }
}

template <int dim>
void Boundaries<dim>::find_outlets() {
    auto mark = mesh_.make_dat<BoundaryEntry, double, 1>(entries_, "outlet_entries");
    mark.fill([&](LocalIndex i, int) {
        return i < entries_.part->owned &&
                       condition_of(condition_of_entry_[static_cast<std::size_t>(i)]).kind ==
                           "outlet"
                   ? 1.0
                   : 0.0;
    });
    auto marked = mesh_.make_dat<Node, double, 1>(geometry_.nodes, "outlet_nodes");
    par_loop(context_, {"outlets", 0}, entries_, TakeLargest{}, read(mark),
             reduce_max<0>(marked, entry_node_));
    outlets_ = make_subset(context_, mesh_, geometry_.nodes, "outlets",
                           [&](LocalIndex i) { return marked.store().at(i, 0) > 0.0; });
    for (const ConditionValues& values : values_) {
        if (values.pressure && !values.pressure->is_constant_zero() && !outlet_pressure_) {
            outlet_pressure_ = mesh_.make_dat<Node, double, 1>(geometry_.nodes, "outlet_pressure");
        }
    }
}

template <int dim>
void Boundaries<dim>::set_time(double time) {
    if (!is_first_time_ && !uses_time_) {
        return;
    }
    give_velocities(time, is_first_time_);
    give_fluxes(time);
    if (outlet_pressure_) {
        give_pressures(time);
    }
    is_first_time_ = false;
}

template <int dim>
void Boundaries<dim>::give_velocities(double time, bool all) {
    auto& given = given_.change();
    for (LocalIndex k = 0; k < nodes_.owned(); ++k) {
        const int c = holders_[static_cast<std::size_t>(k)];
        if (c < 0) {
            continue;
        }
        const ConditionValues& values = values_[static_cast<std::size_t>(c)];
        if (!all && !values.uses_time()) {
            continue;
        }
        const Place place = place_of(geometry_.coordinates, nodes_.element(k));
        for (int d = 0; d < dim; ++d) {
            given.at(k, d) = value_at(values.velocity[static_cast<std::size_t>(d)], place, time);
        }
    }
}

template <int dim>
void Boundaries<dim>::give_fluxes(double time) {
    entry_flux_.fill([&](LocalIndex i, int) {
        if (i >= entries_.part->owned) {
            return 0.0;
        }
        const auto c = static_cast<std::size_t>(condition_of_entry_[static_cast<std::size_t>(i)]);
        double flux = 0.0;
        for (std::size_t d = 0; d < values_[c].velocity.size() && d < dim; ++d) {
            flux -= value_at(values_[c].velocity[d], place_of(places_, i), time) *
                    inward_.store().at(i, static_cast<int>(d));
        }
        return flux;
    });
    if (!is_open_) {
        Global<double, 2> balance{};
        par_loop(context_, {"boundary_balance", 0}, entries_, Balance{}, read(entry_flux_),
                 inc(balance));
        const double net = balance[0];
        const double gross = balance[1];
        require_balance(net, gross, time);
        if (gross > 0.0) {
            par_loop(context_, {"share_imbalance", 0}, entries_, Share{net / gross},
                     read_write(entry_flux_));
        }
    }
    if (!node_flux_) {
        node_flux_ = mesh_.make_dat<Node, double, 1>(geometry_.nodes, "node_flux");
    }
    par_loop(context_, {"clear_flux", 0}, nodes_, Clear<>{}, write(*node_flux_));
    par_loop(context_, {"boundary_flux", 0}, entries_, Add<>{}, read(entry_flux_),
             inc<0>(*node_flux_, entry_node_));
    par_loop(context_, {"store_flux", 0}, nodes_, Copy<>{}, read(*node_flux_), write(flux_));
    if (!uses_time_) {
        node_flux_.reset();
    }
}

template <int dim>
void Boundaries<dim>::give_values(const std::vector<std::optional<Expression>>& by_condition,
                                  double time, NodeScalar& nodes) {
    entry_values_.fill([&](LocalIndex i, int) {
        if (i >= entries_.part->owned) {
            return not_given;
        }
        const auto& formula = by_condition[static_cast<std::size_t>(
            condition_of_entry_[static_cast<std::size_t>(i)])];
        return formula ? value_at(*formula, place_of(places_, i), time) : not_given;
    });
    nodes.fill(Values<double, 1>{{not_given}});
    par_loop(context_, "give_values", entries_, TakeLargest{}, read(entry_values_),
             reduce_max<0>(nodes, entry_node_));
}

template <int dim>
void Boundaries<dim>::give_pressures(double time) {
    std::vector<std::optional<Expression>> pressures;
    for (const BoundaryCondition& condition : options_.boundaries) {
        pressures.emplace_back();
        if (condition.kind == "outlet") {
            pressures.back().emplace(condition.pressure);
        }
    }
    give_values(pressures, time, *outlet_pressure_);
    par_loop(context_, "fill_with_zero", geometry_.nodes, FillWithZero{},
             read_write(*outlet_pressure_));
}

template <int dim>
void Boundaries<dim>::constrain(NodeVector<dim>& velocity) const {
    par_loop(context_, "constrain", nodes_, Constrain<dim>{}, read(projection_), read(given_),
             read_write(velocity));
}

template class Boundaries<2>;
template class Boundaries<3>;

}  // namespace halocline::incompressible
