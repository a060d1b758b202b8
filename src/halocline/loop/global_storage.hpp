// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where the values of a global are: on the host, on a device, or on both.
#pragma once

#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/core/lifetime.hpp"

namespace halocline {

/// Fetches and releases globals on a device.
class GlobalFetcher {
public:
    virtual ~GlobalFetcher() = default;
    /// Copies the `dim` values of a place to the host.
    virtual void fetch(int place, double* values, int dim) = 0;
    /// Releases the place of a global.
    virtual void release(int place, int dim) noexcept = 0;
};

/// The place of one global on a device, released with the global. Empty without a device.
struct GlobalStorage {
    GlobalFetcher* fetcher = nullptr;  ///< null while the global is on the host alone
    int place = -1;                    ///< on the device; -1: none
    int dim = 0;                       ///< number of values
    mutable bool host_current = true;  ///< whether the host's values are the newest
    bool device_current = false;       ///< whether the device's values are the newest
    Lifetime lifetime;                 ///< of the global: loops point to where it is

    GlobalStorage() = default;
    // What moves is the place on a device; loops do not follow a global.
    GlobalStorage(GlobalStorage&& other) noexcept { swap(other); }
    GlobalStorage& operator=(GlobalStorage&& other) noexcept {
        swap(other);
        return *this;
    }
    /// A copy is a global of its own, on the host.
    GlobalStorage(const GlobalStorage& other) { other.require_host(); }
    GlobalStorage& operator=(const GlobalStorage& other) {
        if (this != &other) {
            other.require_host();
            host_current = true;
            device_current = false;
        }
        return *this;
    }
    ~GlobalStorage() {
        if (fetcher != nullptr) {
            fetcher->release(place, dim);
        }
    }

    /// Copies the newest `count` values to `values`.
    void fetch(double* values, int count) const {
        if (!host_current) {
            fetcher->fetch(place, values, count);
            host_current = true;
        }
    }
    /// Globals of other types never leave the host.
    template <class T>
    void fetch(T* /*values*/, int /*count*/) const {}

private:
    void require_host() const {
        validate<ContractError>(host_current,
                                "a global is copied while its value is on a device (the copy would "
                                "be old). Read the value first.");
    }
    void swap(GlobalStorage& other) noexcept {
        std::swap(fetcher, other.fetcher);
        std::swap(place, other.place);
        std::swap(dim, other.dim);
        std::swap(host_current, other.host_current);
        std::swap(device_current, other.device_current);
    }
};

}  // namespace halocline
