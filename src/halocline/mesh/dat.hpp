// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Typed handles on one rank's part of a mesh: sets, maps and dats that know what they belong to. What
// a dat holds is in dat_store.hpp, how its values lie in dat_storage.hpp.
#pragma once

#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/core/types.hpp"
#include "halocline/core/values.hpp"
#include "halocline/mesh/dat_storage.hpp"
#include "halocline/mesh/dat_store.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline {

/// A set of one kind of element; `Tag` distinguishes kinds at compile time.
template <class Tag>
struct Set {
    const SetPart* part = nullptr;                   ///< this rank's part; owned by the mesh
    Lifetime::Watch alive = detail::watch_of(part);  ///< expires with the mesh

    /// The part. Throws ContractError when the handle belongs to no mesh, or to one that is gone.
    [[nodiscard]] const SetPart& in_mesh() const {
        detail::require_mesh(part != nullptr, alive, "set", "mesh.set<Tag>(name)");
        return *part;
    }
};

/// `arity` elements of a `To` set for each element of a `From` set.
template <class From, class To, int arity_>
struct Map {
    static constexpr int arity = arity_;  ///< targets of one element
    const MapPart* part = nullptr;        ///< this rank's rows; owned by the mesh
    const SetPart* from = nullptr;        ///< the set whose elements have the targets
    const SetPart* to = nullptr;          ///< the set of the targets
    /// expires with the mesh, which has the map and both sets
    Lifetime::Watch alive = detail::watch_of(from);

    /// The rows. Throws ContractError when the handle belongs to no mesh, or to one that is gone.
    [[nodiscard]] const MapPart& in_mesh() const {
        detail::require_mesh(part != nullptr && from != nullptr && to != nullptr, alive, "map",
                             "mesh.map<From, To, arity>(name)");
        return *part;
    }
};

/// `dim` values of type T for each element of a set: double, float, std::int64_t or std::int32_t.
/// Kernels see floating values as V and integers as Integer<V>, whatever their width here (floats are
/// widened when they are loaded and rounded when they are stored). Owns its memory; `swap` exchanges
/// contents.
/// A dat may move, into a growing vector for example: loops made with it before stay right, for its
/// store stays where it is. Use after that of what it was moved from, or of a dat whose mesh is gone,
/// throws ContractError; so does use of the values of a temporary.
template <class Tag_, class T, int dim_, class Storage_ = RowStorage>
class Dat {
    static_assert(Element<T>, "a dat holds double, float, std::int64_t or std::int32_t");
    static_assert(std::is_same_v<T, double> || !detail::has_derived<Storage_>,
                  "derived values are doubles beside doubles");

public:
    using Tag = Tag_;                 ///< kind of element of the set
    using Stored = T;                 ///< type of a value in memory
    using Storage = Storage_;         ///< how values are laid out for vectorised loops
    using Store = DatStoreOf<T>;      ///< memory and state
    static constexpr int dim = dim_;  ///< components of an element
    /// components and derived values of an element
    static constexpr int row_size = dim_ + detail::derived_size<Storage_>;

    /// Whether the layout is that of compact rows, as files and declarations have them.
    static constexpr bool is_compact(LayoutMode mode) {
        return mode == LayoutMode::plain || std::is_same_v<Storage_, RowStorage>;
    }

    /// Zeros, or no memory when `temporary`.
    Dat(Set<Tag> set, std::string_view name, LayoutMode mode, bool temporary = false)
        : Dat(set, name, mode, Buffer<double>{}) {
        store_->temporary = temporary;
        if (!temporary) {
            store_->allocate();
        }
    }

    /// Takes `values` as they lie: compact rows of T in words of eight bytes.
    Dat(Set<Tag> set, std::string_view name, LayoutMode mode, Buffer<double> values)
        : store_(std::make_unique<Store>()) {
        store_->dim = dim;
        store_->mode = mode;
        store_->layout = mode == LayoutMode::plain ? Layout::rows(dim) : Storage::layout(dim);
        store_->values = std::move(values);
        store_->place_on(set.in_mesh(), name);
    }

