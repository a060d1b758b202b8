// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Stop-watch measurements of the parts of a transfer.
#include "limits.hpp"

#include <algorithm>
#include <cstring>

#include "halocline/core/clock.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline::p2p {

namespace {

constexpr std::size_t copy_bytes = std::size_t{64} << 20;

/// Keeps the compiler from dropping a copy whose result nobody reads.
void keep(const void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

/// Seconds of one call, best of batches within `time_s`.
template <class Work>
double best_seconds(double time_s, Work&& work) {
    work();
    int batch = 1;
    double best_s = 1e30;
    for (const double end_s = wall_seconds() + time_s; wall_seconds() < end_s || best_s > 1e29;) {
        const double start_s = wall_seconds();
        for (int k = 0; k < batch; ++k) {
            work();
        }
        const double seconds = wall_seconds() - start_s;
        if (seconds < 10e-6 && batch < 100'000) {
            batch *= 2;  // too short for the clock
            continue;
        }
        best_s = std::min(best_s, seconds / batch);
    }
    return best_s;
}

}  // namespace

double measure_memcpy(std::size_t bytes, double time_s) {
    Buffer<char> from(std::max<std::size_t>(bytes, 1), 'x');
    Buffer<char> to(std::max<std::size_t>(bytes, 1), 'y');
    const double seconds = best_seconds(time_s, [&] {
        std::memcpy(to.data(), from.data(), bytes);
        keep(to.data());
    });
    return static_cast<double>(bytes) / seconds;
}

double measure_triad() {
    constexpr std::size_t size = copy_bytes / sizeof(double);
    Buffer<double> a(size, 0.0);
    const Buffer<double> b(size, 1.0);
    const Buffer<double> c(size, 2.0);
    const double seconds = best_seconds(0.2, [&] {
        for (std::size_t i = 0; i < size; ++i) {
            a[i] = b[i] + 3.0 * c[i];
        }
        keep(a.data());
    });
    return 24.0 * static_cast<double>(size) / seconds;
}

double measure_copy(Device& device, CopyDirection direction) {
    const bool inside = direction == CopyDirection::on_device;
    const SpaceBuffer on_device(MemoryKind::device, copy_bytes, &device);
    const SpaceBuffer other(inside ? MemoryKind::device : MemoryKind::pinned, copy_bytes, &device);
    const bool out = direction == CopyDirection::to_host;
    const std::unique_ptr<Stream> stream = device.make_stream();
    double best = 0.0;
    for (std::size_t bytes = copy_bytes; bytes >= copy_bytes / 64; bytes /= 4) {
        const double seconds = best_seconds(0.05, [&] {
            stream->copy(out ? other.data() : on_device.data(),
                         out ? on_device.data() : other.data(), bytes, direction);
            stream->synchronize();
        });
        best = std::max(best, static_cast<double>(bytes) / seconds);
    }
    return best;
}

Ceiling ceiling_of(const std::string& path, std::size_t bytes, const Limits& limits,
                   bool one_host) {
    Ceiling between{limits.network_bytes_per_s.value_or(0.0), "network card"};
    if (one_host) {
        const auto found = limits.memcpy_bytes_per_s.find(bytes);
        between = {found == limits.memcpy_bytes_per_s.end() ? 0.0 : found->second, "memcpy"};
    }
    if (path == "host") {
        return between;
    }
    if (path == "peer" || (path == "direct" && one_host)) {
        return {limits.on_device_bytes_per_s, "copy on the device"};
    }
    if (path == "direct") {
        return between;
    }
    Ceiling slowest{limits.to_host_bytes_per_s, "device to host"};
    if (limits.to_device_bytes_per_s < slowest.bytes_per_s) {
        slowest = {limits.to_device_bytes_per_s, "host to device"};
    }
    if (between.bytes_per_s > 0.0 && between.bytes_per_s < slowest.bytes_per_s) {
        slowest = between;
    }
    return slowest;
}

}  // namespace halocline::p2p
