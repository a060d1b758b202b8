// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One array on the device, one copy of it in pinned memory.
#include "halocline/backend/device/views/global_table.hpp"

#include <algorithm>
#include <string>

#include "halocline/backend/device/kernels/finish_reduction.hpp"
#include "halocline/backend/device/launch/collect.hpp"
#include "halocline/core/error.hpp"

namespace halocline::device {

namespace {
GlobalPlace* as_places(const SpaceBuffer& memory) {
    return reinterpret_cast<GlobalPlace*>(memory.data());
}
/// Bytes between two places in the mirror: results alone come from GPUs, else places whole by one copy.
std::size_t mirror_stride(bool on_gpu) {
    return on_gpu ? sizeof(GlobalResult) : sizeof(GlobalPlace);
}
}  // namespace

GlobalTable::GlobalTable(Device& device, Stream& stream)
    : device_(device),
      stream_(stream),
      on_gpu_(!device.is_emulated()),
      places_(MemoryKind::device, capacity * sizeof(GlobalPlace), &device),
      mirror_(MemoryKind::pinned, capacity * mirror_stride(on_gpu_), &device) {
    if (on_gpu_) {
        clear_places(0, capacity);
    }
}

void GlobalTable::clear_places(int first, int number) {
    std::vector<GlobalPlace> clear(static_cast<std::size_t>(number));
    for (GlobalPlace& place : clear) {
        clear_place(place);
    }
    copy_now(device_, as_places(places_) + first, clear.data(), clear.size() * sizeof(GlobalPlace),
             CopyDirection::to_device);
}

void GlobalTable::adopt(GlobalStorage& storage, double* values, int dim) {
    if (storage.fetcher != nullptr && !storage.is_with(this)) {
        storage.fetch(values, dim);
        storage.leave_device();
    }
}

GlobalPlace* GlobalTable::places(GlobalStorage& storage, int dim) {
    if (storage.fetcher == nullptr) {
        int first = 0;
        int found = 0;
        for (int i = 0; i < capacity && found < dim; ++i) {
            found = used_[static_cast<std::size_t>(i)] ? 0 : found + 1;
            first = i - found + 1;
        }
        validate<ContractError>(
            found == dim, "a device has room for " + std::to_string(capacity) +
                              " values of globals at a time (more are alive). Use fewer globals.");
        for (int d = 0; d < dim; ++d) {
            used_[static_cast<std::size_t>(first + d)] = true;
        }
        if (!on_gpu_) {
            clear_places(first, dim);
        }
        storage.fetcher = this;
        storage.fetcher_alive = watch();
        storage.place = first;
        storage.dim = dim;
    }
    return as_places(places_) + storage.place;
}

void GlobalTable::store(GlobalStorage& storage, const double* values, int dim) {
    GlobalPlace* first = places(storage, dim);
    for (int d = 0; d < dim; ++d) {
        stream_.copy(&first[d].value, &values[d], sizeof(double), CopyDirection::to_device);
    }
    stream_.synchronize();
    storage.device_current = true;
    forget();
}

void GlobalTable::fetch(int place, double* values, int dim) {
    validate<ContractError>(may_look_,
                            "a global is read while loops are recorded or repeated (its value "
                            "is not there yet). Read it between repetitions.");
    for (int d = 0; d < dim; ++d) {
        values[d] = read(place + d).value;
    }
}

void GlobalTable::copy(int place, GlobalStorage& to, int dim) {
    std::vector<double> values(static_cast<std::size_t>(dim));
    fetch(place, values.data(), dim);
    if (!to.is_with(this)) {
        to.leave_device();
    }
    store(to, values.data(), dim);
}

void GlobalTable::release(int place, int dim) noexcept {
    for (int d = 0; d < dim; ++d) {
        used_[static_cast<std::size_t>(place + d)] = false;
    }
}

int GlobalTable::count() const {
    const auto last = std::find(used_.rbegin(), used_.rend(), true);
    return static_cast<int>(used_.rend() - last);
}

const GlobalResult& GlobalTable::read(int place) {
    const std::size_t stride = mirror_stride(on_gpu_);
    const auto at = [&](int i) {
        return reinterpret_cast<GlobalResult*>(mirror_.data() +
                                               static_cast<std::size_t>(i) * stride);
    };
    if (!mirror_current_) {
        if (on_gpu_) {
            write_results_on_gpu(at(0), as_places(places_), count(), stream_.native());
        } else {
            stream_.copy(mirror_.data(), places_.data(), static_cast<std::size_t>(count()) * stride,
                         CopyDirection::to_host);
        }
        stream_.synchronize();
        mirror_current_ = true;
    }
    return *at(place);
}

}  // namespace halocline::device
