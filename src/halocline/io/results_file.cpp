// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/io/results_file.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

constexpr std::int64_t format_version = 1;
constexpr std::int64_t vtk_version[] = {2, 3};
constexpr std::uint8_t vtk_vertex = 1;
/// Rows that a rank moves at a time while meshes are written.
constexpr std::int64_t window_rows = std::int64_t{1} << 18U;

std::int64_t cells_of(const ResultBlock& block) {
    return std::accumulate(block.cells.begin(), block.cells.end(), std::int64_t{0},
                           [](auto sum, const CellSection& s) { return sum + s.count; });
}

std::int64_t connections_of(const ResultBlock& block) {
    return std::accumulate(
        block.cells.begin(), block.cells.end(), std::int64_t{0},
        [](auto sum, const CellSection& s) { return sum + s.count * s.points_a_cell; });
}

/// Where the mesh of a block lies in the file.
struct MeshPlaces {
    std::uint64_t points = 0;
    std::uint64_t connectivity = 0;
    std::uint64_t offsets = 0;
    std::uint64_t types = 0;
    StoredType index = StoredType::int32;  ///< of connectivity and offsets
};

/// Every point a cell of its own, where a mesh keeps none.
CellSection all_points(std::int64_t points) {
    return {vtk_vertex, 1, points, [](BlockRange rows, std::span<std::int64_t> into) {
                std::iota(into.begin(), into.end(), rows.begin);
            }};
}

class FileLayout {
public:
    FileLayout(const ResultsHead& head, const std::vector<ResultBlock>& blocks)
        : head_(head), blocks_(blocks) {
        layout_.add_group(root, true);
        layout_.add_integers(root, "Version", vtk_version);
        layout_.add_text(root, "Type", "MultiBlockDataSet");
        layout_.add_text(root, "halocline_format", "halocline-results");
        layout_.add_integer(root, "halocline_format_version", format_version);
        layout_.add_text(root, "solver", head.solver);
        layout_.add_text(root, "mesh_hash", head.mesh_hash);
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            add_block(blocks[b], static_cast<std::int64_t>(b));
        }
        const std::string assembly = std::string(root) + "/Assembly";
        layout_.add_group(assembly, true);
        for (const ResultBlock& block : blocks) {
            layout_.link_soft(path_of(block.name), assembly + "/" + block.name);
        }
        image = layout_.finish();
        for (const Steps& steps : steps_) {
            counters.push_back({layout_.place(steps.count), layout_.place(steps.values.extent),
                                steps.values.place, steps.numbers});
        }
    }

    struct Counter {
        std::uint64_t steps, extent, values, numbers;
    };
    Hdf5Image image;
    std::vector<MeshPlaces> meshes;                  ///< by block
    std::vector<std::vector<std::uint64_t>> fields;  ///< by block
    std::vector<Counter> counters;

private:
    static constexpr const char* root = "/VTKHDF";
    struct Steps {
        Hdf5Layout::Slot count;
        Hdf5Layout::Growing values;
        std::uint64_t numbers;
    };

    static std::string path_of(const std::string& name) { return std::string(root) + "/" + name; }

    const ResultBlock& owner_of(const ResultBlock& block) const {
        return block.points_of.empty()
                   ? block
                   : *std::find_if(blocks_.begin(), blocks_.end(), [&](const ResultBlock& other) {
                         return other.name == block.points_of;
                     });
    }

    void add_block(const ResultBlock& block, std::int64_t index) {
        const std::string path = path_of(block.name);
        const std::int64_t points = owner_of(block).points;
        layout_.add_group(path);
        layout_.add_integers(path, "Version", vtk_version);
        layout_.add_text(path, "Type", "UnstructuredGrid");
        layout_.add_integer(path, "Index", index);
        MeshPlaces mesh;
        const bool wide =
            std::max(connections_of(block), points) > std::numeric_limits<std::int32_t>::max();
        mesh.index = wide ? StoredType::int64 : StoredType::int32;
        const std::int64_t cells = cells_of(block);
        const std::int64_t connections = connections_of(block);
        if (block.points_of.empty()) {
            mesh.points = layout_.add_dataset(path + "/Points", {points, 3}, StoredType::float64);
        }
        mesh.connectivity = layout_.add_dataset(path + "/Connectivity", {connections}, mesh.index);
        mesh.offsets = layout_.add_dataset(path + "/Offsets", {cells + 1}, mesh.index);
        mesh.types = layout_.add_dataset(path + "/Types", {cells}, StoredType::uint8);
        add_number(path + "/NumberOfPoints", points);
        add_number(path + "/NumberOfCells", cells);
        add_number(path + "/NumberOfConnectivityIds", connections);
        meshes.push_back(mesh);
        fields.emplace_back();
        if (block.points_of.empty()) {
            add_fields(block, path);
            add_steps(block, path + "/Steps");
        } else {
            for (const char* shared : {"/Points", "/PointData", "/Steps"}) {
                layout_.link_hard(path_of(block.points_of) + shared, path + shared);
            }
        }
    }

    void add_number(const std::string& name, std::int64_t value) {
        layout_.add_values(name, {1}, std::span(&value, 1));
    }

    void add_fields(const ResultBlock& block, const std::string& path) {
        layout_.add_group(path + "/PointData");
        for (const ResultField& field : block.fields) {
            const std::string name = path + "/PointData/" + field.name;
            std::vector<std::int64_t> shape{head_.most_steps * block.points};
            if (field.components > 1) {
                shape.push_back(field.components);
            }
            fields.back().push_back(layout_.add_dataset(name, shape, StoredType::float64));
            layout_.add_text(name, "unit", field.unit);
        }
    }

    void add_steps(const ResultBlock& block, const std::string& path) {
        const std::int64_t most = head_.most_steps;
        layout_.add_group(path);
        const Hdf5Layout::Slot count = layout_.add_counter(path, "NSteps");
        layout_.add_text(path, "time_unit", head_.time_unit);
        const Hdf5Layout::Growing values =
            layout_.add_growing(path + "/Values", most, StoredType::float64);
        const std::uint64_t numbers =
            layout_.add_dataset(path + "/step", {most}, StoredType::int64);
        steps_.push_back({count, values, numbers});
        const std::vector<std::int64_t> zeros(static_cast<std::size_t>(most), 0);
        const std::vector<std::int64_t> ones(zeros.size(), 1);
        layout_.add_values(path + "/PartOffsets", {most}, zeros);
        layout_.add_values(path + "/NumberOfParts", {most}, ones);
        layout_.add_values(path + "/PointOffsets", {most}, zeros);
        layout_.add_values(path + "/CellOffsets", {most, 1}, zeros);
        layout_.add_values(path + "/ConnectivityIdOffsets", {most, 1}, zeros);
        layout_.add_group(path + "/PointDataOffsets");
        std::vector<std::int64_t> offsets(zeros.size());
        for (std::size_t s = 0; s < offsets.size(); ++s) {
            offsets[s] = static_cast<std::int64_t>(s) * block.points;
        }
        for (const ResultField& field : block.fields) {
            layout_.add_values(path + "/PointDataOffsets/" + field.name, {most}, offsets);
        }
    }

    const ResultsHead& head_;
    const std::vector<ResultBlock>& blocks_;
    Hdf5Layout layout_;
    std::vector<Steps> steps_;
};

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
                const MeshPlaces& places) {
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

std::vector<ResultBlock> with_points_shown(std::vector<ResultBlock> blocks) {
    for (ResultBlock& block : blocks) {
        if (block.cells.empty() && block.points_of.empty()) {
            block.cells = {all_points(block.points)};
        }
    }
    return blocks;
}

}  // namespace

