// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Dats of a program over time, in one VTKHDF file that ParaView opens while the program runs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "halocline/mesh/dat.hpp"
#include "halocline/runtime/runtime.hpp"

namespace halocline {

class ResultsFile;

namespace output {
class Snapshot;
}

/// Shapes of cells by the order of their corners, as VTK numbers them.
enum class CellShape : std::uint8_t {
    line = 3,
    triangle = 5,
    quadrilateral = 9,
    tetrahedron = 10,
    hexahedron = 12,
    prism = 13,
    pyramid = 14
};

/// Points with fields, written step after step:
///
///     halocline::Results results(runtime, "flow.vtkhdf", x, {.most_steps = 100});
///     results.add_cells(corners, CellShape::tetrahedron);
///     results.add_field(u);
///     ...
///     results.write(time);
///
/// `write` takes the values as they are and goes on; a thread of the runtime's writer puts them on the
/// disk, in the order of the declaration, whatever the ranks (HALOCLINE_IO says async or sync; the
/// files are the same). Everything is on the disk after `finish`, or at the end of the program.
/// All calls are collective. Runtime, mesh and dats outlive the object. Errors of writing are thrown by
/// `write` or `finish` on all ranks.
class Results {
public:
    /// What a file of results is like.
    struct Options {
        std::int64_t most_steps = 1000;    ///< room in the file; unused room is a hole in it
        std::string time_unit = "1";       ///< unit of the times that `write` gets; "1": none
        std::string compression = "none";  ///< of the fields: "deflate", "zstd" (docs/output.md)
        int compression_level = 0;         ///< 0: the usual one
    };

    /// Begins a file of results on the elements of the coordinates' set. Throws ContractError when
    /// `most_steps` is negative, and while other results of this program write the same file.
    /// @param path         of the file, replaced when it is there
    /// @param coordinates  of the points, (elements, 2 or 3)
    template <class Tag, int dim, class Storage>
    Results(Runtime& runtime, std::string path, const Dat<Tag, double, dim, Storage>& coordinates,
            Options options)
        : Results(runtime, std::move(path), coordinates.store(), std::move(options)) {
        static_assert(dim == 2 || dim == 3, "coordinates have 2 or 3 components");
    }
    ~Results();
    Results(const Results&) = delete;
    Results& operator=(const Results&) = delete;

    /// Adds cells whose corners the map gives, in VTK's order. Without any the points are shown. Throws
    /// ContractError for a map that leads to other points, or that has another number of corners than the
    /// shape, and after the first step.
    template <class From, class To, int arity>
    void add_cells(const Map<From, To, arity>& corners, CellShape shape) {
        add_cells(corners.in_mesh(), *corners.from, *corners.to, shape);
    }
    /// Adds a field: a dat of the points, (elements, dim), under its own name unless another is given.
    /// Throws ContractError for a dat of another set, for a temporary, for a second field of one name, and
    /// after the first step.
    template <class Tag, int dim, class Storage>
    void add_field(const Dat<Tag, double, dim, Storage>& dat, std::string unit = "1",
                   std::string name = "") {
        add_field(dat.handle(), std::move(unit), std::move(name));
    }

    /// Takes the fields as they are now, at `time` [time_unit], and goes on. The first call makes the file.
    /// Throws ContractError beyond `most_steps`, for a time that is no number, and for fields whose dat
    /// or mesh is gone, UsageError or EnvironmentError for a compression that is
    /// unknown or that this build lacks, RunError for what went wrong while earlier steps were written.
    void write(double time);
    /// Steps written so far.
    [[nodiscard]] std::int64_t steps() const { return steps_; }
    /// Returns when all that was written is on the disk.
    void finish();

private:
    Results(Runtime& runtime, std::string path, const DatStore& coordinates, Options options);
    void add_cells(const MapPart& map, const SetPart& from, const SetPart& to, CellShape shape);
    void add_field(const DatStore& dat, std::string unit, std::string name);
    void open(const std::vector<const DatStore*>& dats);
    struct Description;

    Runtime& runtime_;
    std::string path_;
    Options options_;
    std::unique_ptr<Description> description_;
    std::unique_ptr<output::Snapshot> snapshot_;
    std::shared_ptr<ResultsFile> file_;
    std::int64_t steps_ = 0;
};

}  // namespace halocline
