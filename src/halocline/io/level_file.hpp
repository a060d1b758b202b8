// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Datasets of one level's file: whether they are there and fit, and each rank's rows of them.
#pragma once

#include <algorithm>
#include <map>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "halocline/core/error.hpp"
#include "halocline/io/group_names.hpp"
#include "halocline/io/hdf5.hpp"
#include "halocline/io/mesh_checks.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "halocline/io/text_file.hpp"

namespace halocline::detail {

/// Dataset names of the two families of mesh files.
struct DatasetNames {
    const char* coordinates;
    const char* edge_nodes;
    const char* edge_weights;
    const char* boundary_node;
    const char* parent;
    const char* boundary_group = "bnd_node-->group";
    const char* boundary_weights = "bnd_node_weights";
    const char* volumes = "areas";
};

inline constexpr DatasetNames default_names{"node_coordinates", "edge-->node", "edge_weights",
                                            "bnd_node-->node", "node-->mg_node"};
inline constexpr DatasetNames legacy_names{
    "node_coordinates.renumbered", "edge-->node.renumbered", "edge_weights.recalculated",
    "bnd_node-->node.renumbered", "node-->mg_node.renumbered"};

inline std::string names_in(const Hdf5File& file) {
    constexpr std::size_t most = 16;
    const std::vector<std::string> names = file.names();
    std::string text;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
        text += (i == 0 ? "" : ", ") + in_quotes(names[i]);
    }
    return names.empty() ? "nothing" : text + (names.size() > most ? ", …" : "");
}

/// All member functions are collective and throw the same error on every rank, unless they say otherwise.
class LevelFile {
public:
    /// `base`: of indices, 0 or 1.
    LevelFile(const Communicator& comm, const std::string& path, const ReadOptions& options,
              int base)
        : comm_(comm),
          file_(Hdf5File::open(comm, path, "mesh file")),
          options_(options),
          names_(options.legacy_mode ? legacy_names : default_names),
          base_(base) {}

    [[nodiscard]] const Communicator& comm() const { return comm_; }
    [[nodiscard]] const ReadOptions& options() const { return options_; }
    [[nodiscard]] const DatasetNames& names() const { return names_; }
    [[nodiscard]] const std::string& path() const { return file_.path(); }
    [[nodiscard]] bool has(const char* name) const { return file_.has(name); }
    [[nodiscard]] int dimension() const {
        return file_.integer("dimension").value_or(3) == 2 ? 2 : 3;
    }
    [[nodiscard]] std::map<std::int64_t, std::string> group_names() const {
        return read_group_names(file_);
    }

    [[nodiscard]] BlockRange block(GlobalIndex rows) const {
        return block_range(rows, comm_.rank(), comm_.size());
    }

    [[nodiscard]] DatasetPlace place_of(const char* name, int columns, BlockRange range) const {
        return {file_.path(), name, columns, range.begin};
    }

    [[nodiscard]] GlobalIndex size_of(const char* name, int columns, Hdf5Kind kind) const {
        GlobalIndex size = 0;
        run_agreed(comm_, [&] {
            size = static_cast<GlobalIndex>(checked(name, columns, kind).shape()[0]);
        });
        return size;
    }

    /// Not collective.
    void require_some(GlobalIndex size, const char* name, const std::string& what) const {
        validate<InputError>(size > 0, label(name) + " has no rows (a level needs " + what +
                                           "). Make the mesh again.");
    }

    void require_rows(const char* name, GlobalIndex rows, int columns, Hdf5Kind kind) const {
        run_agreed(comm_, [&] { (void)checked_rows(name, rows, columns, kind); });
    }

    [[nodiscard]] std::vector<double> reals(const char* name, GlobalIndex rows, int columns) const {
        return reals(name, rows, columns, block(rows));
    }
    [[nodiscard]] std::vector<double> reals(const char* name, GlobalIndex rows, int columns,
                                            BlockRange range) const {
        std::vector<double> values = load<double>(
            name, rows, columns, Hdf5Kind::real, range,
            [&](const auto& dataset, auto& into) { dataset.read(range, std::span<double>(into)); });
        if (options_.validate) {
            run_agreed(comm_, [&] { require_finite(values, place_of(name, columns, range)); });
        }
        return values;
    }

