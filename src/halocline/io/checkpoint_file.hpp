// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a run continues from, in one file that does not depend on ranks, back end or order of elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/io/field_reader.hpp"
#include "halocline/io/field_rows.hpp"

namespace halocline {

/// What a checkpoint says of itself. Those that differ in the first three are of another run.
struct CheckpointHead {
    std::string program;          ///< the solver, as cases name it
    std::string settings;         ///< what else decides the steps to come
    std::string mesh_hash;        ///< see MeshHash
    std::int64_t step = 0;        ///< steps that are done
    std::vector<double> numbers;  ///< what the program keeps beside dats
};

/// `<prefix>checkpoint.step=<n>.h5`
[[nodiscard]] std::string checkpoint_path(const std::string& prefix, std::int64_t step);

/// Checkpoints with this prefix, newest first: that which was written last. Reads the folder on this rank.
[[nodiscard]] std::vector<std::string> find_checkpoints(const std::string& prefix);

/// The file that a checkpoint makes. Calls HDF5, as `write_checkpoint` does not.
/// @param shapes  of the dats, by the names of their datasets
[[nodiscard]] Hdf5Image checkpoint_image(const CheckpointHead& head,
                                         std::vector<Hdf5Image::Shape> shapes);

/// Writes a checkpoint, whole or not at all (see OutputFile), with checksums of all that is in it.
/// `rows` in the order of the image. Collective.
void write_checkpoint(const Communicator& comm, const std::string& path, const CheckpointHead& head,
                      const Hdf5Image& image, const std::vector<FieldRows>& rows);

/// Fills dats with the values of a checkpoint and returns its head. Collective.
///
/// @param expected  whose program, settings and mesh it must have
/// @throws InputError on every rank, naming the file: missing, no checkpoint, of another version, of
///         another run, damaged (checksums). Dats may have been changed then
[[nodiscard]] CheckpointHead read_checkpoint(const Communicator& comm, const std::string& path,
                                             const CheckpointHead& expected,
                                             const std::vector<FieldToRead>& dats);

}  // namespace halocline