    /// The set that the dat lives on. Throws ContractError as all functions do, see above.
    [[nodiscard]] Set<Tag> set() const { return {handle().set}; }
    /// For code that reads values: they are current on the host. The next loop may move them, and change
    /// `layout`: `at` finds them, pointers into the store and its `raw()` are good until then.
    [[nodiscard]] const Store& store() const {
        valued().fetch();
        return *store_;
    }
    /// For code that changes values of owned elements, until the next loop: the next loop that reads
    /// the dat elsewhere sees them. All ranks call it together.
    [[nodiscard]] Store& change() {
        valued().fetch();
        store_->mark_changed();
        return *store_;
    }
    /// For code that moves or names a dat: values may be current on a device only. Who changes them
    /// without `change` answers for halos and copies; the check back end verifies them.
    [[nodiscard]] Store& handle() { return used(); }
    /// The same for code that changes nothing.
    [[nodiscard]] const Store& handle() const { return used(); }

    /// Exchanges the contents of two dats of the same kind on the same set; free of copies. Throws
    /// ContractError for dats of different sets or layouts.
    friend void swap(Dat& a, Dat& b) { swap_contents(a.used(), b.used()); }

    /// Sets all local elements from `value(local index, component)`. What it gives for halo elements
    /// does not count: they get their owners' values before a loop reads them. All ranks call it.
    template <class Function>
    requires(std::is_invocable_v<Function, LocalIndex, int>) void fill(Function&& value) {
        set_all(value);
        store_->mark_changed();
        refresh_derived();
    }
    /// The same values everywhere, halos included.
    void fill(const Values<T, dim>& row) {
        set_all([&](LocalIndex, int d) { return row[d]; });
        store_->mark_changed();
        store_->halo_valid = true;
        refresh_derived();
    }

    /// What loops read through absent entries of maps, until it is set again; `swap` takes it along.
    /// Throws ContractError where no map to the set may have absent entries. All ranks call it.
    void set_absent(const Values<T, dim>& row) {
        Store& store = used();
        store.require_absent();
        store.fetch();
        store.device.device_current = false;
        ++store.version;
        store.absent_stated = true;
        const LocalIndex place = store.set->absent_row();
        set_rows(place, place + 1, [&](LocalIndex, int d) { return row[d]; });
        refresh_derived(place, place + 1);
    }

private:
    friend class Mesh;

    /// The store, of a dat that has one on a mesh that is there.
    [[nodiscard]] Store& used() const {
        detail::require_usable(store_.get());
        return *store_;
    }
    /// The same, of a dat that has values between chains.
    [[nodiscard]] Store& valued() const {
        Store& store = used();
        store.require_values();
        return store;
    }

    template <class Function>
    void set_all(Function&& value) {
        set_rows(0, used().set->total, value);
    }
    template <class Function>
    void set_rows(LocalIndex begin, LocalIndex end, Function&& value) {
        Store& store = valued();
        store.recall();
        for (LocalIndex i = begin; i < end; ++i) {
            for (int d = 0; d < dim; ++d) {
                store.at(i, d) = value(i, d);
            }
        }
    }

    void refresh_derived() {
        refresh_derived(0, store_->set->total);
        store_->derived_valid = !store_->moved.asked;
    }
    void refresh_derived(LocalIndex begin, LocalIndex end) {
        if constexpr (detail::has_derived<Storage>) {
            if (store_->mode == LayoutMode::vector && !store_->moved.asked) {
                refresh_derived(*store_, begin, end);
            }
        }
    }

    static void refresh_derived(DatStore& store, LocalIndex begin,
                                LocalIndex end) requires detail::has_derived<Storage> {
        using Function = typename Storage::Function;
        for (LocalIndex i = begin; i < end; ++i) {
            double* row = &store.at(i, 0);
            Values<double, dim> components;
            for (int d = 0; d < dim; ++d) {
                components[d] = row[d];
            }
            Values<double, Function::size> derived;
            Function{}(components, derived);
            for (int d = 0; d < Function::size; ++d) {
                row[dim + d] = derived[d];
            }
        }
    }

    std::unique_ptr<Store> store_;  ///< stays where it is while the dat moves: loops point to it
};

}  // namespace halocline
