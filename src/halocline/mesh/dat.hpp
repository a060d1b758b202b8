// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Typed handles on one rank's part of a mesh: sets, maps and dats that know what they belong to.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/core/types.hpp"
#include "halocline/core/values.hpp"
#include "halocline/memory/space_buffer.hpp"
#include "halocline/mesh/derived_demand.hpp"
#include "halocline/mesh/layout.hpp"
#include "halocline/mesh/part.hpp"

namespace halocline {

/// How dats are laid out: as the serial reference wants them, or as vectorised loops do.
enum class LayoutMode { plain, vector };

/// A set of one kind of element; `Tag` distinguishes kinds at compile time.
template <class Tag>
struct Set {
    const SetPart* part = nullptr;  ///< this rank's part; owned by the mesh
};

/// `arity` elements of a `To` set for each element of a `From` set.
template <class From, class To, int arity_>
struct Map {
    static constexpr int arity = arity_;  ///< targets of one element
    const MapPart* part = nullptr;        ///< this rank's rows; owned by the mesh
    const SetPart* from = nullptr;        ///< the set whose elements have the targets
    const SetPart* to = nullptr;          ///< the set of the targets
};

/// Compact rows: any use.
struct RowStorage {
    /// Layout of `dim` components.
    static Layout layout(int dim) { return Layout::rows(dim); }
};

/// Blocks of eight elements, component by component: cheapest for dats that are read and written
/// directly, expensive for dats read through maps.
struct LaneStorage {
    /// Layout of `dim` components.
    static Layout layout(int dim) { return Layout::lanes(dim); }
};

/// Rows of eight, or of several times eight: the components and what `Function` makes of them, from the
/// beginning of a cache line. Loops that read `derived(dat)` get both. Whoever writes the dat updates the
/// derived part, unless nobody read it the last time: then who reads it next does.
/// `Function` has `static constexpr int size` and `operator()(const Values<V, dim>&, Values<V, size>&)`.
template <class Function_>
struct DerivedStorage {
    /// Makes the derived values from the components.
    using Function = Function_;
    /// Values from one element to the next, a multiple of `simd_lanes`.
    static constexpr int row_stride(int dim) {
        return (dim + Function::size + simd_lanes - 1) / simd_lanes * simd_lanes;
    }
    /// Layout of `dim` components with the derived values behind them.
    static Layout layout(int dim) { return Layout::rows(row_stride(dim)); }
};

/// Values of a chain's temporaries: eight elements at a time in a thread's tile, or registers.
struct TemporaryStorage {
    /// Layout of `dim` components.
    static Layout layout(int dim) { return Layout::lanes(dim); }
};

struct DatStore;

/// Who brings the values of a dat back, from a device or from where they lie in another order.
class DatFetcher {
public:
    virtual ~DatFetcher() = default;
    /// Makes `store.values` current.
    virtual void fetch(DatStore& store) = 0;
};

/// A dat's copy on a device, and which of the two copies is current. Without a device the host's is.
struct DeviceCopy {
    DatFetcher* fetcher = nullptr;  ///< brings values back to the host; null without a device
    SpaceBuffer values;             ///< memory on the device; empty until a loop there needs it
    Layout layout;                  ///< of the values there, which may differ from the host's
    bool host_current = true;       ///< whether the host's values are the newest
    bool device_current = false;    ///< whether the device's values are the newest
};

/// Memory and state of a dat; what loops, halos and files share whatever its type.
struct DatStore {
    std::string name;                         ///< as messages, records and files show it
    std::uint64_t id = next_identity();       ///< what caches know the dat by
    const SetPart* set = nullptr;             ///< the set it lives on
    Lifetime lifetime;                        ///< for copies, which end with it
    Lifetime::Watch set_alive;                ///< of dats made by a mesh, whose sets it owns
    int dim = 1;                              ///< components of an element, without derived ones
    Layout layout;                            ///< where component d of element i lies in `values`
    LayoutMode mode = LayoutMode::plain;      ///< what the mesh's back end asked for
    ElementType type = ElementType::float64;  ///< of the values in `values`
    Buffer<double> values;      ///< memory in words of eight bytes; `DatStoreOf` reads it as values
    bool halo_valid = true;     ///< halo elements hold their owners' values
    bool derived_valid = true;  ///< derived components are those of the components beside them
    DerivedDemand derived_demand;  ///< whether who changes components makes derived ones at once
    std::uint64_t version = 0;     ///< grows with every change, so that copies know they are old
    bool temporary = false;        ///< lives within a chain of loops only
    bool absent_stated = false;    ///< the program said what absent targets read
    DeviceCopy device;             ///< the copy on a device, and which copy is current
    DatFetcher* keeper = nullptr;  ///< has the values while there is no memory for them here
    /// Brings derived components of the halo elements up to date after an exchange; set by the back
    /// end that stores them.
    void (*after_exchange)(DatStore&) = nullptr;
    /// What the dat's type asks for, while its values lie in compact rows instead (moved_rows.hpp).
    std::optional<Layout> asked_layout;
    double unease_s = 0.0;  ///< what loops lost of late because the values do not lie the other way

