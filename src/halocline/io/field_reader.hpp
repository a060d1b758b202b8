// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads datasets with rows in input order into the elements that ranks own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/dat.hpp"

namespace halocline {

/// A dat and the dataset it comes from: its own name unless another is given.
struct FieldToRead {
    std::string dataset;        ///< name in the file, with groups
    DatStore* store = nullptr;  ///< filled

    /// Dataset `name` for the dat of a store.
    FieldToRead(std::string_view name, DatStore& dat);
    /// Dataset `name` for a dat.
    template <class Tag, class T, int dim, class Storage>
    FieldToRead(std::string_view name, Dat<Tag, T, dim, Storage>& dat)
        : FieldToRead(name, dat.handle()) {}
    /// The dataset of the dat's own name.
    template <class Tag, class T, int dim, class Storage>
    FieldToRead(Dat<Tag, T, dim, Storage>& dat) : FieldToRead(dat.handle().name, dat.handle()) {}
    ~FieldToRead();
    /// A copy of the description, not of values.
    FieldToRead(const FieldToRead&);
    FieldToRead& operator=(const FieldToRead&);
    FieldToRead(FieldToRead&&) noexcept;
    FieldToRead& operator=(FieldToRead&&) noexcept;
};

/// Fills the owned values of dats from one file: `read_fields(comm, "flow.h5", {q, {"p", rho}})`.
///
/// Each dataset is (global size, dim) values that the dat holds exactly: reals for doubles and floats,
/// integers for integers, in the file no wider than in the dat; for dim 1 it may be (N,). Halos and
/// derived values are old from here on: loops bring them up to date. Collective.
///
/// @throws InputError on every rank naming file and dataset: missing, wrong type, wrong shape; all
///         values are as before then. ContractError for temporaries and for dats on replicated sets
void read_fields(const Communicator& comm, const std::string& path,
                 const std::vector<FieldToRead>& fields);

/// True on every rank when `path` is there. Collective.
[[nodiscard]] bool file_exists(const Communicator& comm, const std::string& path);

}  // namespace halocline
