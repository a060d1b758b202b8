// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What loops need on a device besides dats: rows, maps, constants in row order. Made at first use.
#pragma once

#include <deque>
#include <vector>

#include "halocline/backend/device/plans/incidence.hpp"
#include "halocline/mesh/dat_store.hpp"

namespace halocline::device {

/// Memory on the device with the same bytes as a host array.
class DeviceArray {
public:
    DeviceArray() = default;
    template <class T>
    DeviceArray(Device& device, const Buffer<T>& values)
        : memory_(MemoryKind::device, values.size() * sizeof(T), &device) {
        if (!values.empty()) {
            copy_now(device, memory_.data(), values.data(), values.size() * sizeof(T),
                     CopyDirection::to_device);
        }
    }
    template <class T>
    [[nodiscard]] T* as() const {
        return reinterpret_cast<T*>(memory_.data());
    }

private:
    SpaceBuffer memory_;
};

/// Rows on both sides: the host's serve to make copies in row order.
struct Rows {
    HostIncidence host;
    DeviceArray begin;
    DeviceArray length;
    DeviceArray element;
    DeviceArray column;
    DeviceArray places;
    DeviceArray tiles;
    DeviceArray sources;
    DeviceArray reused;

    Rows(Device& device, HostIncidence rows);
    [[nodiscard]] IncidenceView view() const;
};

/// Made at first use and kept: addresses stay as long as the tables. All calls copy to the device when
/// they make something, and wait; they throw EnvironmentError when the device is full.
class Tables {
public:
    /// `device` outlives the tables.
    explicit Tables(Device& device) : device_(device) {}

    /// Rows of the owned elements of `to` by `columns` of maps from `from`; see `build_incidence`, also for
    /// errors.
    [[nodiscard]] const Rows& rows(const SetPart& from, const SetPart& to,
                                   const std::vector<MapColumn>& columns,
                                   const std::vector<LocalIndex>& order);
    /// Rows of the map in device memory: (elements, arity), row-major.
    [[nodiscard]] const LocalIndex* targets(const MapPart& map);
    /// The dat's values, doubles or floats, by first use in two-ended rows: (elements, dim), row-major.
    /// Made again, from the host's values, when the dat has changed.
    [[nodiscard]] const double* in_row_order(const Rows& rows, DatStore& dat);
    /// Seconds that making all of it took.
    [[nodiscard]] double build_seconds() const { return build_s_; }

private:
    struct RowsEntry {
        std::uint64_t from;
        std::uint64_t to;
        std::vector<std::pair<std::uint64_t, int>> columns;
        Rows rows;
    };
    struct MapEntry {
        std::uint64_t map;
        DeviceArray targets;
    };
    struct CopyEntry {
        const Rows* rows;
        std::uint64_t store;
        std::uint64_t version;
        DeviceArray values;
    };

    Device& device_;
    std::deque<RowsEntry> rows_;
    std::deque<MapEntry> maps_;
    std::deque<CopyEntry> copies_;
    double build_s_ = 0.0;
};

}  // namespace halocline::device
