// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/runtime/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/io/field_rows.hpp"
#include "halocline/io/results_file.hpp"
#include "halocline/mesh/watched_dat.hpp"
#include "halocline/output/writer.hpp"

namespace halocline {

namespace {

/// The one right of this process to write a file.
class Claim {
public:
    /// Throws ContractError while another one has it.
    explicit Claim(const std::string& path) : name_(name_on_disk(path)) {
        validate<ContractError>(claimed().insert(name_).second,
                                "'" + path +
                                    "' is written by other results of this program (both would "
                                    "write its steps). Give them a file each, or end the first.");
    }
    ~Claim() { claimed().erase(name_); }
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

private:
    static std::set<std::string>& claimed() {
        static std::set<std::string> names;
        return names;
    }
    /// One name for a file, however it was given.
    static std::string name_on_disk(const std::string& path) {
        std::error_code unknown;
        const auto whole = std::filesystem::weakly_canonical(path, unknown);
        return unknown ? path : whole.string();
    }

    std::string name_;
};

}  // namespace

struct Results::Description {
    explicit Description(const std::string& path) : claim(path) {}

    Claim claim;
    const SetPart* points = nullptr;
    Lifetime::Watch points_alive;  ///< another mesh's set may come to lie where they were
    ResultBlock block;
    std::vector<WatchedDat> dats;
    std::int64_t bytes = 0;

