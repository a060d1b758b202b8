// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/io/results_layout.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace halocline {

namespace {

constexpr const char* root = "/VTKHDF";
constexpr std::int64_t format_version = 1;
constexpr std::int64_t vtk_version[] = {2, 3};
constexpr std::uint8_t vtk_vertex = 1;

std::string path_of(const std::string& name) { return std::string(root) + "/" + name; }

std::int64_t cells_of(const ResultBlock& block) {
    return std::accumulate(block.cells.begin(), block.cells.end(), std::int64_t{0},
                           [](auto sum, const CellSection& s) { return sum + s.count; });
}

std::int64_t connections_of(const ResultBlock& block) {
    return std::accumulate(
        block.cells.begin(), block.cells.end(), std::int64_t{0},
        [](auto sum, const CellSection& s) { return sum + s.count * s.points_a_cell; });
}

/// Every point a cell of its own, where a mesh keeps none.
CellSection all_points(std::int64_t points) {
    return {vtk_vertex, 1, points, [](BlockRange rows, std::span<std::int64_t> into) {
                std::iota(into.begin(), into.end(), rows.begin);
            }};
}

std::vector<ResultBlock> with_points_shown(std::vector<ResultBlock> blocks) {
    for (ResultBlock& block : blocks) {
        if (block.cells.empty() && block.points_of.empty()) {
            block.cells = {all_points(block.points)};
        }
    }
    return blocks;
}

std::int64_t rounded_up(std::int64_t rows, std::int64_t chunk) {
    return (rows + chunk - 1) / chunk * chunk;
}

}  // namespace

ResultsLayout::ResultsLayout(ResultsHead head, std::vector<ResultBlock> blocks)
    : head_(std::move(head)), described_(with_points_shown(std::move(blocks))) {
    Hdf5Layout layout;
    layout.add_group(root, true);
    layout.add_integers(root, "Version", vtk_version);
    layout.add_text(root, "Type", "MultiBlockDataSet");
    layout.add_text(root, "halocline_format", "halocline-results");
    layout.add_integer(root, "halocline_format_version", format_version);
    layout.add_text(root, "solver", head_.solver);
    layout.add_text(root, "mesh_hash", head_.mesh_hash);
    for (std::size_t b = 0; b < described_.size(); ++b) {
        add_block(layout, described_[b], static_cast<std::int64_t>(b));
    }
    const std::string assembly = std::string(root) + "/Assembly";
    layout.add_group(assembly, true);
    for (const ResultBlock& block : described_) {
        layout.link_soft(path_of(block.name), assembly + "/" + block.name);
    }
    image_ = layout.finish();
    for (const Steps& steps : steps_) {
        counters_.push_back({layout.place(steps.count), layout.place(steps.values.extent),
                             steps.values.place, steps.numbers});
    }
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        for (std::size_t f = 0; f < chunked_[b].size(); ++f) {
            blocks_[b].fields[f].chunks = layout.take_chunks(chunked_[b][f]);
        }
    }
}

void ResultsLayout::release_meshes() {
    for (ResultBlock& block : described_) {
        block.coordinates = nullptr;
        for (CellSection& section : block.cells) {
            section.read = nullptr;
        }
    }
}

const ResultBlock& ResultsLayout::owner_of(const ResultBlock& block) const {
    return block.points_of.empty()
               ? block
               : *std::find_if(described_.begin(), described_.end(), [&](const ResultBlock& other) {
                     return other.name == block.points_of;
                 });
}

void ResultsLayout::add_block(Hdf5Layout& layout, const ResultBlock& block, std::int64_t index) {
    const std::string path = path_of(block.name);
    layout.add_group(path);
    layout.add_integers(path, "Version", vtk_version);
    layout.add_text(path, "Type", "UnstructuredGrid");
    layout.add_integer(path, "Index", index);
    blocks_.emplace_back();
    chunked_.emplace_back();
    add_mesh(layout, block, path);
    if (block.points_of.empty()) {
        add_fields(layout, block, path);
        add_steps(layout, block, path + "/Steps");
        return;
    }
    const std::string owner = path_of(block.points_of);
    if (block.mesh_file.empty()) {
        layout.link_hard(owner + "/Points", path + "/Points");
    }
    layout.link_hard(owner + "/PointData", path + "/PointData");
    layout.link_hard(owner + "/Steps", path + "/Steps");
}

