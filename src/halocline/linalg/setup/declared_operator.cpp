// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Checks of indices, then of values; the first bad one is named.
#include "halocline/linalg/setup/declared_operator.hpp"

#include <cmath>
#include <limits>
#include <span>

#include "halocline/core/error.hpp"

namespace halocline::linalg::setup {

namespace {

void require_indices(const MeshDeclaration& declaration, const DeclaredOperator& declared) {
    const auto is_one_of = [](int index, std::size_t count) {
        return index >= 0 && index < static_cast<int>(count);
    };
    validate<ContractError>(
        is_one_of(declared.edge_nodes, declaration.maps.size()) &&
            declaration.maps[static_cast<std::size_t>(declared.edge_nodes)].arity == 2,
        "an edge operator has no map of arity 2 from its edges to its nodes (DeclaredOperator::"
        "edge_nodes). Pass what add_map returned.");
    const MapDeclaration& edges = declaration.maps[static_cast<std::size_t>(declared.edge_nodes)];
    const auto require_dat = [&](int dat, int set, const char* what) {
        validate<ContractError>(is_one_of(dat, declaration.dats.size()) &&
                                    declaration.dats[static_cast<std::size_t>(dat)].set == set &&
                                    declaration.dats[static_cast<std::size_t>(dat)].dim == 1 &&
                                    std::holds_alternative<std::vector<double>>(
                                        declaration.dats[static_cast<std::size_t>(dat)].values),
                                std::string("the ") + what +
                                    " of an edge operator are not in a dat of one double on set '" +
                                    declaration.sets[static_cast<std::size_t>(set)].name +
                                    "'. Pass what add_dat returned.");
    };
    require_dat(declared.weights, edges.from, "weights");
    if (declared.diagonal != -1) {
        require_dat(declared.diagonal, edges.to, "diagonal values");
    }
}

/// Global place of the first value that is not allowed; -1 where all are. Collective.
template <class IsGood>
GlobalIndex first_bad(const Communicator& comm, GlobalIndex size, std::span<const double> values,
                      IsGood&& is_good) {
    constexpr GlobalIndex none = std::numeric_limits<GlobalIndex>::max();
    GlobalIndex first = none;
    for (std::size_t i = 0; i < values.size() && first == none; ++i) {
        if (!is_good(values[i])) {
            first = block_range(size, comm.rank(), comm.size()).begin + static_cast<GlobalIndex>(i);
        }
    }
    const std::int64_t lowest = comm.min(first);
    return lowest == none ? -1 : lowest;
}

void require_values(const Communicator& comm, const MeshDeclaration& declaration,
                    const DeclaredOperator& declared) {
    const auto look = [&](int dat, auto&& is_good) {
        const DatDeclaration& values = declaration.dats[static_cast<std::size_t>(dat)];
        return first_bad(comm, declaration.sets[static_cast<std::size_t>(values.set)].size,
                         values.doubles(), is_good);
    };
    const GlobalIndex edge =
        look(declared.weights, [](double value) { return std::isfinite(value); });
    validate<InputError>(edge < 0, "the weight of edge " + std::to_string(edge) +
                                       " (counted from 0) is not finite (the operator has no "
                                       "such entry). Repair the mesh or what computes weights.");
    if (declared.diagonal < 0) {
        return;
    }
    const GlobalIndex node =
        look(declared.diagonal, [](double value) { return std::isfinite(value) && value >= 0.0; });
    validate<InputError>(node < 0,
                         "the diagonal value of node " + std::to_string(node) +
                             " (counted from 0) is negative or not finite (conjugate gradients "
                             "need a positive operator). Repair what computes it.");
}

}  // namespace

void validate_operator(const Communicator& comm, const MeshDeclaration& declaration,
                       const DeclaredOperator& declared, const HierarchyOptions& options) {
    validate<UsageError>(
        options.storage == "float" || options.storage == "double",
        "storage '" + options.storage + "' of a hierarchy is unknown. It is float or double.");
    validate<UsageError>(options.pairings >= 1 && options.pairings <= 4 && options.coarsest >= 1 &&
                             options.most_levels >= 1,
                         "a hierarchy takes 1 to 4 pairings a level, at least one node of "
                         "its coarsest level and at least one level. Correct HierarchyOptions.");
    require_indices(declaration, declared);
    require_values(comm, declaration, declared);
}

}  // namespace halocline::linalg::setup
