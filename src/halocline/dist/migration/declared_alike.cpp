// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Each rank compares a list of what it asks for with that of rank 0.
#include "halocline/dist/migration/declared_alike.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "halocline/core/element_type.hpp"
#include "halocline/core/error.hpp"

namespace halocline::dist {

namespace {

ElementType type_of(const DatValues& values) {
    return std::visit([]<class T>(const std::vector<T>&) { return element_type_of<T>; }, values);
}

/// A line for each thing that is declared. Indices, not names: sets are told apart by them.
std::string listed(const MeshDeclaration& declaration) {
    std::ostringstream list;
    for (const SetDeclaration& set : declaration.sets) {
        list << (set.is_replicated ? "replicated set '" : "set '") << set.name << "' of "
             << set.size << " elements\n";
    }
    for (const MapDeclaration& map : declaration.maps) {
        list << (map.may_be_absent ? "optional map '" : "map '") << map.name << "' from set "
             << map.from << " to set " << map.to << " with " << map.arity << " targets\n";
    }
    for (const DatDeclaration& dat : declaration.dats) {
        list << "dat '" << dat.name << "' on set " << dat.set << " with " << dat.dim
             << " components of type " << name_of(type_of(dat.values)) << '\n';
    }
    for (const int dat : declaration.coordinates) {
        list << "coordinates in dat " << dat << '\n';
    }
    return list.str();
}

template <class T>
std::string listed(const std::vector<T>& values) {
    return values.empty() ? "not named" : fmt::format("{}", fmt::join(values, ", "));
}

/// A line for each option. Parts that are given are of this rank's block.
std::string listed(const DistributeOptions& options) {
    return fmt::format(
        "partitioner '{}'\nmethod '{}'\nrenumber {}\nkeep_local_orders {}\norder_all_sets {}\n"
        "near_places {}\nprimary_set {}\ngraph_maps {}\ncoordinates {}\nweights {}\n",
        options.partitioner, options.method, options.renumber, options.keep_local_orders,
        options.order_all_sets ? (*options.order_all_sets ? "true" : "false") : "not named",
        options.near_places, options.primary_set, listed(options.graph_maps),
        listed(options.coordinates), listed(options.weights));
}

/// The next line, or what stands for none.
std::string next_line(std::istream& list) {
    std::string line;
    return std::getline(list, line) ? line : "nothing more";
}

/// Throws the same ContractError on every rank where lists differ: `refused` says what they are of.
void require_lists_alike(const Communicator& comm, const std::string& mine, const char* refused,
                         const char* cure) {
    const std::string first = comm.broadcast(mine);
    run_agreed(comm, [&] {
        if (mine == first) {
            return;
        }
        std::istringstream my_list(mine);
        std::istringstream first_list(first);
        std::string my_line;
        std::string first_line;
        do {
            my_line = next_line(my_list);
            first_line = next_line(first_list);
        } while (my_line == first_line);
        throw ContractError(fmt::format("ranks {} (rank 0: {}; rank {}: {}). {}", refused,
                                        first_line, comm.rank(), my_line, cure));
    });
}

}  // namespace

void require_declared_alike(const Communicator& comm, const MeshDeclaration& declaration) {
    if (comm.size() > 1) {
        require_lists_alike(comm, listed(declaration), "declare different meshes",
                            "Declare the same sets, maps and dats on every rank, in the same order "
                            "and with the sizes of the whole mesh.");
    }
}

void require_options_alike(const Communicator& comm, const DistributeOptions& options) {
    if (comm.size() > 1) {
        require_lists_alike(comm, listed(options), "distribute a mesh by different options",
                            "Pass the same options on every rank.");
    }
}

void require_type_alike(const Communicator& comm, const DatDeclaration& dat,
                        const DatValues& values) {
    const auto mine = static_cast<std::int64_t>(type_of(values));
    const std::vector<std::int64_t> types = comm.all_gather(std::span(&mine, 1));
    for (std::size_t rank = 1; rank < types.size(); ++rank) {
        validate<ContractError>(types[rank] == types[0],
                                "ranks read values of different types for dat '" + dat.name +
                                    "' (rank 0 " + name_of(static_cast<ElementType>(types[0])) +
                                    ", rank " + std::to_string(rank) + " " +
                                    name_of(static_cast<ElementType>(types[rank])) +
                                    "). Bring values of one type on every rank.");
    }
}

}  // namespace halocline::dist
