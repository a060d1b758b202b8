// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/loop/global_storage.hpp"

#include "halocline/core/error.hpp"

namespace halocline {

void GlobalStorage::leave_device() noexcept {
    if (fetcher != nullptr && !fetcher_alive.expired()) {
        fetcher->release(place, dim);
    }
    fetcher = nullptr;
    place = -1;
    device_current = false;
    host_current = true;
}

void GlobalStorage::require_open() const {
    validate<ContractError>(
        !fetcher_alive.expired(),
        "a global is read whose value was on a device that is closed (its runtime is gone). Read "
        "it while the runtime is there.");
}

void GlobalStorage::fetch_from_device(double* values, int count) const {
    require_open();
    fetcher->fetch(place, values, count);
    host_current = true;
}

void GlobalStorage::copy_on_device(const GlobalStorage& other) {
    other.require_open();
    other.fetcher->copy(other.place, *this, other.dim);
}

}  // namespace halocline