    /// Of dats of doubles, which all that says `DatStore` and no type has.
    [[nodiscard]] double& at(LocalIndex i, int d) {
        return values[static_cast<std::size_t>(layout.offset(i, d))];
    }
    /// Component `d` of local element `i`. Const: a copy of the value.
    [[nodiscard]] double at(LocalIndex i, int d) const {
        return values[static_cast<std::size_t>(layout.offset(i, d))];
    }
    /// The values on the host without their type; brings them back first.
    [[nodiscard]] RawDat raw() {
        recall();
        return {values.data(), dim, layout, type};
    }
    /// For code that only reads, though the type would let it write.
    [[nodiscard]] RawDat raw() const { return const_cast<DatStore&>(*this).raw(); }
    /// The values on the device, which has memory for them.
    [[nodiscard]] RawDat raw_on_device() const {
        return {reinterpret_cast<double*>(device.values.data()), dim, device.layout, type};
    }

    /// Throws ContractError when the mesh that has the dat's set is gone.
    void require_set() const {
        if (set_alive.expired()) {
            report_lost_set();
        }
    }
    /// Throws the ContractError of `require_set`.
    [[noreturn]] void report_lost_set() const;

    /// Throws ContractError when the dat has the layout of the serial back end.
    void require_vector_layout() const {
        if (mode != LayoutMode::vector) {
            report_plain_layout();
        }
    }
    /// Throws the ContractError of `require_vector_layout`.
    [[noreturn]] void report_plain_layout() const;

    /// Bytes of one element's values, as they are stored and sent.
    [[nodiscard]] std::size_t row_bytes() const {
        return bytes_of(type) * static_cast<std::size_t>(dim);
    }

    /// Gets memory, set to zero by the threads that will work on it.
    void allocate();

    /// Throws ContractError when no map to the dat's set may have absent entries.
    void require_absent() const;

    /// Notes that a loop changed owned values on the host, derived ones with them.
    void mark_written() {
        halo_valid = set->is_replicated;
        device.device_current = false;
        ++version;
    }

    /// Notes that code that is no loop changes owned values, which are current on the host: halos,
    /// derived values and the device's copy are old. All ranks note the same.
    void mark_changed() {
        mark_written();
        derived_valid = false;
        device.host_current = true;
    }

    /// Gets memory and values back from who has them in another order. Of this rank alone.
    void recall() {
        if (keeper != nullptr) {
            keeper->fetch(*this);
        }
    }
    /// Brings the host's copy up to date when the device has the current one.
    void fetch() {
        recall();
        if (!device.host_current) {
            device.fetcher->fetch(*this);
        }
    }
};

/// The store of a dat of values of type T. Its `at` hides that for doubles.
template <Element T>
struct DatStoreOf : DatStore {
    /// A store without a set and without memory yet.
    DatStoreOf() { type = element_type_of<T>; }

