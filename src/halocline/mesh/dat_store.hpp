// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a dat has whatever its type: memory, layout, and which of its values are current where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "halocline/core/types.hpp"
#include "halocline/memory/space_buffer.hpp"
#include "halocline/mesh/derived_demand.hpp"
#include "halocline/mesh/part.hpp"
#include "halocline/mesh/raw_dat.hpp"

namespace halocline {

/// How dats are laid out: as the serial reference wants them, or as vectorised loops do.
enum class LayoutMode { plain, vector };

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
    Lifetime::Watch fetcher_alive;  ///< whether the device is still open
    SpaceBuffer values;             ///< memory on the device; empty until a loop there needs it
    Layout layout;                  ///< of the values there, which may differ from the host's
    bool host_current = true;       ///< whether the host's values are the newest
    bool device_current = false;    ///< whether the device's values are the newest
};

/// Of a dat that loops of one thread move to compact rows and back (moved_rows.hpp).
struct MovedRows {
    std::optional<Layout> asked;  ///< what the dat's type asks for, while its values lie in rows
    double loss_s = 0.0;  ///< what loops lost of late because the values do not lie the other way
    int times = 0;        ///< how often they moved to rows, but for visits
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
    MovedRows moved;  ///< whether the values lie in compact rows for a while, and why

    // In the library: each kind of dat would compile what a store is made of.
    /// A store without a set and without memory yet.
    DatStore();
    ~DatStore();
    DatStore(const DatStore&) = delete;
    DatStore& operator=(const DatStore&) = delete;
    /// Takes name and set.
    void place_on(const SetPart& part, std::string_view name_);

    /// The layout that the dat's type asks for. Memory is as large as this one needs, wherever values lie.
    [[nodiscard]] const Layout& asked_layout() const { return moved.asked ? *moved.asked : layout; }

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
    void require_set() const;

    /// Throws ContractError for a dat that has no values between chains.
    void require_values() const {
        if (temporary) {
            report_temporary();
        }
    }
    /// Throws the ContractError of `require_values`.
    [[noreturn]] void report_temporary() const;

    /// Gives the memory back for good: loops have copies of what lay there. Who asks for the values gets
    /// a ContractError.
    void end_values();

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
    /// Brings the host's copy up to date when the device has the current one. Throws ContractError where
    /// that device is closed.
    void fetch() {
        recall();
        if (!device.host_current) {
            fetch_from_device();
        }
    }

private:
    void fetch_from_device();
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

/// Throws the ContractError of handles that belong to no mesh, or to one that is gone; `what` they are,
/// and `how` to get one.
[[noreturn]] void report_no_mesh(const char* what, const char* how);
[[noreturn]] void report_mesh_gone(const char* what, const char* how);
/// Expires with the set, and so with the mesh that has it.
[[nodiscard]] inline Lifetime::Watch watch_of(const SetPart* set) noexcept {
    return set == nullptr ? Lifetime::Watch() : set->lifetime.watch();
}
/// Throws ContractError unless a handle's mesh is there: a handle that `points` nowhere had none.
inline void require_mesh(bool points, const Lifetime::Watch& alive, const char* what,
                         const char* how) {
    if (!points) {
        report_no_mesh(what, how);
    }
    if (alive.expired()) {
        report_mesh_gone(what, how);
    }
}
/// Throws ContractError where a dat was moved away, so that it has no store, or where its mesh is gone.
void require_usable(const DatStore* store);

}  // namespace detail

/// Exchanges the contents of two dats of one type; free of copies. Throws ContractError for dats of
/// different sets or layouts.
void swap_contents(DatStore& a, DatStore& b);

}  // namespace halocline