ResultsFile::ResultsFile(const Communicator& comm, const std::string& path, const ResultsHead& head,
                         const std::vector<ResultBlock>& described)
    : path_(path), most_steps_(head.most_steps) {
    const std::vector<ResultBlock> blocks = with_points_shown(described);
    const FileLayout layout(head, blocks);
    file_ = create_together(comm, path, layout.image);
    run_agreed(comm, [&] {
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            write_mesh(comm, file_, blocks[b], layout.meshes[b]);
        }
    });
    run_agreed(comm, [&] { file_.flush(); });
    run_agreed(comm, [&] { file_.publish_open(); });
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        Place place{blocks[b].points, layout.fields[b], {}};
        for (const ResultField& field : blocks[b].fields) {
            place.components.push_back(field.components);
        }
        streams_.resize(std::max(streams_.size(), place.components.size()));
        places_.push_back(std::move(place));
    }
    for (const FileLayout::Counter& counter : layout.counters) {
        counters_.push_back({counter.steps, counter.extent, counter.values, counter.numbers});
    }
}

void ResultsFile::begin_field(std::size_t block, std::size_t field, BlockRange rows) {
    const Place& place = places_[block];
    const auto row_bytes = static_cast<std::uint64_t>(place.components[field]) * sizeof(double);
    streams_[field].begin(
        file_,
        place.fields[field] +
            static_cast<std::uint64_t>(steps_ * place.points + rows.begin) * row_bytes,
        static_cast<std::uint64_t>(rows.size()) * row_bytes);
}

void ResultsFile::write_fields(const Communicator& comm, std::size_t block, const FieldRows& rows,
                               std::span<const FieldFunction> functions) {
    std::vector<double> tile;
    bool begun = false;
    for_rows_in_order(
        comm, rows,
        [&](std::int64_t count) {
            for (std::size_t f = 0; !begun && f < functions.size(); ++f) {
                begin_field(block, f, rows.pattern->block());
            }
            begun = true;
            tile.resize(static_cast<std::size_t>(count * rows.values.dim));
            return reinterpret_cast<std::byte*>(tile.data());
        },
        [&](std::int64_t, std::span<const std::byte>) {
            const auto count = static_cast<std::int64_t>(tile.size()) / rows.values.dim;
            for (std::size_t f = 0; f < functions.size(); ++f) {
                const auto bytes =
                    static_cast<std::size_t>(count * places_[block].components[f]) * sizeof(double);
                functions[f](tile.data(), count,
                             reinterpret_cast<double*>(streams_[f].room(bytes)));
                streams_[f].commit(bytes);
            }
        });
}

void ResultsFile::write_field(const Communicator& comm, std::size_t block, std::size_t field,
                              const FieldRows& rows) {
    bool begun = false;
    for_rows_in_order(
        comm, rows,
        [&](std::int64_t) {
            if (!std::exchange(begun, true)) {
                begin_field(block, field, rows.pattern->block());
            }
            return streams_[field].room(FileStream::most_room);
        },
        [&](std::int64_t, std::span<const std::byte> filled) {
            streams_[field].commit(filled.size());
        });
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
        file_.require_named();
        const auto index = static_cast<std::uint64_t>(steps_ - 1) * sizeof(double);
        for (const Counters& counter : counters_) {
            file_.write_at(counter.values + index, &time, sizeof time);
            file_.write_at(counter.numbers + index, &step, sizeof step);
        }
        for (const Counters& counter : counters_) {
            file_.write_at(counter.steps, &steps_, sizeof steps_);
        }
        for (const Counters& counter : counters_) {
            file_.write_at(counter.values_extent, &steps_, sizeof steps_);
        }
        file_.flush();
    });
}

}  // namespace halocline
