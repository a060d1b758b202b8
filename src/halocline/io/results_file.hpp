// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Fields over time on meshes with cells, as VTKHDF, which ParaView and VTK open while a run goes on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/core/file_stream.hpp"
#include "halocline/core/output_file.hpp"
#include "halocline/io/chunk_stream.hpp"
#include "halocline/io/field_rows.hpp"
#include "halocline/io/results_layout.hpp"

namespace halocline {

/// Makes the values of a field at `count` points of what is known there, a row a point.
using FieldFunction = void (*)(const double* rows, std::int64_t count, double* values);

/// One file a run: the meshes once, then step after step.
///
/// The file is laid out whole at the start, with holes for the steps to come, and has its name from then
/// on. A step counts when all its values are on the disk: then the numbers that say how many there are
/// are overwritten in place. So readers may open the file at any time, and a killed run leaves one with all
/// complete steps.
class ResultsFile {
public:
    /// When the file has its name: from the begin, or when it is full.
    enum class Appearance { at_once, when_full };

    /// Writes the meshes. Collective. Throws RunError on every rank when it cannot; then an older file
    /// is as it was. Calls no HDF5.
    ResultsFile(const Communicator& comm, const std::string& path,
                std::shared_ptr<const ResultsLayout> layout,
                Appearance appearance = Appearance::at_once);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::int64_t steps() const { return steps_; }
    [[nodiscard]] bool is_full() const { return steps_ == layout_->head().most_steps; }

    /// Writes all fields of a block, of the step in the making, each from the same rows. Collective.
    /// Throws RunError on every rank.
    void write_fields(const Communicator& comm, std::size_t block, const FieldRows& rows,
                      std::span<const FieldFunction> functions);
    /// Writes rows that are a field themselves. Collective. Throws RunError on every rank.
    void write_field(const Communicator& comm, std::size_t block, std::size_t field,
                     const FieldRows& rows);
    /// The step in the making is complete on this rank. Collective. Throws RunError on every rank when
    /// values did not reach the disk, or the file was removed or replaced meanwhile.
    void end_step(const Communicator& comm, std::int64_t step, double time);

private:
    [[nodiscard]] ByteSink& begin_field(std::size_t block, std::size_t field, BlockRange rows);

    std::string path_;
    std::shared_ptr<const ResultsLayout> layout_;
    Appearance appearance_;
    std::int64_t steps_ = 0;
    OutputFile file_;
    std::vector<FileStream> streams_;         ///< by field of the block in the making
    std::vector<ChunkStream> chunk_streams_;  ///< the same where fields are packed
};

}  // namespace halocline
