// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Values are made and compared on the host; copies for that are in no ledger.
#include "fields.hpp"

#include <cstring>

namespace halocline::halo_bench {

namespace {

void copy_between(Device* device, void* to, const void* from, std::size_t bytes,
                  CopyDirection direction) {
    if (device == nullptr) {
        std::memcpy(to, from, bytes);
    } else {
        copy_now(*device, to, from, bytes, direction);
    }
}

}  // namespace

Fields::Fields(Device* device, const SetPart& set, int count) : device_(device), set_(set) {
    host_.resize(static_cast<std::size_t>(set.rows()));
    const MemoryKind kind = device == nullptr ? MemoryKind::host : MemoryKind::device;
    for (int k = 0; k < count; ++k) {
        memory_.emplace_back(kind, host_.size() * sizeof(double), device);
    }
}

std::vector<HaloItem> Fields::items() const {
    std::vector<HaloItem> made;
    for (const SpaceBuffer& memory : memory_) {
        made.push_back(
            {{reinterpret_cast<double*>(memory.data()), 1, Layout::rows(1)}, &set_, memory.kind()});
    }
    return made;
}

double Fields::value(LocalIndex vertex, std::size_t field, int round) const {
    return static_cast<double>(set_.global_id(vertex)) + static_cast<double>(field) / 128.0 +
           1e10 * round;
}

void Fields::fill(int round) {
    for (std::size_t k = 0; k < memory_.size(); ++k) {
        for (LocalIndex i = 0; i < set_.total; ++i) {
            host_[static_cast<std::size_t>(i)] = i < set_.owned ? value(i, k, round) : -1.0;
        }
        copy_between(device_, memory_[k].data(), host_.data(), memory_[k].size_bytes(),
                     CopyDirection::to_device);
    }
}

std::int64_t Fields::count_wrong(int round) {
    std::int64_t wrong = 0;
    for (std::size_t k = 0; k < memory_.size(); ++k) {
        copy_between(device_, host_.data(), memory_[k].data(), memory_[k].size_bytes(),
                     CopyDirection::to_host);
        for (LocalIndex i = 0; i < set_.total; ++i) {
            wrong += host_[static_cast<std::size_t>(i)] == value(i, k, round) ? 0 : 1;
        }
    }
    return wrong;
}

}  // namespace halocline::halo_bench
