// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Each rank compares its list with that of rank 0: HDF5's collective calls would wait for ever.
#include "halocline/io/fields_alike.hpp"

#include "halocline/core/error.hpp"

namespace halocline {

std::string field_text(const std::string& dataset, const DatStore& dat) {
    return "'" + dataset + "' (" + std::to_string(dat.dim) + " " + name_of(dat.type) + " on '" +
           dat.set->name + "')";
}

void require_alike(const Communicator& comm, const std::string& act, const std::string& path,
                   const std::string& fields) {
    if (comm.size() == 1) {
        return;
    }
    const std::string first = comm.broadcast(fields);
    run_agreed(comm, [&] {
        validate<ContractError>(
            fields == first, "ranks " + act + " '" + path + "' different fields (rank 0 " + first +
                                 ", rank " + std::to_string(comm.rank()) + " " + fields +
                                 "). Give the same fields on every rank, in the same order.");
    });
}

}  // namespace halocline
