// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Globals on a device: places for values and for reductions, whose results are read back together.
#pragma once

#include <vector>

#include "halocline/backend/device/views/views.hpp"
#include "halocline/memory/device.hpp"

namespace halocline::device {

/// `capacity` components at a time. Device and stream outlive the table.
class GlobalTable final : public GlobalFetcher {
public:
    GlobalTable(Device& device, Stream& stream);

    /// Whose places a global has from here on: the host's `values` are made current when it comes from
    /// another device. Throws ContractError when that one is closed.
    void adopt(GlobalStorage& storage, double* values, int dim);
    /// Places of a global that was adopted, assigned at first use. Throws ContractError when there are too
    /// many.
    [[nodiscard]] GlobalPlace* places(GlobalStorage& storage, int dim);
    /// Places are about to change: what was read back is old.
    void forget() { mirror_current_ = false; }

    /// Whether values can be fetched: not while loops are only gone through.
    void allow_looking(bool allowed) { may_look_ = allowed; }

    /// Gives the places of a global that was adopted the host's `dim` values. Waits.
    void store(GlobalStorage& storage, const double* values, int dim);
    /// Reads `dim` values. Throws ContractError where looking is not allowed. Waits.
    void fetch(int place, double* values, int dim) override;
    /// Throws and waits as `fetch`, and throws as `places`.
    void copy(int place, GlobalStorage& to, int dim) override;
    void release(int place, int dim) noexcept override;
    /// The place on the host as it is after all work submitted so far; valid until `forget`. Waits.
    [[nodiscard]] const GlobalResult& read(int place);

private:
    static constexpr int capacity = 256;

    /// Readies places for their first reduction. Places of a GPU are cleared at once, since nothing may be
    /// copied while a graph is recorded; emulated ones when they are assigned: all take 4 MB, which costs
    /// small programs more than their loops.
    void clear_places(int first, int number);
    /// Places up to the last one in use.
    [[nodiscard]] int count() const;

    Device& device_;
    Stream& stream_;
    bool on_gpu_;  ///< whose kernels write to pinned memory
    SpaceBuffer places_;
    SpaceBuffer mirror_;
    bool mirror_current_ = false;
    bool may_look_ = true;
    std::vector<bool> used_ = std::vector<bool>(capacity, false);
};

}  // namespace halocline::device
