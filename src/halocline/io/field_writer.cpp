// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Collective writing into a temporary name, then one rename.
#include "halocline/io/field_writer.hpp"

#include <filesystem>
#include <vector>

#include "halocline/core/error.hpp"
#include "halocline/io/block_exchange.hpp"
#include "halocline/io/hdf5.hpp"

namespace halocline {

namespace {

Hdf5Dataset declare_field(const Hdf5File& file, const std::string& name, const SetPart& set,
                          int dim) {
    Hdf5Dataset dataset = file.create_dataset(name, set.global_size, dim);
    dataset.write_attribute("size", dim * static_cast<int>(sizeof(double)));
    dataset.write_attribute("dim", dim);
    dataset.write_attribute("type", std::string("double"));
    return dataset;
}

void write_file(const Communicator& comm, const std::string& path, const std::string& name,
                const SetPart& set, const RawDat& dat) {
    BlockExchange exchange(comm, set, dat.dim);
    Hdf5File file = Hdf5File::create(comm, path);
    std::vector<Hdf5Dataset> dataset;  // one; gone before the file is closed
    run_agreed(comm, [&] { dataset.push_back(declare_field(file, name, set, dat.dim)); });
    for (std::int64_t window = 0; window < exchange.windows(); ++window) {
        const std::span<const double> values = exchange.collect(window, dat);
        run_agreed(comm, [&] { dataset.front().write(exchange.rows(window), values); });
    }
    run_agreed(comm, [&] {
        dataset.clear();
        file.close();
    });
}

void rename_file(const std::string& from, const std::string& to) {
    std::error_code failure;
    std::filesystem::rename(from, to, failure);
    validate<RunError>(!failure, "'" + to + "' cannot be replaced (" + failure.message() +
                                     "). Check the permissions of the folder.");
}

}  // namespace

std::int64_t write_field(const Communicator& comm, const std::string& path,
                         const std::string& dataset, const SetPart& set, const RawDat& dat) {
    const std::string partial = path + ".partial";
    try {
        write_file(comm, partial, dataset, set, dat);
        run_agreed(comm, [&] {
            if (comm.is_root()) {
                rename_file(partial, path);
            }
        });
    } catch (const Error&) {
        if (comm.is_root()) {
            std::error_code ignored;
            std::filesystem::remove(partial, ignored);
        }
        throw;
    }
    return set.global_size * dat.dim * static_cast<std::int64_t>(sizeof(double));
}

}  // namespace halocline
