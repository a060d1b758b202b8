// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/mesh/one_to_one.hpp"

#include <string>
#include <vector>

namespace halocline::detail {

namespace {

/// The elements that lead to a target that is reached twice; empty when none is.
std::string find_shared_target(const MapPart& map, const SetPart& from, const SetPart& to) {
    std::vector<LocalIndex> reached_by(static_cast<std::size_t>(to.owned), -1);
    for (LocalIndex element = 0; element < from.exec; ++element) {
        for (int k = 0; k < map.arity; ++k) {
            const LocalIndex target = map.targets[static_cast<std::size_t>(element) *
                                                      static_cast<std::size_t>(map.arity) +
                                                  static_cast<std::size_t>(k)];
            if (target >= to.owned) {
                continue;
            }
            LocalIndex& first = reached_by[static_cast<std::size_t>(target)];
            if (first >= 0) {
                return "map '" + map.name + "' is not one-to-one: element " +
                       std::to_string(to.global_id(target)) + " of set '" + to.name +
                       "' is a target of elements " + std::to_string(from.global_id(first)) +
                       " and " + std::to_string(from.global_id(element)) + " of '" + from.name +
                       "' (of two that write there, the result would be the last one's). Add with "
                       "inc, or write to a dat on '" +
                       from.name + "'.";
            }
            first = element;
        }
    }
    return "";
}

}  // namespace

void require_one_to_one(const Communicator& comm, const MapPart& map, const SetPart& from,
                        const SetPart& to) {
    map.require_rows();
    // All elements that reach an owned one are here, owned or import-exec: no communication is needed.
    run_agreed(comm, [&] {
        const std::string problem = find_shared_target(map, from, to);
        validate<ContractError>(problem.empty(), problem);
    });
}

}  // namespace halocline::detail
