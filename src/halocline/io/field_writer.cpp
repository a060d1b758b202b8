// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 makes the file and gives it its name, every rank writes its rows.
#include "halocline/io/field_writer.hpp"

#include <set>
#include <span>

#include "halocline/core/error.hpp"
#include "halocline/io/block_exchange.hpp"
#include "halocline/io/hdf5_image.hpp"

namespace halocline {

namespace {

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

}  // namespace

Hdf5Image image_of(const std::vector<FieldRows>& fields,
                   const std::vector<Hdf5Image::Attribute>& attributes) {
    std::vector<Hdf5Image::Shape> shapes;
    for (const FieldRows& field : fields) {
        shapes.push_back(
            {field.dataset, field.pattern->set().global_size, field.values.dim, field.values.type});
    }
    return make_field_image(shapes, attributes);
}

OutputFile create_together(const Communicator& comm, const std::string& path,
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

void write_rows(const Communicator& comm, const OutputFile& file, std::uint64_t data_offset,
                const FieldRows& field, const RowsSeen& seen) {
    BlockExchange exchange(comm, *field.pattern, field.values.dim, field.values.type);
    const std::size_t row_bytes =
        bytes_of(field.values.type) * static_cast<std::size_t>(field.values.dim);
    int code = 0;
    std::string problem;
    for (std::int64_t window = 0; window < exchange.windows(); ++window) {
        const std::span<const std::byte> values =
            field.sorted ? exchange.collect_sorted(window, field.values.bytes())
                         : exchange.collect(window, field.values);
        const auto first_row = static_cast<std::uint64_t>(exchange.rows(window).begin);
        try {
            if (code == 0) {
                file.write_at(data_offset + first_row * row_bytes, values.data(), values.size());
                if (seen) {
                    seen(first_row, values);
                }
            }
        } catch (const Error& error) {  // the others' rows still pass through here
            code = static_cast<int>(error.code());
            problem = error.what();
        }
    }
    comm.agree(code, problem);
}

void write_field_rows(const Communicator& comm, const std::string& path, const Hdf5Image& image,
                      const std::vector<FieldRows>& fields) {
    OutputFile file = create_together(comm, path, image);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        write_rows(comm, file, image.data_offsets[i], fields[i], {});
    }
    publish_together(comm, file);
}

void publish_together(const Communicator& comm, OutputFile& file) {
    run_agreed(comm, [&] { file.complete(); });
    run_agreed(comm, [&] { file.publish(); });  // rank 0's; the others have nothing left to do
}

std::int64_t write_fields(const Communicator& comm, const std::string& path,
                          const std::vector<FieldToWrite>& fields) {
    require_writable(path, fields);
    RowPatterns patterns(comm);
    std::vector<FieldRows> rows;
    std::int64_t bytes = 0;
    for (const FieldToWrite& field : fields) {
        rows.push_back({field.dataset, &patterns.of(*field.store->set), field.store->raw(), false});
        bytes += rows.back().bytes();
    }
    write_field_rows(comm, path, image_of(rows), rows);
    return bytes;
}

}  // namespace halocline
