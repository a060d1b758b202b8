// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A mesh as it is declared: whole sets, and each rank's block of the maps and dats.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "halocline/core/element_type.hpp"
#include "halocline/core/types.hpp"

namespace halocline {

/// A set of `size` elements over all ranks.
struct SetDeclaration {
    std::string name;            ///< unique among sets
    GlobalIndex size = 0;        ///< elements over all ranks
    bool is_replicated = false;  ///< see MeshDeclaration::add_replicated_set
};

/// `arity` elements of set `to` for each element of set `from`.
struct MapDeclaration {
    std::string name;  ///< unique among maps
    int from = 0;      ///< index into MeshDeclaration::sets
    int to = 0;        ///< index into MeshDeclaration::sets
    int arity = 1;     ///< targets of one element
    /// (block of `from`, arity), row-major, global indices; the block is `block_range(size, rank, ranks)`.
    std::vector<GlobalIndex> targets;
    bool may_be_absent = false;  ///< whether `absent` may stand among the targets
};

/// Values of any type that dats hold; the alternative is the type.
using DatValues = std::variant<std::vector<double>, std::vector<float>, std::vector<std::int64_t>,
                               std::vector<std::int32_t>>;

/// Reads the values of a dat when there is room for them, so that they need none while the mesh is
/// divided.
class DeferredValues {
public:
    virtual ~DeferredValues() = default;
    /// This rank's block. Called by all ranks together, once.
    [[nodiscard]] virtual DatValues read() = 0;
};

/// Values that `read()` brings, for `MeshDeclaration::add_deferred_dat`.
template <class Read>
requires(std::is_invocable_r_v<DatValues, Read&>)
    [[nodiscard]] std::shared_ptr<DeferredValues> deferred_values(Read read) {
    struct FromFunction final : DeferredValues {
        explicit FromFunction(Read function) : function_(std::move(function)) {}
        DatValues read() override { return function_(); }
        Read function_;
    };
    return std::make_shared<FromFunction>(std::move(read));
}

/// `dim` values for each element of a set.
struct DatDeclaration {
    std::string name;                          ///< unique among dats
    int set = 0;                               ///< index into MeshDeclaration::sets
    int dim = 1;                               ///< components of an element
    DatValues values;                          ///< (block of the set, dim), row-major
    std::shared_ptr<DeferredValues> deferred;  ///< brings the values; null: `values` holds them

    /// The values of a dat of doubles, coordinates for example. Throws ContractError for other types.
    [[nodiscard]] std::vector<double>& doubles();
    /// The same, to read. Throws ContractError for other types.
    [[nodiscard]] const std::vector<double>& doubles() const;
    /// Number and bytes of the values that are here.
    [[nodiscard]] std::size_t count() const;
    /// Bytes of the values that are here.
    [[nodiscard]] std::size_t size_bytes() const;
    /// Gives the values away, reading them first where that was put off. Collective then. Throws
    /// ContractError when that brings not `count` of them.
    [[nodiscard]] DatValues take_values(std::size_t count);
};

/// Everything a program says about its mesh before it is distributed.
struct MeshDeclaration {
    std::vector<SetDeclaration> sets;  ///< in the order of their indices
    std::vector<MapDeclaration> maps;  ///< in the order of their indices
    std::vector<DatDeclaration> dats;  ///< in the order of their indices
    std::vector<int> coordinates;      ///< dats that say where elements lie, at most one on a set

    // In the library: programs that declare a mesh would each compile what it is made of.
    /// Nothing declared yet.
    MeshDeclaration();
    ~MeshDeclaration();
    /// A copy, values included.
    MeshDeclaration(const MeshDeclaration&);
    MeshDeclaration& operator=(const MeshDeclaration&);
    MeshDeclaration(MeshDeclaration&&) noexcept;
    MeshDeclaration& operator=(MeshDeclaration&&) noexcept;

    /// Adds a set and returns its index. Names are unique.
    int add_set(std::string_view name, GlobalIndex size);
    /// The same for a small set that every rank has whole, and computes by itself: its loops exchange no
    /// halos, its reductions are not joined over ranks. Its maps and dats are declared by blocks like all
    /// others. Loops over it change it alone, and other loops only read it.
    int add_replicated_set(std::string_view name, GlobalIndex size);
    /// Adds a map and returns its index; `targets` is this rank's block of rows.
    int add_map(std::string_view name, int from, int to, int arity,
                std::vector<GlobalIndex> targets);
    /// The same where a target may be `absent`. What loops add there is dropped; what they read there
    /// is what `Dat::set_absent` says.
    int add_optional_map(std::string_view name, int from, int to, int arity,
                         std::vector<GlobalIndex> targets);
    /// The same from rows of different length: row i of this rank's block has the targets
    /// targets[offsets[i]] to targets[offsets[i + 1]], at most `most` of them, which becomes the map's
    /// arity; `absent` follows them. Throws ContractError when offsets and targets do not fit each
    /// other, and InputError when a row is longer.
    int add_ragged_map(std::string_view name, int from, int to, int most,
                       const std::vector<std::int64_t>& offsets,
                       const std::vector<GlobalIndex>& targets);
    /// Adds a dat and returns its index; `values` is this rank's block of rows.
    template <Element T>
    int add_dat(std::string_view name, int set, int dim, std::vector<T> values);
    /// The same for values in braces, which are doubles.
    int add_dat(std::string_view name, int set, int dim, std::vector<double> values);
    /// The same for values whose type is known at run time.
    int add_values(std::string_view name, int set, int dim, DatValues values);
    /// The same for 1 to 3 coordinates of each element, by which the mesh may be divided and ordered.
    int add_coordinates(std::string_view name, int set, int dim, std::vector<double> values);
    /// The same with values that are read later; not for coordinates, which divide and order.
    int add_deferred_dat(std::string_view name, int set, int dim,
                         std::shared_ptr<DeferredValues> values);
};

}  // namespace halocline
