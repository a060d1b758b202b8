// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The cube, its coarse pair, and a writer that writes what it is told, right or wrong.
#include "mpi/io/tiny_mesh.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace halocline::testing {

RawDataset& RawFile::at(const std::string& name) {
    const auto found = std::find_if(datasets.begin(), datasets.end(),
                                    [&](const RawDataset& one) { return one.name == name; });
    if (found == datasets.end()) {
        throw std::logic_error("the tiny mesh has no dataset " + name);
    }
    return *found;
}

void RawFile::remove(const std::string& name) {
    std::erase_if(datasets, [&](const RawDataset& one) { return one.name == name; });
}

namespace {

RawDataset matrix(const std::string& name, std::uint64_t columns, FileType type,
                  std::vector<double> values) {
    const std::uint64_t rows = values.size() / columns;
    return {name, {rows, columns}, type, std::move(values), true, {}};
}

/// Suffix of a dataset name in the legacy family, empty in the default one.
std::string ending(const std::string& family, const std::string& legacy) {
    return family == "legacy" ? legacy : "";
}

std::array<double, 3> corner(int node) {
    return {static_cast<double>(node & 1), static_cast<double>(node >> 1 & 1),
            static_cast<double>(node >> 2 & 1)};
}

/// Nodes, edges and their weights; edge e joins nodes that differ in bit `axis`.
RawFile cube_inside(int base, const std::string& family) {
    std::vector<double> coordinates;
    std::vector<double> ends;
    std::vector<double> weights;
    for (int node = 0; node < 8; ++node) {
        const auto x = corner(node);
        coordinates.insert(coordinates.end(), x.begin(), x.end());
    }
    for (int axis = 0; axis < 3; ++axis) {
        for (int node = 0; node < 8; ++node) {
            if ((node >> axis & 1) == 0) {
                ends.push_back(node + base);
                ends.push_back((node | 1 << axis) + base);
                for (int d = 0; d < 3; ++d) {
                    weights.push_back(d == axis ? 0.25 : 0.0);
                }
            }
        }
    }
    return {
        {matrix("node_coordinates" + ending(family, ".renumbered"), 3, FileType::float64,
                coordinates),
         matrix("edge-->node" + ending(family, ".renumbered"), 2, FileType::int32, ends),
         matrix("edge_weights" + ending(family, ".recalculated"), 3, FileType::float64, weights)}};
}

void add_cube_boundary(RawFile& file, int base, const std::string& family) {
    std::vector<double> nodes;
    std::vector<double> groups;
    std::vector<double> weights;
    for (int node = 0; node < 8; ++node) {
        for (int axis = 0; axis < 3; ++axis) {
            const bool high = (node >> axis & 1) == 1;
            nodes.push_back(node + base);
            groups.push_back(axis == 0 && high ? 4 : 1);
            for (int d = 0; d < 3; ++d) {
                weights.push_back(d != axis ? 0.0 : (high ? -0.25 : 0.25));
            }
        }
    }
    file.datasets.push_back(
        matrix("bnd_node-->node" + ending(family, ".renumbered"), 1, FileType::int32, nodes));
    file.datasets.push_back(matrix("bnd_node-->group", 1, FileType::int32, groups));
    file.datasets.push_back(matrix("bnd_node_weights", 3, FileType::float64, weights));
}

}  // namespace

RawFile cube_level(int base, const std::string& family) {
    RawFile file = cube_inside(base, family);
    add_cube_boundary(file, base, family);
    std::vector<double> parents;
    for (int node = 0; node < 8; ++node) {
        parents.push_back((node >> 2) + base);
    }
    file.datasets.push_back(
        matrix("node-->mg_node" + ending(family, ".renumbered"), 1, FileType::int32, parents));
    file.datasets.push_back(matrix("areas", 1, FileType::float64, std::vector<double>(8, 0.125)));
    return file;
}

RawFile pair_level(int base, const std::string& family) {
    const double b = base;
    return {
        {matrix("node_coordinates" + ending(family, ".renumbered"), 3, FileType::float64,
                {0.5, 0.5, 0, 0.5, 0.5, 1}),
         matrix("edge-->node" + ending(family, ".renumbered"), 2, FileType::int32, {b, b + 1}),
         matrix("edge_weights" + ending(family, ".recalculated"), 3, FileType::float64, {0, 0, 1}),
         matrix("bnd_node-->node" + ending(family, ".renumbered"), 1, FileType::int32, {b, b + 1}),
         matrix("bnd_node-->group", 1, FileType::int32, {1, 1}),
         matrix("bnd_node_weights", 3, FileType::float64, {0, 0, 1, 0, 0, -1}),
         matrix("areas", 1, FileType::float64, {0.5, 0.5})}};
}

namespace {

hid_t file_type(FileType type) {
    switch (type) {
        case FileType::int32:
            return H5T_STD_I32LE;
        case FileType::int64:
            return H5T_STD_I64LE;
        case FileType::float32:
            return H5T_IEEE_F32LE;
        case FileType::text:
            return H5T_C_S1;
        default:
            return H5T_IEEE_F64LE;
    }
}

void write_dataset(hid_t file, const RawDataset& one) {
    const std::vector<hsize_t> shape(one.shape.begin(), one.shape.end());
    const hid_t space =
        shape.empty() ? H5Screate(H5S_SCALAR)
                      : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    if (!one.chunk.empty()) {
        const std::vector<hsize_t> chunk(one.chunk.begin(), one.chunk.end());
        H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
        H5Pset_deflate(properties, 4);
    }
    const hid_t dataset = H5Dcreate2(file, one.name.c_str(), file_type(one.type), space,
                                     H5P_DEFAULT, properties, H5P_DEFAULT);
    const bool fits = static_cast<std::size_t>(std::max<hssize_t>(
                          0, H5Sget_simple_extent_npoints(space))) == one.values.size();
    if (one.stored && fits && one.type != FileType::text && dataset >= 0) {
        H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, one.values.data());
    }
    H5Dclose(dataset);
    H5Pclose(properties);
    H5Sclose(space);
}

}  // namespace

void write_file(const std::string& path, const RawFile& file, H5F_libver_t oldest) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, oldest, H5F_LIBVER_LATEST);
    const hid_t handle = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    for (const RawDataset& one : file.datasets) {
        write_dataset(handle, one);
    }
    H5Fclose(handle);
}

}  // namespace halocline::testing
