// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/io/results_file.hpp"

#include <algorithm>
#include <utility>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

/// Rows that a rank moves at a time while meshes are written.
constexpr std::int64_t window_rows = std::int64_t{1} << 18U;

/// Calls `work(rows)` for windows of this rank's block of `total` rows.
template <class Work>
void for_each_window(const Communicator& comm, std::int64_t total, const Work& work) {
    const BlockRange block = block_range(total, comm.rank(), comm.size());
    for (std::int64_t begin = block.begin; begin < block.end; begin += window_rows) {
        work(BlockRange{begin, std::min(block.end, begin + window_rows)});
    }
}

void write_indices(const OutputFile& file, std::uint64_t at, std::int64_t first, StoredType type,
                   std::span<const std::int64_t> values) {
    const std::uint64_t place = at + static_cast<std::uint64_t>(first) * bytes_of(type);
    if (type == StoredType::int64) {
        file.write_at(place, values.data(), values.size_bytes());
        return;
    }
    const std::vector<std::int32_t> narrow(values.begin(), values.end());
    file.write_at(place, narrow.data(), narrow.size() * sizeof(std::int32_t));
}

/// This rank's share of the mesh of a block.
void write_mesh(const Communicator& comm, const OutputFile& file, const ResultBlock& block,
                const ResultsLayout::Mesh& places) {
    if (block.points_of.empty()) {
        std::vector<double> xyz;
        for_each_window(comm, block.points, [&](BlockRange rows) {
            xyz.resize(static_cast<std::size_t>(3 * rows.size()));
            block.coordinates(rows, xyz);
            file.write_at(
                places.points + static_cast<std::uint64_t>(rows.begin) * 3 * sizeof(double),
                xyz.data(), xyz.size() * sizeof(double));
        });
    }
    std::int64_t first_cell = 0;
    std::int64_t first_connection = 0;
    std::vector<std::int64_t> numbers;
    std::vector<std::uint8_t> types;
    for (const CellSection& section : block.cells) {
        for_each_window(comm, section.count, [&](BlockRange rows) {
            const auto cells = static_cast<std::size_t>(rows.size());
            numbers.resize(cells * static_cast<std::size_t>(section.points_a_cell));
            section.read(rows, numbers);
            write_indices(file, places.connectivity,
                          first_connection + rows.begin * section.points_a_cell, places.index,
                          numbers);
            numbers.resize(cells);
            for (std::size_t c = 0; c < cells; ++c) {  // where each cell ends
                numbers[c] = first_connection + (rows.begin + static_cast<std::int64_t>(c) + 1) *
                                                    section.points_a_cell;
            }
            write_indices(file, places.offsets, first_cell + rows.begin + 1, places.index, numbers);
            types.assign(cells, section.vtk_type);
            file.write_at(places.types + static_cast<std::uint64_t>(first_cell + rows.begin),
                          types.data(), types.size());
        });
        first_cell += section.count;
        first_connection += section.count * section.points_a_cell;
    }
    if (comm.is_root()) {
        const std::int64_t zero = 0;
        write_indices(file, places.offsets, 0, places.index, std::span(&zero, 1));
    }
}

}  // namespace

ResultsFile::ResultsFile(const Communicator& comm, const std::string& path,
                         std::shared_ptr<const ResultsLayout> layout, Appearance appearance)
    : path_(path), layout_(std::move(layout)), appearance_(appearance) {
    file_ = create_together(comm, path, layout_->image());
    run_agreed(comm, [&] {
        for (std::size_t b = 0; b < layout_->blocks().size(); ++b) {
            if (layout_->described()[b].mesh_file.empty()) {
                write_mesh(comm, file_, layout_->described()[b], layout_->blocks()[b].mesh);
            }
        }
    });
    if (appearance == Appearance::at_once) {
        run_agreed(comm, [&] { file_.flush(); });
        run_agreed(comm, [&] { file_.publish_open(); });
    }
}

