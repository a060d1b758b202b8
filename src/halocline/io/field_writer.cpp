// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 makes the file and gives it its name, every rank writes its rows.
#include "halocline/io/field_writer.hpp"

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

}  // namespace

std::int64_t write_field(const Communicator& comm, const std::string& path,
                         const std::string& dataset, const SetPart& set, const RawDat& dat) {
    BlockExchange exchange(comm, set, dat.dim);
    const Hdf5Image image = make_field_image(dataset, set.global_size, dat.dim);
    OutputFile file = open_together(comm, path, image);
    const std::uint64_t row_bytes = sizeof(double) * static_cast<std::uint64_t>(dat.dim);
    for (std::int64_t window = 0; window < exchange.windows(); ++window) {
        const std::span<const double> values = exchange.collect(window, dat);
        const auto first_row = static_cast<std::uint64_t>(exchange.rows(window).begin);
        run_agreed(comm, [&] {
            file.write_at(image.data_offset + first_row * row_bytes, values.data(),
                          values.size_bytes());
        });
    }
    run_agreed(comm, [&] { file.complete(); });
    run_agreed(comm, [&] { file.publish(); });  // rank 0's; the others have nothing left to do
    return set.global_size * dat.dim * static_cast<std::int64_t>(sizeof(double));
}

}  // namespace halocline
