// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/io/mesh_cells.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <memory>
#include <set>

#include "halocline/core/error.hpp"
#include "halocline/io/group_names.hpp"
#include "halocline/io/hdf5.hpp"

namespace halocline {

namespace {

constexpr std::string_view cells_prefix = "cells_";
constexpr std::string_view convex_prefix = "cells_convex_";
constexpr std::uint8_t vtk_line = 3;
constexpr std::uint8_t vtk_triangle = 5;
constexpr std::uint8_t vtk_quadrilateral = 9;
constexpr std::uint8_t vtk_convex_point_set = 41;

struct Kind {
    std::string_view dataset;
    std::uint8_t vtk_type;
    int points;
};
constexpr std::array<Kind, 6> kinds{{{"cells_triangle", vtk_triangle, 3},
                                     {"cells_quadrilateral", vtk_quadrilateral, 4},
                                     {"cells_tetrahedron", 10, 4},
                                     {"cells_hexahedron", 12, 8},
                                     {"cells_prism", 13, 6},
                                     {"cells_pyramid", 14, 5}}};

/// The kind that a dataset of cells has by its name; none for other datasets.
std::optional<Kind> kind_of(const std::string& dataset) {
    for (const Kind& kind : kinds) {
        if (kind.dataset == dataset) {
            return kind;
        }
    }
    int points = 0;
    if (dataset.starts_with(convex_prefix)) {
        std::from_chars(dataset.data() + convex_prefix.size(), dataset.data() + dataset.size(),
                        points);
    }
    return points > 0 ? std::optional<Kind>({dataset, vtk_convex_point_set, points}) : std::nullopt;
}

/// Opened by every rank and closed with the last section that reads it.
struct OpenLevel {
    Hdf5File file;
    std::string path;
    std::map<std::string, Hdf5Dataset> datasets;

