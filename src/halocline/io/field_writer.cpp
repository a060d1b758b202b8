// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Every rank writes its rows under a temporary name; one rename makes them the result.
#include "halocline/io/field_writer.hpp"

#include <filesystem>

#include "halocline/core/error.hpp"
#include "halocline/io/block_exchange.hpp"
#include "halocline/io/hdf5_image.hpp"
#include "halocline/io/output_file.hpp"

namespace halocline {

namespace {

/// Rank 0 lays the file out: everything but the values.
void write_layout(const std::string& path, const Hdf5Image& image) {
    OutputFile file = OutputFile::create(path, image.file_bytes);
    for (const Hdf5Image::Piece& piece : image.pieces) {
        file.write_at(piece.at, piece.bytes.data(), piece.bytes.size());
    }
    file.close();
}

void write_file(const Communicator& comm, const std::string& path, const std::string& name,
                const SetPart& set, const RawDat& dat) {
    BlockExchange exchange(comm, set, dat.dim);
    const Hdf5Image image = make_field_image(name, set.global_size, dat.dim);
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            write_layout(path, image);
        }
    });
    OutputFile file;
    run_agreed(comm, [&] { file = OutputFile::open(path); });
    const std::uint64_t row_bytes = sizeof(double) * static_cast<std::uint64_t>(dat.dim);
    for (std::int64_t window = 0; window < exchange.windows(); ++window) {
        const std::span<const double> values = exchange.collect(window, dat);
        const auto first_row = static_cast<std::uint64_t>(exchange.rows(window).begin);
        run_agreed(comm, [&] {
            file.write_at(image.data_offset + first_row * row_bytes, values.data(),
                          values.size_bytes());
        });
    }
    run_agreed(comm, [&] { file.close(); });
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
