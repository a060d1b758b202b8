// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Fields of one value a vertex, on a device or in host memory, whose every value says what it must be.
#pragma once

#include <cstdint>
#include <vector>

#include "halocline/memory/device.hpp"
#include "halocline/mesh/halo.hpp"

namespace halocline::halo_bench {

class Fields {
public:
    /// `device` is null for host memory. Device and set outlive the fields.
    Fields(Device* device, const SetPart& set, int count);

    [[nodiscard]] std::vector<HaloItem> items() const;
    /// Owned values of a round by vertex and field; -1 in the halo.
    void fill(int round);
    /// Values, owned and halo, that are not those of the round.
    [[nodiscard]] std::int64_t count_wrong(int round);

private:
    [[nodiscard]] double value(LocalIndex vertex, std::size_t field, int round) const;

    Device* device_;
    const SetPart& set_;
    std::vector<SpaceBuffer> memory_;  ///< one a field
    std::vector<double> host_;         ///< what is compared
};

}  // namespace halocline::halo_bench
