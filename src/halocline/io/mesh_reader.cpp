// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// First all files are opened and their sizes compared, then each rank reads its rows.
#include "halocline/io/mesh_reader.hpp"

#include "halocline/io/level_reader.hpp"

namespace halocline {

namespace {

using detail::LevelReader;

std::string level_suffix(std::size_t level) { return "_L" + std::to_string(level); }

}  // namespace

MgcfdMesh read_mgcfd_mesh(const Communicator& comm, const MgcfdInput& input,
                          const std::string& directory, const ReadOptions& options) {
    std::vector<std::shared_ptr<LevelReader>> readers;
    for (const std::string& file : input.level_files) {
        readers.push_back(std::make_shared<LevelReader>(comm, in_directory(directory, file),
                                                        options, input.base_array_index));
    }
    MgcfdMesh mesh;
    mesh.levels.resize(readers.size());
    mesh.deferred = std::make_shared<DeferredReads>();
    mesh.dimension = readers.front()->file().dimension();
    mesh.group_names = readers.front()->file().group_names();
    for (std::size_t level = 0; level < readers.size(); ++level) {
        readers[level]->declare(mesh.declaration, mesh.levels[level], level_suffix(level));
    }
    for (std::size_t level = 0; level + 1 < readers.size(); ++level) {
        readers[level]->declare_parents(mesh.declaration, mesh.levels[level],
                                        mesh.levels[level + 1], level_suffix(level));
    }
    mesh.deferred->hash.add(comm, mesh.declaration);
    if (!options.defer_edge_weights) {
        mesh.hash = mesh.deferred->hash.text(comm);
        return mesh;
    }
    for (std::size_t level = 0; level < readers.size(); ++level) {
        LevelReader::defer_edge_weights(readers[level], mesh.declaration, mesh.levels[level],
                                        level_suffix(level), mesh.deferred);
    }
    return mesh;
}

double finish_reading(const Communicator& comm, MgcfdMesh& mesh) {
    mesh.hash = mesh.deferred->hash.text(comm);
    return mesh.deferred->seconds;
}

}  // namespace halocline