/// Fields of several blocks are not written at once: they use the same streams.
ByteSink& ResultsFile::begin_field(std::size_t block, std::size_t field, BlockRange rows) {
    const ResultsLayout::Block& placed = layout_->blocks()[block];
    const ResultsLayout::Field& place = placed.fields[field];
    const auto row_bytes = static_cast<std::uint64_t>(place.components) * sizeof(double);
    const auto first = static_cast<std::uint64_t>(steps_ * placed.step_rows + rows.begin);
    const std::uint64_t bytes = static_cast<std::uint64_t>(rows.size()) * row_bytes;
    const Compression& compression = layout_->head().compression;
    if (!compression.is_on()) {
        streams_.resize(std::max(streams_.size(), placed.fields.size()));
        streams_[field].begin(file_, place.place + first * row_bytes, bytes);
        return streams_[field];
    }
    const auto chunk_rows = static_cast<std::uint64_t>(compression.chunk_rows);
    while (chunk_streams_.size() < placed.fields.size()) {
        const ResultsLayout::Field& next = placed.fields[chunk_streams_.size()];
        chunk_streams_.emplace_back(
            compression, chunk_rows * static_cast<std::uint64_t>(next.components) * sizeof(double),
            sizeof(double));
    }
    chunk_streams_[field].begin(file_, std::span(place.chunks).subspan(first / chunk_rows), bytes);
    return chunk_streams_[field];
}

void ResultsFile::write_fields(const Communicator& comm, std::size_t block, const FieldRows& rows,
                               std::span<const FieldFunction> functions) {
    std::vector<double> tile;
    std::vector<ByteSink*> sinks;
    for_rows_in_order(
        comm, rows,
        [&](std::int64_t count) {
            for (std::size_t f = sinks.size(); f < functions.size(); ++f) {
                sinks.push_back(&begin_field(block, f, rows.pattern->block()));
            }
            tile.resize(static_cast<std::size_t>(count * rows.values.dim));
            return reinterpret_cast<std::byte*>(tile.data());
        },
        [&](std::int64_t, std::span<const std::byte>) {
            const auto count = static_cast<std::int64_t>(tile.size()) / rows.values.dim;
            for (std::size_t f = 0; f < functions.size(); ++f) {
                const auto values = count * layout_->blocks()[block].fields[f].components;
                const std::size_t bytes = static_cast<std::size_t>(values) * sizeof(double);
                functions[f](tile.data(), count, reinterpret_cast<double*>(sinks[f]->room(bytes)));
                sinks[f]->commit(bytes);
            }
        });
}

void ResultsFile::write_field(const Communicator& comm, std::size_t block, std::size_t field,
                              const FieldRows& rows) {
    ByteSink* sink = nullptr;
    for_rows_in_order(
        comm, rows,
        [&](std::int64_t) {
            if (sink == nullptr) {
                sink = &begin_field(block, field, rows.pattern->block());
            }
            return sink->room(ByteSink::most_room);
        },
        [&](std::int64_t, std::span<const std::byte> filled) { sink->commit(filled.size()); });
}

/// First what a reader must find, then how much of it there is: a reader that comes between sees one
/// step fewer, or one without its time.
void ResultsFile::end_step(const Communicator& comm, std::int64_t step, double time) {
    run_agreed(comm, [&] { file_.flush(); });
    ++steps_;
    run_agreed(comm, [&] {
        if (!comm.is_root()) {
            return;
        }
        if (appearance_ == Appearance::at_once) {
            file_.require_named();
        }
        const auto index = static_cast<std::uint64_t>(steps_ - 1) * sizeof(double);
        for (const ResultsLayout::Counter& counter : layout_->counters()) {
            file_.write_at(counter.values + index, &time, sizeof time);
            file_.write_at(counter.numbers + index, &step, sizeof step);
        }
        for (const ResultsLayout::Counter& counter : layout_->counters()) {
            file_.write_at(counter.steps, &steps_, sizeof steps_);
        }
        for (const ResultsLayout::Counter& counter : layout_->counters()) {
            file_.write_at(counter.values_extent, &steps_, sizeof steps_);
        }
        file_.flush();
    });
    if (appearance_ == Appearance::when_full && is_full()) {
        publish_together(comm, file_);
    }
}

}  // namespace halocline
