// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Entry point: checks, then the path for one rank or for many.
#include "halocline/dist/distribute.hpp"

#include <utility>

#include "halocline/core/process_memory.hpp"
#include "halocline/dist/migration/declared_alike.hpp"
#include "halocline/dist/migration/single_rank.hpp"
#include "halocline/dist/migration/validate.hpp"
#include "halocline/dist/partition/many_ranks.hpp"

namespace halocline {

Distribution distribute(const Communicator& comm, MeshDeclaration declaration,
                        const DistributeOptions& named) {
    dist::require_declared_alike(comm, declaration);
    const DistributeOptions options = completed_options(declaration, named);
    dist::validate_options(declaration, options, comm.size());
    dist::validate_declaration(comm, declaration);
    Distribution result = comm.size() == 1
                              ? dist::localise_whole_mesh(comm, std::move(declaration), options)
                              : dist::distribute_over_ranks(comm, std::move(declaration), options);
    return_freed_memory();
    return result;
}

}  // namespace halocline
