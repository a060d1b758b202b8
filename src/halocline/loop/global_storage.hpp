// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where the values of a global are: on the host, on a device, or on both.
#pragma once

#include "halocline/core/lifetime.hpp"

namespace halocline {

struct GlobalStorage;

/// Fetches, copies and releases globals on a device. Globals may outlive it.
class GlobalFetcher {
public:
    GlobalFetcher() = default;
    GlobalFetcher(const GlobalFetcher&) = delete;
    GlobalFetcher& operator=(const GlobalFetcher&) = delete;
    virtual ~GlobalFetcher() = default;
    /// Copies the `dim` values of a place to the host.
    virtual void fetch(int place, double* values, int dim) = 0;
    /// Gives another global the `dim` values of a place, at a place of its own.
    virtual void copy(int place, GlobalStorage& to, int dim) = 0;
    /// Releases the place of a global.
    virtual void release(int place, int dim) noexcept = 0;
    /// Expires when the device is closed.
    [[nodiscard]] Lifetime::Watch watch() const noexcept { return lifetime_.watch(); }

private:
    Lifetime lifetime_;
};

/// The place of one global on a device, released with the global. Empty without a device.
struct GlobalStorage {
    GlobalFetcher* fetcher = nullptr;  ///< null while the global is on the host alone
    Lifetime::Watch fetcher_alive;     ///< whether the device is still open
    int place = -1;                    ///< on the device; -1: none
    int dim = 0;                       ///< number of values
    mutable bool host_current = true;  ///< whether the host's values are the newest
    bool device_current = false;       ///< whether the device's values are the newest
    Lifetime lifetime;                 ///< of the global: loops point to where it is

    GlobalStorage() = default;
    /// A copy is a global of its own, with the newest values, wherever they are. Moving copies, too: loops
    /// do not follow a global, so what it was moved from keeps place and values for them, as on cores.
    GlobalStorage(const GlobalStorage& other) { take_values(other); }
    GlobalStorage& operator=(const GlobalStorage& other) {
        if (this != &other) {
            take_values(other);
        }
        return *this;
    }
    ~GlobalStorage() { leave_device(); }

    /// Copies the newest `count` values to `values`. Throws ContractError where they were on a device
    /// that is closed.
    void fetch(double* values, int count) const {
        if (!host_current) {
            fetch_from_device(values, count);
        }
    }
    /// Globals of other types never leave the host.
    template <class T>
    void fetch(T* /*values*/, int /*count*/) const {}

    /// Whether the place is one of `table`.
    [[nodiscard]] bool is_with(const GlobalFetcher* table) const noexcept {
        return fetcher == table && !fetcher_alive.expired();
    }
    /// Gives the place back; the host's values are the newest.
    void leave_device() noexcept;

private:
    void fetch_from_device(double* values, int count) const;
    /// The host's values are copied beside this; those that a device alone has are copied there.
    void take_values(const GlobalStorage& other) {
        if (!other.host_current) {
            copy_on_device(other);
        }
        host_current = other.host_current;
        device_current = !other.host_current;
    }
    void copy_on_device(const GlobalStorage& other);
    void require_open() const;
};

}  // namespace halocline
