// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Halos of dats on the device: which way they travel, and what of that recorded work contains.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "halocline/backend/device/launch/rank_join.hpp"
#include "halocline/backend/device/launch/recorder.hpp"
#include "halocline/mesh/dat_store.hpp"

namespace halocline {

class Context;

}  // namespace halocline

namespace halocline::device {

/// Where the halos of dats on a device are exchanged. host: dats come to the host for it. device: the
/// exchange works on the device's memory.
enum class HaloPath { host, device };

class DeviceHalos {
public:
    /// `recorder` outlives it. With `join`, on the path `device` only, halos travel and
    /// reductions are joined by work of the kernels' stream alone, which can be recorded.
    DeviceHalos(Recorder& recorder, HaloPath path, std::unique_ptr<RankJoin> join)
        : recorder_(recorder), path_(path), join_(std::move(join)) {}

    /// Whether dats can stay on the device while their halos are exchanged.
    [[nodiscard]] bool are_on_device() const { return path_ != HaloPath::host; }
    /// What joins reductions over ranks by work of the kernels' stream; null: the host does, and drives halos.
    [[nodiscard]] RankJoin* join() const { return join_.get(); }
    /// Why work of these ranks cannot be recorded; empty when it can.
    [[nodiscard]] std::string obstacle(const Context& context) const;

    /// Brings stale halos of `dats` up to date through the host. Throws ContractError while work is
    /// recorded that cannot be. Collective.
    void update_on_host(Context& context, const std::vector<DatStore*>& dats);
    /// Starts the exchange of stale halos of dats that are current on the device; ended by `end`, after
    /// which kernels see them. Returns whether anything travels. Throws as `update_on_host`. Collective.
    [[nodiscard]] bool begin(Context& context, const std::vector<DatStore*>& dats);
    void end(Context& context);
    /// A loop changed owned values of the dat: its halo is old.
    void note_written(DatStore& dat);

private:
    void require_no_recording(const Context& context) const;
    /// Whether loops are gone through without exchanges: what halos are stays as it is.
    [[nodiscard]] bool stays_as_it_is() const { return recorder_.is_dry() && join_ == nullptr; }

    Recorder& recorder_;
    HaloPath path_;
    std::unique_ptr<RankJoin> join_;
};

}  // namespace halocline::device
