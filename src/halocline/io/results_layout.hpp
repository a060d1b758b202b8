// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a results file holds, and where in the file: VTKHDF, laid out whole before anything is written.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/io/compression.hpp"
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
    std::function<void(BlockRange, std::span<double>)> coordinates{};
    /// A file beside this one that has the mesh, in a block of the same name; empty: it is in this file.
    std::string mesh_file{};
};

struct ResultsHead {
    std::string solver;
    std::string mesh_hash;
    std::string time_unit;        ///< empty: time counts steps
    std::int64_t most_steps = 1;  ///< that the file has room for; unused room is a hole in it
    Compression compression{};    ///< of the fields
};

/// Places in a file for meshes, fields and steps.
///
/// The layout is VTKHDF 2.3, a block a level and a boundary (what VTK 9.7 wants of it:
/// docs/decisions/0053-results-as-vtkhdf.md). Files of one layout are alike but for their values. Making one
/// calls HDF5, so the main thread does that; nothing else here does.
class ResultsLayout {
public:
    /// Where the mesh of a block lies.
    struct Mesh {
        std::uint64_t points = 0;
        std::uint64_t connectivity = 0;
        std::uint64_t offsets = 0;
        std::uint64_t types = 0;
        StoredType index = StoredType::int32;  ///< of connectivity and offsets
    };
    struct Field {
        int components = 1;
        std::uint64_t place = 0;         ///< of its values, one step behind the other
        std::vector<ChunkPlace> chunks;  ///< in place of that, packed
    };
    struct Block {
        Mesh mesh;
        std::vector<Field> fields;
        std::int64_t step_rows =
            0;  ///< from one step to the next: whole chunks where there are some
    };
    /// Numbers of a block with steps of its own that change when one is complete.
    struct Counter {
        std::uint64_t steps;          ///< NSteps
        std::uint64_t values_extent;  ///< of Steps/Values
        std::uint64_t values;
        std::uint64_t numbers;
    };

    /// Throws RunError when a name cannot be one of HDF5.
    ResultsLayout(ResultsHead head, std::vector<ResultBlock> blocks);

    [[nodiscard]] const ResultsHead& head() const { return head_; }
    [[nodiscard]] const std::vector<ResultBlock>& described() const { return described_; }
    /// Forgets how meshes are read, which may keep them in memory: no further file will hold them.
    void release_meshes();
    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
    [[nodiscard]] const std::vector<Counter>& counters() const { return counters_; }
    [[nodiscard]] const Hdf5Image& image() const { return image_; }

private:
    struct Steps {
        Hdf5Layout::Slot count;
        Hdf5Layout::Growing values;
        std::uint64_t numbers;
    };
    [[nodiscard]] const ResultBlock& owner_of(const ResultBlock& block) const;
    void add_block(Hdf5Layout& layout, const ResultBlock& block, std::int64_t index);
    void add_mesh(Hdf5Layout& layout, const ResultBlock& block, const std::string& path);
    void add_fields(Hdf5Layout& layout, const ResultBlock& block, const std::string& path);
    void add_steps(Hdf5Layout& layout, const ResultBlock& block, const std::string& path);

    ResultsHead head_;
    std::vector<ResultBlock> described_;
    std::vector<Block> blocks_;
    std::vector<Steps> steps_;
    std::vector<std::vector<std::size_t>> chunked_;  ///< by block and field: number in the layout
    std::vector<Counter> counters_;
    Hdf5Image image_;
};

}  // namespace halocline