void ResultsLayout::add_mesh(Hdf5Layout& layout, const ResultBlock& block,
                             const std::string& path) {
    if (!block.mesh_file.empty()) {
        for (const char* part : {"/Points", "/Connectivity", "/Offsets", "/Types",
                                 "/NumberOfPoints", "/NumberOfCells", "/NumberOfConnectivityIds"}) {
            layout.link_external(block.mesh_file, path + part, path + part);
        }
        return;
    }
    const auto add_number = [&](const std::string& name, std::int64_t value) {
        layout.add_values(path + name, {1}, std::span(&value, 1));
    };
    const std::int64_t points = owner_of(block).points;
    const std::int64_t cells = cells_of(block);
    const std::int64_t connections = connections_of(block);
    const bool wide = std::max(connections, points) > std::numeric_limits<std::int32_t>::max();
    Mesh& mesh = blocks_.back().mesh;
    mesh.index = wide ? StoredType::int64 : StoredType::int32;
    if (block.points_of.empty()) {
        mesh.points = layout.add_dataset(path + "/Points", {points, 3}, StoredType::float64);
    }
    mesh.connectivity = layout.add_dataset(path + "/Connectivity", {connections}, mesh.index);
    mesh.offsets = layout.add_dataset(path + "/Offsets", {cells + 1}, mesh.index);
    mesh.types = layout.add_dataset(path + "/Types", {cells}, StoredType::uint8);
    add_number("/NumberOfPoints", points);
    add_number("/NumberOfCells", cells);
    add_number("/NumberOfConnectivityIds", connections);
}

void ResultsLayout::add_fields(Hdf5Layout& layout, const ResultBlock& block,
                               const std::string& path) {
    const Compression& compression = head_.compression;
    Block& placed = blocks_.back();
    placed.step_rows =
        compression.is_on() ? rounded_up(block.points, compression.chunk_rows) : block.points;
    layout.add_group(path + "/PointData");
    for (const ResultField& field : block.fields) {
        const std::string name = path + "/PointData/" + field.name;
        std::vector<std::int64_t> shape{head_.most_steps * placed.step_rows};
        if (field.components > 1) {
            shape.push_back(field.components);
        }
        placed.fields.push_back({field.components, 0, {}});
        if (compression.is_on()) {
            chunked_.back().push_back(
                layout.add_chunked(name, shape, StoredType::float64, compression));
        } else {
            placed.fields.back().place = layout.add_dataset(name, shape, StoredType::float64);
        }
        layout.add_text(name, "unit", field.unit);
    }
}

void ResultsLayout::add_steps(Hdf5Layout& layout, const ResultBlock& block,
                              const std::string& path) {
    const std::int64_t most = head_.most_steps;
    layout.add_group(path);
    const Hdf5Layout::Slot count = layout.add_counter(path, "NSteps");
    layout.add_text(path, "time_unit", head_.time_unit);
    const Hdf5Layout::Growing values =
        layout.add_growing(path + "/Values", most, StoredType::float64);
    const std::uint64_t numbers = layout.add_dataset(path + "/step", {most}, StoredType::int64);
    steps_.push_back({count, values, numbers});
    const std::vector<std::int64_t> zeros(static_cast<std::size_t>(most), 0);
    const std::vector<std::int64_t> ones(zeros.size(), 1);
    layout.add_values(path + "/PartOffsets", {most}, zeros);
    layout.add_values(path + "/NumberOfParts", {most}, ones);
    layout.add_values(path + "/PointOffsets", {most}, zeros);
    layout.add_values(path + "/CellOffsets", {most, 1}, zeros);
    layout.add_values(path + "/ConnectivityIdOffsets", {most, 1}, zeros);
    layout.add_group(path + "/PointDataOffsets");
    std::vector<std::int64_t> offsets(zeros.size());
    for (std::size_t s = 0; s < offsets.size(); ++s) {
        offsets[s] = static_cast<std::int64_t>(s) * blocks_.back().step_rows;
    }
    for (const ResultField& field : block.fields) {
        layout.add_values(path + "/PointDataOffsets/" + field.name, {most}, offsets);
    }
}

}  // namespace halocline