    /// The values, in `layout`.
    [[nodiscard]] T* data() { return reinterpret_cast<T*>(values.data()); }
    /// The values, in `layout`.
    [[nodiscard]] const T* data() const { return reinterpret_cast<const T*>(values.data()); }
    /// Component `d` of local element `i`.
    [[nodiscard]] T& at(LocalIndex i, int d) { return data()[layout.offset(i, d)]; }
    /// Component `d` of local element `i`.
    [[nodiscard]] T at(LocalIndex i, int d) const { return data()[layout.offset(i, d)]; }
};

namespace detail {

template <class Storage>
inline constexpr bool has_derived = false;
template <class Function>
inline constexpr bool has_derived<DerivedStorage<Function>> = true;

[[noreturn]] void report_moved_dat();

/// Throws ContractError for dats that one another's memory does not fit.
void require_swappable(const DatStore& a, const DatStore& b);

template <class Storage>
inline constexpr int derived_size = 0;
template <class Function>
inline constexpr int derived_size<DerivedStorage<Function>> = Function::size;

}  // namespace detail

/// `dim` values of type T for each element of a set: double, float, std::int64_t or std::int32_t.
/// Kernels see floating values as V and integers as Integer<V>, whatever their width here (floats are
/// widened when they are loaded and rounded when they are stored). Owns its memory; `swap` exchanges
/// contents.
/// A dat may move, into a growing vector for example: loops made with it before stay right, for its
/// store stays where it is. Use after that of what it was moved from, or of a dat whose mesh is gone,
/// throws ContractError.
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
    Dat(Set<Tag> set, std::string name, LayoutMode mode, bool temporary = false)
        : Dat(set, std::move(name), mode, Buffer<double>{}) {
        store_->temporary = temporary;
        if (!temporary) {
            store_->allocate();
        }
    }

    /// Takes `values` as they lie: compact rows of T in words of eight bytes.
    Dat(Set<Tag> set, std::string name, LayoutMode mode, Buffer<double> values)
        : store_(std::make_unique<Store>()) {
        store_->name = std::move(name);
        store_->set = set.part;
        store_->set_alive = set.part->lifetime.watch();
        store_->dim = dim;
        store_->mode = mode;
        store_->layout = mode == LayoutMode::plain ? Layout::rows(dim) : Storage::layout(dim);
        store_->values = std::move(values);
    }

    /// The set that the dat lives on. Throws ContractError as all functions do, see above.
    [[nodiscard]] Set<Tag> set() const { return {handle().set}; }
    /// For code that reads values: they are current on the host. The next loop may move them: ask again.
    [[nodiscard]] const Store& store() const {
        used().fetch();
        return *store_;
    }
    /// For code that changes values of owned elements, until the next loop: the next loop that reads
    /// the dat elsewhere sees them. All ranks call it together.
    [[nodiscard]] Store& change() {
        used().fetch();
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
    friend void swap(Dat& a, Dat& b) {
        DatStore& x = a.used();
        DatStore& y = b.used();
        detail::require_swappable(x, y);
        x.recall();
        y.recall();
        std::swap(x.values, y.values);
        std::swap(x.layout, y.layout);
        std::swap(x.asked_layout, y.asked_layout);
        std::swap(x.unease_s, y.unease_s);
        std::swap(x.device, y.device);
        std::swap(x.halo_valid, y.halo_valid);
        std::swap(x.derived_valid, y.derived_valid);
        std::swap(x.derived_demand, y.derived_demand);
        std::swap(x.absent_stated, y.absent_stated);
        ++x.version;
        ++y.version;
    }

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
        if (store_ == nullptr) {
            detail::report_moved_dat();
        }
        store_->require_set();
        return *store_;
    }

    template <class Function>
    void set_all(Function&& value) {
        set_rows(0, used().set->total, value);
    }
    template <class Function>
    void set_rows(LocalIndex begin, LocalIndex end, Function&& value) {
        Store& store = used();
        store.recall();
        for (LocalIndex i = begin; i < end; ++i) {
            for (int d = 0; d < dim; ++d) {
                store.at(i, d) = value(i, d);
            }
        }
    }

    void refresh_derived() {
        refresh_derived(0, store_->set->total);
        store_->derived_valid = !store_->asked_layout;
    }
    void refresh_derived(LocalIndex begin, LocalIndex end) {
        if constexpr (detail::has_derived<Storage>) {
            if (store_->mode == LayoutMode::vector && !store_->asked_layout) {
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
