// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Known bits to send through a halo scheme, and the count of those that arrived wrong.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "halocline/dist/exchange/halo_choice.hpp"

namespace halocline::dist {

/// Any 64 bits, NaNs and denormals among them: the mixing steps of a linear congruential hash.
inline std::uint64_t probe_bits(GlobalIndex id, int component, int round) {
    std::uint64_t bits =
        static_cast<std::uint64_t>(id) * 64 + static_cast<std::uint64_t>(component);
    bits = (bits + 1 + static_cast<std::uint64_t>(round) * 0x9E37u) * 0x9E3779B97F4A7C15u;
    bits ^= bits >> 29;
    bits *= 0xBF58476D1CE4E5B9u;
    return bits ^ (bits >> 32);
}

/// One dat a sample, in rows; on a device with a copy on the host to fill it from and to check it.
class ProbeFields {
public:
    ProbeFields(std::span<const HaloSample> samples, Device* device)
        : samples_(samples), device_(device) {
        for (const HaloSample& sample : samples) {
            values_.emplace_back(static_cast<std::size_t>(sample.set->total) *
                                 static_cast<std::size_t>(sample.dim));
            if (device != nullptr) {
                on_device_.emplace_back(MemoryKind::device, values_.back().size() * sizeof(double),
                                        device);
            }
        }
    }

    [[nodiscard]] HaloItem item(std::size_t s) {
        const HaloSample& sample = samples_[s];
        double* values = device_ == nullptr ? values_[s].data()
                                            : reinterpret_cast<double*>(on_device_[s].data());
        return {{values, sample.dim, Layout::rows(sample.dim)},
                sample.set,
                device_ == nullptr ? MemoryKind::host : MemoryKind::device};
    }

    /// Owned elements get their pattern, halo elements anything else.
    void set(int round) {
        for_each([&](std::size_t s, LocalIndex i, int d, double& value) {
            const std::uint64_t bits = probe_bits(samples_[s].set->global_id(i), d, round);
            value = std::bit_cast<double>(i < samples_[s].set->owned ? bits : ~bits);
        });
        copy(CopyDirection::to_device);
    }

    /// Values whose bits are not those of `round`, halo elements included.
    [[nodiscard]] std::int64_t count_wrong(int round) {
        copy(CopyDirection::to_host);
        std::int64_t wrong = 0;
        for_each([&](std::size_t s, LocalIndex i, int d, double& value) {
            const std::uint64_t right = probe_bits(samples_[s].set->global_id(i), d, round);
            wrong += std::bit_cast<std::uint64_t>(value) == right ? 0 : 1;
        });
        return wrong;
    }

    [[nodiscard]] std::int64_t count_different(ProbeFields& other) {
        copy(CopyDirection::to_host);
        std::int64_t different = 0;
        for_each([&](std::size_t s, LocalIndex i, int d, double& value) {
            different += std::bit_cast<std::uint64_t>(value) ==
                                 std::bit_cast<std::uint64_t>(other.values_[s][at(s, i, d)])
                             ? 0
                             : 1;
        });
        return different;
    }

private:
    [[nodiscard]] std::size_t at(std::size_t s, LocalIndex i, int d) const {
        return static_cast<std::size_t>(i) * static_cast<std::size_t>(samples_[s].dim) +
               static_cast<std::size_t>(d);
    }

    void copy(CopyDirection direction) {
        for (std::size_t s = 0; s < on_device_.size(); ++s) {
            void* const host = values_[s].data();
            void* const device = on_device_[s].data();
            const bool out = direction == CopyDirection::to_host;
            if (on_device_[s].size_bytes() > 0) {
                copy_now(*device_, out ? host : device, out ? device : host,
                         on_device_[s].size_bytes(), direction);
            }
        }
    }

    template <class Visit>
    void for_each(Visit&& visit) {
        for (std::size_t s = 0; s < samples_.size(); ++s) {
            for (LocalIndex i = 0; i < samples_[s].set->total; ++i) {
                for (int d = 0; d < samples_[s].dim; ++d) {
                    visit(s, i, d, values_[s][at(s, i, d)]);
                }
            }
        }
    }

    std::span<const HaloSample> samples_;
    Device* device_;
    std::vector<std::vector<double>> values_;
    std::vector<SpaceBuffer> on_device_;
};

}  // namespace halocline::dist
