// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The device back end of one rank: its parts, and the launch of kernels.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "halocline/backend/device/launch/device_dats.hpp"
#include "halocline/backend/device/launch/device_halos.hpp"
#include "halocline/backend/device/launch/kernel_times.hpp"
#include "halocline/backend/device/launch/launch.hpp"
#include "halocline/backend/device/launch/launch_memory.hpp"
#include "halocline/backend/device/launch/options.hpp"
#include "halocline/backend/device/launch/rank_join.hpp"
#include "halocline/backend/device/launch/recorder.hpp"
#include "halocline/backend/device/launch/signature.hpp"
#include "halocline/backend/device/plans/strategy.hpp"
#include "halocline/backend/device/views/global_table.hpp"
#include "halocline/backend/device/views/tables.hpp"
#include "halocline/memory/device.hpp"

namespace halocline::device {

class Executor final {
public:
    /// `compute` null: kernels run on a stream of the executor's own, and halos travel through the host,
    /// for only a halo exchange that knows the stream can take dats from the device. `join`: see
    /// `DeviceHalos`. Device and `compute` outlive the executor.
    Executor(Device& device, Stream* compute, std::unique_ptr<RankJoin> join,
             const DeviceOptions& options);

    /// @name Launching
    /// @{
    /// Submits one kernel by `submit(stream)`, behind all earlier ones.
    /// While work is recorded or repeated, notes or compares `signature` instead (see `Recorder::admit`).
    /// Throws ContractError when the launch is not the recorded one, RunError when the device refuses it.
    void launch(const Launch& launch, Signature signature,
                const std::function<void(Stream&)>& submit);
    /// @}

    /// @name Parts
    /// @{
    [[nodiscard]] Device& device() { return device_; }
    /// That kernels run on, one after the other.
    [[nodiscard]] Stream& stream() { return stream_; }
    [[nodiscard]] Tables& tables() { return tables_; }
    [[nodiscard]] GlobalTable& globals() { return globals_; }
    [[nodiscard]] const StrategyTable& strategies() const { return strategies_; }
    [[nodiscard]] LaunchMemory& memory() { return memory_; }
    [[nodiscard]] KernelTimes& times() { return times_; }
    [[nodiscard]] Recorder& recorder() { return recorder_; }
    [[nodiscard]] DeviceDats& dats() { return dats_; }
    [[nodiscard]] DeviceHalos& halos() { return halos_; }
    /// @}

private:
    Device& device_;
    std::unique_ptr<Stream> own_stream_;  ///< null when one was given
    Stream& stream_;
    Tables tables_;
    GlobalTable globals_;
    StrategyTable strategies_;
    LaunchMemory memory_;
    KernelTimes times_;
    Recorder recorder_;
    DeviceDats dats_;
    DeviceHalos halos_;
};

/// Queues the join of these reductions of a loop over all ranks, whose device does it
/// (`DeviceHalos::join`). Throws ContractError when they are too many. Collective.
void join_ranks(Executor& executor, const LoopName& name, std::span<const JoinItem> items);

}  // namespace halocline::device