    const Hdf5Dataset& dataset(const std::string& name) {
        const auto found = datasets.find(name);
        return found != datasets.end() ? found->second
                                       : datasets.emplace(name, file.dataset(name)).first->second;
    }
};

std::int64_t rows_of(const Hdf5Dataset& dataset) {
    return static_cast<std::int64_t>(dataset.shape().front());
}

void require_columns(const OpenLevel& level, const Hdf5Dataset& dataset, int columns) {
    const std::vector<hsize_t>& shape = dataset.shape();
    validate<InputError>(shape.size() == 2 && shape[1] == static_cast<hsize_t>(columns),
                         "dataset '" + dataset.name() + "' of '" + level.path + "' has the shape " +
                             shape_text(shape) + ", not (n, " + std::to_string(columns) +
                             "). Make the mesh again.");
}

void read_points(const OpenLevel& level, const Hdf5Dataset& dataset, std::int64_t points,
                 BlockRange rows, std::span<std::int64_t> into) {
    dataset.read(rows, into);
    const auto wrong = std::find_if(
        into.begin(), into.end(), [&](std::int64_t point) { return point < 0 || point >= points; });
    validate<InputError>(wrong == into.end(),
                         "dataset '" + dataset.name() + "' of '" + level.path + "' names node " +
                             std::to_string(wrong == into.end() ? 0 : *wrong) + " of " +
                             std::to_string(points) + ". Make the mesh again.");
}

CellSection section_of(const std::shared_ptr<OpenLevel>& level, const Kind& kind,
                       std::int64_t points) {
    const Hdf5Dataset& dataset = level->dataset(std::string(kind.dataset));
    require_columns(*level, dataset, kind.points);
    return {kind.vtk_type, kind.points, rows_of(dataset),
            [level, &dataset, points](BlockRange rows, std::span<std::int64_t> into) {
                read_points(*level, dataset, points, rows, into);
            }};
}

std::shared_ptr<OpenLevel> open_level(const Communicator& comm, const std::string& path) {
    return std::make_shared<OpenLevel>(
        OpenLevel{Hdf5File::open(comm, path, "mesh file"), path, {}});
}

}  // namespace

ResultBlock read_level_block(const Communicator& comm, const std::string& path,
                             const std::string& name) {
    const std::shared_ptr<OpenLevel> level = open_level(comm, path);
    ResultBlock block;
    block.name = name;
    run_agreed(comm, [&] {
        const Hdf5Dataset& coordinates = level->dataset("node_coordinates");
        require_columns(*level, coordinates, 3);
        block.points = rows_of(coordinates);
        block.coordinates = [level, &coordinates](BlockRange rows, std::span<double> xyz) {
            coordinates.read(rows, xyz);
        };
        for (const std::string& dataset : level->file.names()) {
            if (const std::optional<Kind> kind = kind_of(dataset)) {
                Kind named = *kind;
                named.dataset = dataset;
                block.cells.push_back(section_of(level, named, block.points));
            }
        }
    });
    return block;
}

namespace {

/// How many corners a row of four names: a triangle repeats its last one, a line does so twice.
int corners_of(const std::int64_t* row) {
    return 4 - static_cast<int>(row[3] == row[2]) - static_cast<int>(row[2] == row[1]);
}

/// Faces with `points` corners.
CellSection faces_of(std::uint8_t vtk_type, int points, const std::vector<std::int64_t>& quads) {
    auto corners = std::make_shared<std::vector<std::int64_t>>();
    for (std::size_t q = 0; q < quads.size(); q += 4) {
        if (corners_of(&quads[q]) == points) {
            corners->insert(corners->end(), &quads[q], &quads[q] + points);
        }
    }
    const auto count = static_cast<std::int64_t>(corners->size()) / points;
    return {vtk_type, points, count,
            [corners, points](BlockRange rows, std::span<std::int64_t> to) {
                std::copy_n(corners->begin() + rows.begin * points, to.size(), to.begin());
            }};
}

}  // namespace

/// A surface is small beside its volume: every rank reads all of it.
std::vector<ResultBlock> read_boundary_blocks(const Communicator& comm, const std::string& path,
                                              const std::string& block) {
    const std::shared_ptr<OpenLevel> level = open_level(comm, path);
    std::vector<ResultBlock> blocks;
    run_agreed(comm, [&] {
        if (!level->file.has("bnd_quads") || !level->file.has("bnd_quad_group")) {
            return;
        }
        const Hdf5Dataset& faces = level->dataset("bnd_quads");
        require_columns(*level, faces, 4);
        const std::int64_t count = rows_of(faces);
        const std::int64_t points = rows_of(level->dataset("node_coordinates"));
        std::vector<std::int64_t> corners(static_cast<std::size_t>(4 * count));
        std::vector<std::int64_t> groups(static_cast<std::size_t>(count));
        read_points(*level, faces, points, {0, count}, corners);
        level->dataset("bnd_quad_group").read({0, count}, std::span(groups));
        std::map<std::int64_t, std::vector<std::int64_t>> by_group;
        for (std::size_t f = 0; f < groups.size(); ++f) {
            auto& list = by_group[groups[f]];
            list.insert(list.end(), &corners[4 * f], &corners[4 * f] + 4);
        }
        const std::map<std::int64_t, std::string> names = read_group_names(level->file);
        std::set<std::string> taken{block};
        for (const auto& [group, list] : by_group) {
            const auto named = names.find(group);
            std::string name =
                named != names.end() ? named->second : "group_" + std::to_string(group);
            std::replace_if(  // what VTK takes as a name of a block
                name.begin(), name.end(),
                [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '.'; }, '_');
            if (!taken.insert(name).second) {
                name += "_" + std::to_string(group);
            }
            ResultBlock boundary{name, block, 0, {}, {}, {}};
            for (const CellSection& section :
                 {faces_of(vtk_line, 2, list), faces_of(vtk_triangle, 3, list),
                  faces_of(vtk_quadrilateral, 4, list)}) {
                if (section.count > 0) {
                    boundary.cells.push_back(section);
                }
            }
            blocks.push_back(std::move(boundary));
        }
    });
    return blocks;
}

}  // namespace halocline
