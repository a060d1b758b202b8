// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 makes the file and gives it its name, every rank writes its rows.
#include "halocline/io/field_writer.hpp"

#include <set>
#include <span>

#include "halocline/core/error.hpp"
#include "halocline/core/output_file.hpp"
#include "halocline/io/block_exchange.hpp"
#include "halocline/io/hdf5_image.hpp"

namespace halocline {

namespace {

/// Rank 0 makes the file and lays it out, all but the values; the others open it. Collective.
OutputFile open_together(const Communicator& comm, const std::string& path,
                         const Hdf5Image& image) {
    OutputFile file;
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            file = OutputFile::create(path);
            file.resize(image.file_bytes);
            for (const Hdf5Image::Piece& piece : image.pieces) {
                file.write_at(piece.at, piece.bytes.data(), piece.bytes.size());
            }
        }
    });
    const std::string temporary = comm.broadcast(file.temporary_path());
    run_agreed(comm, [&] {
        if (!comm.is_root()) {
            file = OutputFile::join(path, temporary);
        }
    });
    return file;
}

void require_writable(const std::string& path, const std::vector<FieldToWrite>& fields) {
    std::set<std::string> names;
    for (const FieldToWrite& field : fields) {
        validate<ContractError>(!field.store->temporary,
                                "dat '" + field.store->name + "' cannot be written to '" + path +
                                    "' (it is temporary: it exists within a chain only). Write a "
                                    "dat of make_dat.");
        validate<ContractError>(names.insert(field.dataset).second,
                                "two dats become dataset '" + field.dataset + "' of '" + path +
                                    "' (one would be lost). Give each its name: {\"name\", dat}.");
    }
}

Hdf5Image image_of(const std::vector<FieldToWrite>& fields) {
    std::vector<Hdf5Image::Shape> shapes;
    for (const FieldToWrite& field : fields) {
        shapes.push_back(
            {field.dataset, field.store->set->global_size, field.store->dim, field.store->type});
    }
    return make_field_image(shapes);
}

/// The rows of one dat, which begin at `data_offset` of the file. Collective.
void write_rows(const Communicator& comm, OutputFile& file, std::uint64_t data_offset,
                const DatStore& dat) {
    BlockExchange exchange(comm, *dat.set, dat.dim, dat.type);
    for (std::int64_t window = 0; window < exchange.windows(); ++window) {
        const std::span<const std::byte> values = exchange.collect(window, dat.raw());
        const auto first_row = static_cast<std::uint64_t>(exchange.rows(window).begin);
        run_agreed(comm, [&] {
            file.write_at(data_offset + first_row * dat.row_bytes(), values.data(), values.size());
        });
    }
}

}  // namespace

std::int64_t write_fields(const Communicator& comm, const std::string& path,
                          const std::vector<FieldToWrite>& fields) {
    require_writable(path, fields);
    const Hdf5Image image = image_of(fields);
    OutputFile file = open_together(comm, path, image);
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        write_rows(comm, file, image.data_offsets[i], *fields[i].store);
        bytes += fields[i].store->set->global_size *
                 static_cast<std::int64_t>(fields[i].store->row_bytes());
    }
    run_agreed(comm, [&] { file.complete(); });
    run_agreed(comm, [&] { file.publish(); });  // rank 0's; the others have nothing left to do
    return bytes;
}

}  // namespace halocline
