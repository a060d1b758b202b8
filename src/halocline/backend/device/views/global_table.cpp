// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One array on the device, one copy of it in pinned memory.
#include "halocline/backend/device/views/global_table.hpp"

#include <string>

#include "halocline/backend/device/kernels/finish_reduction.hpp"
#include "halocline/backend/device/launch/collect.hpp"
#include "halocline/core/error.hpp"

namespace halocline::device {

namespace {
constexpr std::size_t place_bytes = sizeof(GlobalPlace);

GlobalPlace* as_places(const SpaceBuffer& memory) {
    return reinterpret_cast<GlobalPlace*>(memory.data());
}
}  // namespace

GlobalTable::GlobalTable(Device& device, StreamOrder& order)
    : order_(order),
      is_cuda_(device.info().kind == "cuda"),
      places_(MemoryKind::device, capacity * place_bytes, &device),
      mirror_(MemoryKind::pinned, capacity * place_bytes, &device) {
    for (int i = 0; i < capacity; ++i) {
        GlobalPlace& place = as_places(mirror_)[i];
        place = GlobalPlace{};
        clear_place(place);
    }
    copy_now(device, places_.data(), mirror_.data(), capacity * place_bytes,
             CopyDirection::to_device);
}

Stream& GlobalTable::joined_stream() {
    order_.join();
    return order_.stream(StreamOrder::main);
}

GlobalPlace* GlobalTable::places(GlobalStorage& home, int dim) {
    if (home.keeper != this) {
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
        home.keeper = this;
        home.place = first;
        home.dim = dim;
    }
    return as_places(places_) + home.place;
}

void GlobalTable::store(GlobalStorage& home, const double* values, int dim) {
    GlobalPlace* first = places(home, dim);
    Stream& stream = joined_stream();
    for (int d = 0; d < dim; ++d) {
        stream.copy(&first[d].value, &values[d], sizeof(double), CopyDirection::to_device);
    }
    stream.synchronize();
    home.device_current = true;
    forget();
}

void GlobalTable::fetch(int place, double* values, int dim) {
    validate<ContractError>(may_look_,
                            "a global is looked at while loops are recorded or repeated (its value "
                            "is not there yet). Look at it between repetitions.");
    for (int d = 0; d < dim; ++d) {
        values[d] = read(place + d).value;
    }
}

void GlobalTable::release(int place, int dim) noexcept {
    for (int d = 0; d < dim; ++d) {
        used_[static_cast<std::size_t>(place + d)] = false;
    }
}

const GlobalPlace& GlobalTable::read(int place) {
    if (!mirror_current_) {
        Stream& stream = joined_stream();
        if (is_cuda_) {
            write_words_on_cuda(mirror_.data(), places_.data(), capacity * place_bytes,
                                stream.native());
        } else {
            stream.copy(mirror_.data(), places_.data(), capacity * place_bytes,
                        CopyDirection::to_host);
        }
        stream.synchronize();
        mirror_current_ = true;
    }
    return as_places(mirror_)[place];
}

}  // namespace halocline::device
