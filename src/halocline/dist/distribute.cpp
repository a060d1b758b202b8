// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Entry point: checks, then the path for one rank or for many.
#include "halocline/dist/distribute.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "halocline/core/process_memory.hpp"
#include "halocline/dist/migration/declared_alike.hpp"
#include "halocline/dist/migration/division.hpp"
#include "halocline/dist/migration/single_rank.hpp"
#include "halocline/dist/migration/validate.hpp"
#include "halocline/dist/partition/many_ranks.hpp"

namespace halocline {

namespace {

/// Of a mesh that `completed` has divided in blocks because nothing better can be chosen.
std::string advice_on(const MeshDeclaration& declaration, const DistributeOptions& named,
                      const DistributeOptions& completed) {
    if (named.partitioner != "auto" || completed.partitioner != "block") {
        return "";
    }
    return fmt::format(
        "set '{}' is divided in blocks of its order, which may make large halos ({}, and the set "
        "has no coordinates). Declare such a map, or coordinates with add_coordinates, or choose a "
        "partitioner.",
        declaration.sets[static_cast<std::size_t>(completed.primary_set)].name,
        dist::partition_maps(declaration, completed).empty()
            ? "no map joins several of its elements"
            : "this build has no partitioner for graphs");
}

}  // namespace

Distribution distribute(const Communicator& comm, MeshDeclaration declaration,
                        const DistributeOptions& named) {
    dist::require_declared_alike(comm, declaration);
    dist::require_options_alike(comm, named);
    const DistributeOptions options = completed_options(declaration, named);
    dist::validate_options(declaration, options, comm.size());
    dist::validate_declaration(comm, declaration);
    std::string advice = comm.size() == 1 ? "" : advice_on(declaration, named, options);
    Distribution result = comm.size() == 1
                              ? dist::localise_whole_mesh(comm, std::move(declaration), options)
                              : dist::distribute_over_ranks(comm, std::move(declaration), options);
    result.report.advice = std::move(advice);
    return_freed_memory();
    return result;
}

}  // namespace halocline