    /// Reads integers without a second array: 32-bit ones land in the upper half and are widened.
    [[nodiscard]] std::vector<GlobalIndex> integers(const char* name, GlobalIndex rows, int columns,
                                                    BlockRange range) const {
        return load<GlobalIndex>(
            name, rows, columns, Hdf5Kind::integer, range, [&](const auto& dataset, auto& into) {
                if (dataset.element_bytes() > sizeof(std::int32_t)) {
                    dataset.read(range, std::span<GlobalIndex>(into));
                    return;
                }
                auto* narrow = reinterpret_cast<std::int32_t*>(into.data()) + into.size();
                dataset.read(range, std::span<std::int32_t>(narrow, into.size()));
                widen_upper_half(into);
            });
    }

    [[nodiscard]] std::vector<GlobalIndex> indices(const char* name, GlobalIndex rows, int columns,
                                                   GlobalIndex targets,
                                                   const std::string& target) const {
        return indices(name, rows, columns, targets, target, block(rows));
    }
    [[nodiscard]] std::vector<GlobalIndex> indices(const char* name, GlobalIndex rows, int columns,
                                                   GlobalIndex targets, const std::string& target,
                                                   BlockRange range) const {
        std::vector<GlobalIndex> values = integers(name, rows, columns, range);
        run_agreed(comm_, [&] {
            rebase_indices(values, base_, targets, target, place_of(name, columns, range));
        });
        return values;
    }

private:
    [[nodiscard]] std::string label(const char* name) const {
        return "dataset '" + std::string(name) + "' of '" + file_.path() + "'";
    }

    [[nodiscard]] std::string missing_hint(const char* name) const {
        const std::string plain = std::string(name).substr(0, std::string(name).rfind('.'));
        if (options_.legacy_mode && plain != name && file_.has(plain)) {
            return "Run without --legacy-mode: the file has '" + plain + "'.";
        }
        return "The file has: " + names_in(file_) + ".";
    }

    /// Opens a dataset and checks its type and columns. Not collective.
    [[nodiscard]] Hdf5Dataset checked(const char* name, int columns, Hdf5Kind kind) const {
        if (!file_.has(name)) {
            throw InputError("mesh file '" + file_.path() + "' has no dataset '" + name + "'. " +
                             missing_hint(name));
        }
        Hdf5Dataset dataset = file_.dataset(name);
        if (dataset.kind() != kind) {
            throw InputError(label(name) + " has the wrong type (" +
                             (kind == Hdf5Kind::integer ? "integers" : "floating-point numbers") +
                             " are needed). Make the mesh again.");
        }
        const auto wanted = static_cast<hsize_t>(columns);
        const std::vector<hsize_t>& shape = dataset.shape();
        if (!(shape.size() == 2 && shape[1] == wanted) && !(shape.size() == 1 && columns == 1)) {
            throw InputError(label(name) + " has shape " + shape_text(shape) + ", not (rows, " +
                             std::to_string(columns) + "). Make the mesh again.");
        }
        dataset.require_stored();
        return dataset;
    }

    /// Opens a dataset of `rows` rows. Not collective.
    [[nodiscard]] Hdf5Dataset checked_rows(const char* name, GlobalIndex rows, int columns,
                                           Hdf5Kind kind) const {
        Hdf5Dataset dataset = checked(name, columns, kind);
        const auto found = static_cast<GlobalIndex>(dataset.shape()[0]);
        if (found != rows) {
            throw InputError(label(name) + " has " + std::to_string(found) + " rows, not " +
                             std::to_string(rows) +
                             " (its set has that many elements). Make the mesh again.");
        }
        return dataset;
    }

    /// Opens a dataset of `rows` rows, makes room for those of `range` and lets `read` fill it.
    template <class T, class Read>
    std::vector<T> load(const char* name, GlobalIndex rows, int columns, Hdf5Kind kind,
                        BlockRange range, Read&& read) const {
        std::vector<T> values;
        std::vector<Hdf5Dataset> opened;  // at most one: a dataset has no empty state
        run_agreed(comm_, [&] {
            opened.push_back(checked_rows(name, rows, columns, kind));
            try {
                values.resize(static_cast<std::size_t>(range.size() * columns));
            } catch (const std::length_error&) {
                throw std::bad_alloc();
            }
        });
        run_agreed(comm_, [&] { read(opened.front(), values); });
        return values;
    }

    Communicator comm_;
    Hdf5File file_;
    ReadOptions options_;
    const DatasetNames& names_;
    int base_;
};

}  // namespace halocline::detail
