// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Each rank compares a list of what it declares with that of rank 0.
#include "halocline/dist/migration/declared_alike.hpp"

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

/// The next line, or what stands for none.
std::string next_line(std::istream& list) {
    std::string line;
    return std::getline(list, line) ? line : "nothing more";
}

}  // namespace

void require_declared_alike(const Communicator& comm, const MeshDeclaration& declaration) {
    if (comm.size() == 1) {
        return;
    }
    const std::string mine = listed(declaration);
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
        throw ContractError("ranks declare different meshes (rank 0 declares " + first_line +
                            ", rank " + std::to_string(comm.rank()) + " " + my_line +
                            "). Declare the same sets, maps and dats on every rank, in the same "
                            "order and with the sizes of the whole mesh.");
    });
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
