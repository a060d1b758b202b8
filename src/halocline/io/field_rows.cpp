// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 makes the file and gives it its name, every rank writes its rows.
#include "halocline/io/field_rows.hpp"

#include <algorithm>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/core/file_stream.hpp"

namespace halocline {

namespace {

/// Rows put together at a time stay in a private cache until they are used.
constexpr std::size_t tile_bytes = std::size_t{1} << 15U;
static_assert(tile_bytes <= FileStream::most_room);

std::size_t bytes_of_row(const RawDat& values) {
    return bytes_of(values.type) * static_cast<std::size_t>(values.dim);
}

}  // namespace

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

void for_rows_in_order(const Communicator& comm, const FieldRows& rows, const RowsRoom& room,
                       const RowsSeen& filled) {
    ExchangeMemory own_memory;
    BlockExchange exchange(comm, *rows.pattern, rows.memory != nullptr ? *rows.memory : own_memory,
                           rows.values.dim, rows.values.type);
    const std::size_t row_bytes = exchange.row_bytes();
    const auto most = static_cast<std::int64_t>(std::max<std::size_t>(1, tile_bytes / row_bytes));
    int code = 0;
    std::string problem;
    for (std::int64_t window = 0; window < exchange.windows(); ++window) {
        exchange.collect(window, rows.values, rows.order);
        const BlockRange range = exchange.rows(window);
        try {
            for (std::int64_t row = 0; code == 0 && row < range.size(); row += most) {
                const std::int64_t count = std::min(most, range.size() - row);
                std::byte* const tile = room(count);
                exchange.copy_rows(row, count, tile);
                filled(range.begin + row, {tile, static_cast<std::size_t>(count) * row_bytes});
            }
        } catch (const Error& error) {
            code = static_cast<int>(error.code());
            problem = error.what();
        }
    }
    comm.agree(code, problem);
}

void write_rows(const Communicator& comm, const OutputFile& file, std::uint64_t data_offset,
                const FieldRows& field, const RowsSeen& seen) {
    const std::size_t row_bytes = bytes_of_row(field.values);
    const BlockRange block = field.pattern->block();
    FileStream stream;
    bool begun = false;
    for_rows_in_order(
        comm, field,
        [&](std::int64_t count) {
            if (!std::exchange(begun, true)) {
                stream.begin(file,
                             data_offset + static_cast<std::uint64_t>(block.begin) * row_bytes,
                             static_cast<std::uint64_t>(block.size()) * row_bytes);
            }
            return stream.room(static_cast<std::size_t>(count) * row_bytes);
        },
        [&](std::int64_t first_row, std::span<const std::byte> rows) {
            if (seen) {
                seen(first_row, rows);
            }
            stream.commit(rows.size());
        });
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

}  // namespace halocline
