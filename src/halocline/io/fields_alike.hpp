// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whether all ranks write, or read, the same fields.
#pragma once

#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/dat_store.hpp"

namespace halocline {

/// A field as the ranks compare it: "'u' (1 double on 'nodes')".
[[nodiscard]] std::string field_text(const std::string& dataset, const DatStore& dat);

/// Throws the same ContractError on every rank unless all give the same `fields`, naming what rank 0 and the
/// lowest other rank `act` ("write to", "read from" the file `path`). Collective.
void require_alike(const Communicator& comm, const std::string& act, const std::string& path,
                   const std::string& fields);

/// The same for a list of FieldToWrite or FieldToRead.
template <class Field>
void require_fields_alike(const Communicator& comm, const std::string& act, const std::string& path,
                          const std::vector<Field>& fields) {
    std::string list;
    for (const Field& field : fields) {
        list += (list.empty() ? "" : ", ") + field_text(field.dataset, *field.store);
    }
    require_alike(comm, act, path, list.empty() ? "nothing" : list);
}

}  // namespace halocline