    [[nodiscard]] bool has_points(const SetPart& set) const {
        return &set == points && !points_alive.expired();
    }
    /// All of them. Throws ContractError when one, or its mesh, is gone.
    [[nodiscard]] std::vector<const DatStore*> dats_for(const std::string& user) const {
        std::vector<const DatStore*> all;
        for (const WatchedDat& dat : dats) {
            all.push_back(&dat.get(user));
        }
        return all;
    }
};

namespace {

/// This rank's block of the rows of a dat, in file order.
template <class T>
std::vector<T> block_of(const Communicator& comm, const RowPattern& pattern, const RawDat& dat) {
    std::vector<T> rows(static_cast<std::size_t>(pattern.block().size() * dat.dim));
    std::byte* next = reinterpret_cast<std::byte*>(rows.data());
    for_rows_in_order(
        comm, {"", &pattern, dat}, [&](std::int64_t) { return next; },
        [&](std::int64_t, std::span<const std::byte> filled) { next += filled.size(); });
    return rows;
}

struct ShapeText {
    const char* name;
    int corners;
};

ShapeText text_of(CellShape shape) {
    switch (shape) {
        case CellShape::line:
            return {"line", 2};
        case CellShape::triangle:
            return {"triangle", 3};
        case CellShape::quadrilateral:
            return {"quadrilateral", 4};
        case CellShape::tetrahedron:
            return {"tetrahedron", 4};
        case CellShape::hexahedron:
            return {"hexahedron", 8};
        case CellShape::prism:
            return {"prism", 6};
        case CellShape::pyramid:
            return {"pyramid", 5};
    }
    return {"unknown", 0};
}

/// A file of such cells would show what is no mesh.
void require_corners(const MapPart& map, CellShape shape) {
    const ShapeText text = text_of(shape);
    validate<ContractError>(map.arity == text.corners,
                            "map '" + map.name + "' gives no cells of shape " + text.name +
                                " (it has " + std::to_string(map.arity) +
                                " corners a cell, the shape " + std::to_string(text.corners) +
                                "). Name the shape of its cells.");
}

}  // namespace

Results::Results(Runtime& runtime, std::string path, const DatStore& coordinates, Options options)
    : runtime_(runtime),
      path_(std::move(path)),
      options_(std::move(options)),
      description_(std::make_unique<Description>(path_)) {
    validate<ContractError>(options_.most_steps >= 0,
                            "'" + path_ + "' cannot have room for " +
                                std::to_string(options_.most_steps) +
                                " steps (Results::Options::most_steps). Ask for at least one.");
    const SetPart& set = *coordinates.set;
    const Communicator& comm = runtime.comm();
    description_->points = &set;
    description_->points_alive = set.lifetime.watch();
    const int dim = coordinates.dim;
    auto rows = std::make_shared<std::vector<double>>(
        block_of<double>(comm, runtime.writer().patterns().of(set), coordinates.raw()));
    const std::int64_t first = block_range(set.global_size, comm.rank(), comm.size()).begin;
    ResultBlock& block = description_->block;
    block.name = set.name;
    block.points = set.global_size;
    block.coordinates = [rows, first, dim](BlockRange range, std::span<double> xyz) {
        std::fill(xyz.begin(), xyz.end(), 0.0);
        for (std::int64_t i = range.begin; i < range.end; ++i) {
            std::copy_n(rows->begin() + (i - first) * dim, dim,
                        xyz.begin() + 3 * (i - range.begin));
        }
    };
}

/// Also while an error is on its way out: steps before it are on the disk, and nothing that they come from
/// ends before. Ranks that fail alone wait for no others here: these have been handed the same steps.
Results::~Results() { runtime_.writer().drain(); }

void Results::add_cells(const MapPart& map, const SetPart& from, const SetPart& to,
                        CellShape shape) {
    require_corners(map, shape);
    validate<ContractError>(file_ == nullptr,
                            "cells of map '" + map.name + "' come too late for '" + path_ +
                                "' (its first step was written, and the mesh with it). Add them "
                                "before the first step.");
    validate<ContractError>(description_->has_points(to),
                            "cells of map '" + map.name + "' have corners in set '" + to.name +
                                "', not in '" + description_->block.name +
                                "' of the coordinates. Give a map to that set.");
    const Communicator& comm = runtime_.comm();
    Buffer<double> ids(static_cast<std::size_t>(from.owned) * static_cast<std::size_t>(map.arity));
    auto* const numbers = reinterpret_cast<std::int64_t*>(ids.data());
    for (std::size_t k = 0; k < ids.size(); ++k) {
        numbers[k] = to.global_id(map.targets[k]);
    }
    auto rows = std::make_shared<std::vector<std::int64_t>>(block_of<std::int64_t>(
        comm, RowPattern(comm, from),
        {ids.data(), map.arity, Layout::rows(map.arity), ElementType::int64}));
    const std::int64_t first = block_range(from.global_size, comm.rank(), comm.size()).begin;
    const int arity = map.arity;
    description_->block.cells.push_back(
        {static_cast<std::uint8_t>(shape), arity, from.global_size,
         [rows, first, arity](BlockRange range, std::span<std::int64_t> into) {
             std::copy_n(rows->begin() + (range.begin - first) * arity, into.size(), into.begin());
         }});
}

void Results::add_field(const DatStore& dat, std::string unit, std::string name) {
    validate<ContractError>(
        description_->has_points(*dat.set) && !dat.temporary && file_ == nullptr,
        "dat '" + dat.name + "' cannot be a field of '" + path_ +
            "' (fields lie on the points of the coordinates, are no "
            "temporaries, and are added before the first step).");
    if (name.empty()) {
        name = dat.name;
    }
    std::vector<ResultField>& fields = description_->block.fields;
    validate<ContractError>(
        std::none_of(fields.begin(), fields.end(),
                     [&](const ResultField& field) { return field.name == name; }),
        "two fields of '" + path_ + "' have the name '" + name +
            "' (one would be lost). Give one another: add_field(dat, unit, name).");
    fields.push_back({std::move(name), std::move(unit), dat.dim});
    description_->dats.emplace_back(dat);
    description_->bytes += dat.set->global_size * static_cast<std::int64_t>(dat.row_bytes());
}

void Results::open(const std::vector<const DatStore*>& dats) {
    const Compression compression =
        make_compression(options_.compression, options_.compression_level);
    require_available(compression);
    snapshot_ = runtime_.writer().make_snapshot("pack_results", dats,
                                                compression.is_on() ? compression.chunk_rows : 1);
    ResultsHead head;
    head.compression = compression;
    head.time_unit = options_.time_unit;
    head.most_steps = options_.most_steps;
    const auto layout =
        std::make_shared<ResultsLayout>(head, std::vector<ResultBlock>{description_->block});
    file_ = std::make_shared<ResultsFile>(runtime_.comm(), path_, layout);
    layout->release_meshes();
    description_->block.coordinates = nullptr;
    description_->block.cells.clear();
}

void Results::write(double time) {
    runtime_.enter(fmt::format("writes time {} of '{}'", time, path_));
    validate<ContractError>(std::isfinite(time),
                            "a step of '" + path_ + "' has time " + std::to_string(time) +
                                " (readers order steps by their times). Give it a finite one.");
    validate<ContractError>(steps_ < options_.most_steps,
                            "'" + path_ + "' has room for " + std::to_string(options_.most_steps) +
                                " steps (Results::Options::most_steps). Ask for more.");
    const std::vector<const DatStore*> dats = description_->dats_for("'" + path_ + "'");
    if (file_ == nullptr) {
        open(dats);
    }
    output::Writer& writer = runtime_.writer();
    writer.require_sound(runtime_.comm());
    ++steps_;
    writer.write(*snapshot_, description_->bytes,
                 [file = file_, step = steps_, time](const Communicator& comm,
                                                     const std::vector<FieldRows>& rows) {
                     for (std::size_t field = 0; field < rows.size(); ++field) {
                         file->write_field(comm, 0, field, rows[field]);
                     }
                     file->end_step(comm, step, time);
                     return std::string();
                 });
}

void Results::finish() {
    runtime_.enter("finishes '" + path_ + "'");
    runtime_.writer().finish();
}

}  // namespace halocline
