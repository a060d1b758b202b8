// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Collective reading of blocks, then the way of the writer backwards.
#include "halocline/io/field_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "halocline/core/collective_calls.hpp"
#include "halocline/core/error.hpp"
#include "halocline/io/block_exchange.hpp"
#include "halocline/io/fields_alike.hpp"
#include "halocline/io/hdf5.hpp"
#include "halocline/io/open_field_file.hpp"

namespace halocline {

namespace {

Hdf5Dataset open_field(const Hdf5File& file, const std::string& name, const DatStore& dat) {
    const SetPart& set = *dat.set;
    const int dim = dat.dim;
    Hdf5Dataset dataset = file.dataset(name);
    const std::string label = "dataset '" + name + "' of '" + file.path() + "'";
    validate<InputError>(dataset.kind() == Hdf5Kind::real || is_integer(dat.type),
                         label + " holds no floating-point numbers. Name another file.");
    validate<InputError>(dataset.fits(dat.type),
                         label + " holds " + dataset.type_text() + ", which dat '" + dat.name +
                             "' of " + name_of(dat.type) +
                             " cannot hold exactly. Name another file, or make the dat of the "
                             "type of the file.");
    const std::vector<hsize_t>& shape = dataset.shape();
    const bool fits =
        !shape.empty() && shape[0] == static_cast<hsize_t>(set.global_size) &&
        (shape.size() == 1 ? dim == 1 : shape.size() == 2 && shape[1] == static_cast<hsize_t>(dim));
    validate<InputError>(fits, label + " has not the shape (" + std::to_string(set.global_size) +
                                   ", " + std::to_string(dim) +
                                   ") of this mesh. Name the file of the same mesh and level.");
    dataset.require_stored();
    return dataset;
}

/// All before the first value changes.
std::vector<Hdf5Dataset> open_fields(const Hdf5File& file, const std::vector<FieldToRead>& fields) {
    std::vector<Hdf5Dataset> opened;
    for (const FieldToRead& field : fields) {
        opened.push_back(open_field(file, field.dataset, *field.store));
    }
    return opened;
}

void require_readable(const std::string& path, const std::vector<FieldToRead>& fields) {
    for (const FieldToRead& field : fields) {
        validate<ContractError>(!field.store->temporary,
                                "dat '" + field.store->name + "' cannot be read from '" + path +
                                    "' (it is temporary: it exists within a chain only). Read "
                                    "into a dat of make_dat.");
    }
}

/// Rows go from the file to one owner.
void require_divided(const FieldToRead& field) {
    validate<ContractError>(!field.store->set->is_replicated,
                            "dat '" + field.store->name +
                                "' cannot be read from a file (its set '" + field.store->set->name +
                                "' is replicated, rows of files go to one rank). Declare its "
                                "values with the mesh.");
}

}  // namespace

FieldToRead::FieldToRead(std::string_view name, DatStore& dat) : dataset(name), store(&dat) {}
FieldToRead::~FieldToRead() = default;
FieldToRead::FieldToRead(const FieldToRead&) = default;
FieldToRead& FieldToRead::operator=(const FieldToRead&) = default;
FieldToRead::FieldToRead(FieldToRead&&) noexcept = default;
FieldToRead& FieldToRead::operator=(FieldToRead&&) noexcept = default;

void read_fields(const Communicator& comm, const std::string& path,
                 const std::vector<FieldToRead>& fields) {
    enter_call(comm, "reads fields");
    run_agreed(comm, [&] { require_readable(path, fields); });
    require_fields_alike(comm, "read from", path, fields);
    read_fields(comm, Hdf5File::open(comm, path, "field file"), fields);
}

void read_fields(const Communicator& comm, const Hdf5File& file,
                 const std::vector<FieldToRead>& fields, const RowsRead& seen) {
    std::vector<Hdf5Dataset> opened;
    run_agreed(comm, [&] {
        std::for_each(fields.begin(), fields.end(), require_divided);
        opened = open_fields(file, fields);
    });
    RowPatterns patterns(comm);
    ExchangeMemory memory;
    std::vector<std::byte> block;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        DatStore& dat = *fields[i].store;
        BlockExchange exchange(comm, patterns.of(*dat.set), memory, dat.dim, dat.type);
        dat.mark_changed();
        for (std::int64_t window = 0; window < exchange.windows(); ++window) {
            const BlockRange rows = exchange.rows(window);
            block.resize(static_cast<std::size_t>(rows.size()) * exchange.row_bytes());
            const std::span<std::byte> values(block);
            run_agreed(comm, [&] { opened[i].read(rows, dat.type, values); });
            if (seen) {
                seen(i, dat.row_bytes(), static_cast<std::uint64_t>(rows.begin), values);
            }
            exchange.deliver(window, values, dat.raw());
        }
    }
}

bool file_exists(const Communicator& comm, const std::string& path) {
    std::int64_t found = 0;
    if (comm.is_root()) {
        std::error_code ignored;
        found = std::filesystem::exists(path, ignored) ? 1 : 0;
    }
    return comm.max(found) != 0;
}

}  // namespace halocline
