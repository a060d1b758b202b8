// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One rank's mesh with access by name: checks that names, kinds and dimensions are what was declared.
#pragma once

#include <string>
#include <string_view>

#include "halocline/mesh/dat.hpp"
#include "halocline/mesh/part.hpp"
#include "halocline/mesh/subset.hpp"

namespace halocline {

/// Owns the local sets and maps; hands out typed handles. Not copyable. It may move: sets, maps and
/// dats stay valid, and belong to the mesh that it was moved to.
class Mesh {
public:
    /// Takes this rank's part of a distributed mesh; dats get the layout that `mode` names.
    /// `Runtime::distribute` does it for programs.
    Mesh(MeshPart part, LayoutMode mode);
    ~Mesh();
    Mesh(const Mesh&) = delete;
    Mesh& operator=(const Mesh&) = delete;
    // Vectors keep their elements where they are: that is what handles point to.
    Mesh(Mesh&&) noexcept;
    Mesh& operator=(Mesh&&) noexcept;

    /// The layout that dats of this mesh have.
    [[nodiscard]] LayoutMode layout_mode() const { return mode_; }

    /// The set declared under `name`. Throws ContractError naming the known sets where there is
    /// none.
    template <class Tag>
    [[nodiscard]] Set<Tag> set(std::string_view name) const {
        return {&part_.sets[find_set(name)]};
    }

    /// Throws ContractError when the map was declared with another arity.
    template <class From, class To, int arity>
    [[nodiscard]] Map<From, To, arity> map(std::string_view name) const {
        const MapPart& part = part_.maps[find_map(name, arity)];
        return {&part, &part_.sets[static_cast<std::size_t>(part.from)],
                &part_.sets[static_cast<std::size_t>(part.to)]};
    }

    /// A dat with the declared values; the mesh gives its copy away, so this works once a name.
    template <class Tag, class T, int dim, class Storage = RowStorage>
    [[nodiscard]] Dat<Tag, T, dim, Storage> take_dat(std::string_view name) {
        DatPart& part = part_.dats[find_dat(name, dim, element_type_of<T>)];
        const Set<Tag> set{&part_.sets[static_cast<std::size_t>(part.set)]};
        return laid_out<Storage>(Dat<Tag, T, dim>(set, part.name, mode_, std::move(part.values)));
    }

    /// The same values, halos included, as `Storage` has them. Dats that loops read through maps first
    /// and directly later are rows until then.
    template <class Storage, class Tag, class T, int dim>
    [[nodiscard]] Dat<Tag, T, dim, Storage> laid_out(Dat<Tag, T, dim> rows) const {
        using Result = Dat<Tag, T, dim, Storage>;
        auto& store = rows.handle();
        store.recall();
        if (Result::is_compact(mode_)) {
            return Result(rows.set(), store.name, mode_, std::move(store.values));
        }
        Result dat(rows.set(), store.name, mode_);
        const T* values = rows.store().data();
        dat.set_rows(0, rows.set().part->rows(), [&](LocalIndex i, int d) {
            return values[static_cast<std::size_t>(i) * dim + static_cast<std::size_t>(d)];
        });
        dat.refresh_derived();  // halos are as up to date as those of the rows
        dat.handle().halo_valid = store.halo_valid;
        dat.handle().absent_stated = store.absent_stated;
        return dat;
    }

    /// A dat of zeros.
    template <class Tag, class T, int dim, class Storage = RowStorage>
    [[nodiscard]] Dat<Tag, T, dim, Storage> make_dat(Set<Tag> set, std::string_view name) const {
        return Dat<Tag, T, dim, Storage>(set, name, mode_);
    }

    /// The global ids of a set's elements: their places in the file, from 0, as values that loops read
    /// directly or through maps; `absent` where a map has no target. Partition and renumbering do not
    /// change them. Throws ContractError when the ids were given back.
    template <class Tag>
    [[nodiscard]] Dat<Tag, std::int64_t, 1> make_ids(Set<Tag> set,
                                                     std::string_view name = "ids") const {
        set.in_mesh().require_ids();
        Dat<Tag, std::int64_t, 1> ids(set, name, mode_);
        ids.set_all([&](LocalIndex i, int) { return set.part->global_id(i); });
        if (set.part->has_absent) {
            ids.set_absent({absent});
        }
        return ids;
    }

    /// How many targets each row of a map has that are not absent; for rows of a ragged map, the
    /// length.
    template <class From, class To, int arity>
    [[nodiscard]] Dat<From, std::int32_t, 1> row_lengths(const Map<From, To, arity>& map,
                                                         std::string_view name = "lengths") const {
        const MapPart& rows = map.in_mesh();
        rows.require_rows();
        Dat<From, std::int32_t, 1> lengths(Set<From>{map.from}, name, mode_);
        lengths.fill([&](LocalIndex i, int) { return count_present(rows, *map.from, *map.to, i); });
        return lengths;
    }

    /// A dat that exists only between the loops of one chain: it starts at zero each time.
    template <class Tag, class T, int dim>
    [[nodiscard]] Dat<Tag, T, dim, TemporaryStorage> make_temporary(Set<Tag> set,
                                                                    std::string_view name) const {
        return Dat<Tag, T, dim, TemporaryStorage>(set, name, mode_, true);
    }

    /// For `make_subset`: `members` are local elements, ascending. Throws ContractError for a set of
    /// another mesh, which may end before this one.
    template <class Tag>
    [[nodiscard]] Subset<Tag> add_subset(Set<Tag> set, std::string_view name,
                                         const std::vector<LocalIndex>& members) {
        require_own(set.in_mesh(), name);
        subsets_.push_back(std::make_unique<detail::SubsetStore>(*set.part, name, members));
        return {subsets_.back().get()};
    }

    /// Gives the memory of a map back. What needs its rows afterwards throws ContractError: all loops
    /// through it but those that a plan is enough for (see `precompute_edges`).
    void release_map(std::string_view name);
    /// Releases the global ids of a set. Asking for one afterwards is a ContractError.
    void release_ids(std::string_view set);

private:
    /// Of an element that this rank executes; 0 of others, whose rows it has not.
    [[nodiscard]] static std::int32_t count_present(const MapPart& map, const SetPart& from,
                                                    const SetPart& to, LocalIndex element);
    /// Throws ContractError when the set that `subset` is to be of is not of this mesh.
    void require_own(const SetPart& set, std::string_view subset) const;
    [[nodiscard]] std::size_t find_set(std::string_view name) const;
    [[nodiscard]] std::size_t find_map(std::string_view name, int arity) const;
    [[nodiscard]] std::size_t find_dat(std::string_view name, int dim, ElementType type) const;

    MeshPart part_;
    LayoutMode mode_;
    std::vector<std::unique_ptr<detail::SubsetStore>> subsets_;
};

}  // namespace halocline
