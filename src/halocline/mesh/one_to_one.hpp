// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Maps through which loops may write: no two elements lead to one target.
#pragma once

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/dat.hpp"

namespace halocline {

/// A map of which `one_to_one` made sure that no target stands in it twice, in any row or column.
template <class From, class To, int arity>
struct OneToOneMap : Map<From, To, arity> {};

namespace detail {

/// Throws ContractError on all ranks when an element of `to` is a target twice. Collective.
void require_one_to_one(const Communicator& comm, const MapPart& map, const SetPart& from,
                        const SetPart& to);

}  // namespace detail

/// The same map as one to write through. Throws ContractError when two elements lead to one target, or
/// one leads there twice. Collective.
template <class From, class To, int arity>
[[nodiscard]] OneToOneMap<From, To, arity> one_to_one(const Communicator& comm,
                                                      const Map<From, To, arity>& map) {
    detail::require_one_to_one(comm, map.in_mesh(), *map.from, *map.to);
    return {map};
}

}  // namespace halocline
