// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads datasets with rows in input order into the elements that ranks own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/mesh/dat.hpp"

namespace halocline {

class Hdf5File;

/// A dat and the dataset it comes from: its own name unless another is given.
struct FieldToRead {
    std::string dataset;        ///< name in the file, with groups
    DatStore* store = nullptr;  ///< filled

    /// Dataset `name` for the dat of a store.
    FieldToRead(std::string name, DatStore& dat) : dataset(std::move(name)), store(&dat) {}
    /// Dataset `name` for a dat.
    template <class Tag, class T, int dim, class Storage>
    FieldToRead(std::string name, Dat<Tag, T, dim, Storage>& dat)
        : FieldToRead(std::move(name), dat.handle()) {}
    /// The dataset of the dat's own name.
    template <class Tag, class T, int dim, class Storage>
    FieldToRead(Dat<Tag, T, dim, Storage>& dat) : FieldToRead(dat.handle().name, dat.handle()) {}
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

/// Called with rows of this rank's block of a field, by its place in the list, and the number of the
/// first row.
using RowsRead = std::function<void(std::size_t field, std::size_t row_bytes,
                                    std::uint64_t first_row, std::span<const std::byte> rows)>;

/// The same from an open file; `seen` gets what is read.
void read_fields(const Communicator& comm, const Hdf5File& file,
                 const std::vector<FieldToRead>& fields, const RowsRead& seen = {});

/// True on every rank when `path` is there. Collective.
[[nodiscard]] bool file_exists(const Communicator& comm, const std::string& path);

}  // namespace halocline
