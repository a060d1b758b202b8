// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Fields over time on meshes with cells, as VTKHDF, which ParaView and VTK open while a run goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/core/file_stream.hpp"
#include "halocline/core/output_file.hpp"
#include "halocline/io/field_writer.hpp"
#include "halocline/io/hdf5_layout.hpp"

namespace halocline {

/// A quantity at the points of a block.
struct ResultField {
    std::string name;
    std::string unit;  ///< "" where it has none
    int components = 1;
};

/// Cells of one kind, by the numbers of their points (from 0).
struct CellSection {
    std::uint8_t vtk_type = 0;
    int points_a_cell = 1;
    std::int64_t count = 0;
    /// Gives the rows of a range, `points_a_cell` values each. Called on any rank, not collective.
    std::function<void(BlockRange, std::span<std::int64_t>)> read;
};

/// Points with fields, or, of a boundary, cells on the points of another block.
struct ResultBlock {
    std::string name;
    std::string points_of;    ///< the block whose points, fields and steps it has; empty: its own
    std::int64_t points = 0;  ///< of its own
    std::vector<ResultField> fields;
    std::vector<CellSection> cells;  ///< none: the points are shown
    /// Gives x, y, z of a range of points. Called on any rank, not collective.
    std::function<void(BlockRange, std::span<double>)> coordinates;
};

/// Makes the values of a field at `count` points of what is known there, a row a point.
using FieldFunction = void (*)(const double* rows, std::int64_t count, double* values);

struct ResultsHead {
    std::string solver;
    std::string mesh_hash;
    std::string time_unit;        ///< empty: time counts steps
    std::int64_t most_steps = 1;  ///< that the file has room for; unused room is a hole in it
};

/// One file a run: the meshes once, then step after step.
///
/// The file is laid out whole at the start, with holes for the steps to come, and has its name from then
/// on. A step counts when all its values are on the disk: then the numbers that say how many there are
/// are overwritten in place. So readers may open the file at any time, and a killed run leaves one with all
/// complete steps. (What VTK 9.7 wants of a file like that: docs/decisions/0053-results-as-vtkhdf.md.)
class ResultsFile {
public:
    /// Writes the meshes. Collective. Throws RunError on every rank when it cannot; then an older file
    /// is as it was.
    ResultsFile(const Communicator& comm, const std::string& path, const ResultsHead& head,
                const std::vector<ResultBlock>& blocks);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::int64_t steps() const { return steps_; }
    [[nodiscard]] bool is_full() const { return steps_ == most_steps_; }

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
    struct Place {
        std::int64_t points = 0;
        std::vector<std::uint64_t> fields;
        std::vector<int> components;
    };
    void begin_field(std::size_t block, std::size_t field, BlockRange rows);

    struct Counters {
        std::uint64_t steps;          ///< NSteps
        std::uint64_t values_extent;  ///< of Steps/Values
        std::uint64_t values;
        std::uint64_t numbers;
    };

    std::string path_;
    std::int64_t most_steps_;
    std::int64_t steps_ = 0;
    std::vector<Place> places_;
    std::vector<Counters> counters_;  ///< of blocks with steps of their own
    OutputFile file_;
    std::vector<FileStream> streams_;  ///< by field of the block in the making
};

}  // namespace halocline
