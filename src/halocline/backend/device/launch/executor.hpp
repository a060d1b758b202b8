// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The device back end of one rank: where dats are, what is launched, how halos travel.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "halocline/backend/device/launch/kernel_times.hpp"
#include "halocline/backend/device/launch/options.hpp"
#include "halocline/backend/device/launch/rank_join.hpp"
#include "halocline/backend/device/launch/recorder.hpp"
#include "halocline/backend/device/launch/signature.hpp"
#include "halocline/backend/device/plans/launch_order.hpp"
#include "halocline/backend/device/plans/strategy.hpp"
#include "halocline/backend/device/plans/stream_order.hpp"
#include "halocline/backend/device/views/global_table.hpp"
#include "halocline/backend/device/views/tables.hpp"
#include "halocline/memory/device.hpp"
#include "halocline/mesh/dat.hpp"

namespace halocline {

class Context;

}  // namespace halocline

namespace halocline::device {

class Executor final : public DatFetcher {
public:
    /// `compute` null: kernels run on a stream of the executor's own, and halos travel through the
    /// host, for only a halo exchange that knows the stream can take dats from the device.
    Executor(Device& device, Stream* compute, const DeviceOptions& options);

    [[nodiscard]] Device& device() { return device_; }
    [[nodiscard]] bool is_cuda() const { return is_cuda_; }
    /// Where halos are joined, dats move and graphs start; loops that name no stream run here, too.
    [[nodiscard]] Stream& main_stream() { return order_.stream(StreamOrder::main); }
    /// Whether loops have named streams: only then does it matter what each of them touches.
    [[nodiscard]] bool has_streams() const { return order_.size() > 1; }
    /// The stream that a loop names.
    [[nodiscard]] int stream_of(const LoopName& name) { return order_.index(name.stream); }
    [[nodiscard]] Stream& stream(int index) { return order_.stream(index); }
    [[nodiscard]] const StreamOrder& order() const { return order_; }
    /// The host waits for all that was launched.
    void synchronize() { order_.synchronize(); }
    [[nodiscard]] Tables& tables() { return tables_; }
    [[nodiscard]] GlobalTable& globals() { return globals_; }
    [[nodiscard]] const DeviceOptions& options() const { return options_; }
    [[nodiscard]] StrategyTable& strategies() { return strategies_; }
    /// Counts the blocks of a kernel with reductions; kernels of one stream share it.
    [[nodiscard]] unsigned* ticket(int stream);
    /// Memory for so many values, which the loops of one stream use one after the other.
    [[nodiscard]] double* memory_for_changes(int stream, std::int64_t values);

    /// Gives a dat memory on the device, uninitialised.
    void make_room(DatStore& dat, const Layout& layout, std::int64_t values);
    /// Copies staged values, laid out as on the device; they are current there then.
    void upload(DatStore& dat, const Buffer<double>& staged);
    void fetch(DatStore& dat) override;
    /// Copies the host's values of a dat that has room on the device and newer values on the host, so that
    /// recorded work finds them.
    void refresh(DatStore& dat);
    /// A loop changed the dat on the device.
    void note_written(DatStore& dat);
    /// From here on, dats that loops bring to the device are added to `dats`, once each; null: no more.
    void watch_dats(std::vector<const DatStore*>* dats) { watched_ = dats; }
    void note_used(const DatStore& dat);

    /// From here on halos travel and reductions are joined by work of the main stream alone.
    void queue_ranks(std::unique_ptr<RankJoin> join) { join_ = std::move(join); }
    /// Whether they do: then work of several ranks can be recorded.
    [[nodiscard]] bool queues_ranks() const { return join_ != nullptr; }
    /// Queues the join of these reductions of a loop. Collective.
    void join_ranks(const LoopName& name, std::span<const JoinItem> items);

    /// Whether halos are exchanged on the device.
    [[nodiscard]] bool exchanges_on_device() const { return halos_on_device_; }
    /// Brings stale halos up to date through the host. Collective.
    void update_halos_on_host(Context& context, const std::vector<DatStore*>& dats);
    /// Starts the exchange of stale halos of dats that are current on the device; ended by
    /// `end_halos`, after which kernels see them. Returns whether anything travels. Collective.
    bool begin_halos(Context& context, const std::vector<DatStore*>& dats);
    void end_halos(Context& context);

    /// Submits one kernel to its stream, after all that it depends on, or notes
    /// it, as the mode wants.
    void launch(const LaunchOrder& order, Signature signature,
                const std::function<void(Stream&)>& submit);
    /// Work that repeats: what is gone through, recorded, repeated.
    [[nodiscard]] Recorder& recorder() { return recorder_; }
    /// Whether nothing runs: all that is read goes to the device, so that recorded work finds it.
    [[nodiscard]] bool is_dry() const { return recorder_.is_dry(); }
    [[nodiscard]] KernelTimes& times() { return times_; }

private:
    void require_no_recording(const Context& context) const;

    Device& device_;
    bool is_cuda_;
    DeviceOptions options_;
    bool halos_on_device_;
    std::unique_ptr<Stream> own_stream_;  ///< null when one was given
    StreamOrder order_;
    Tables tables_;
    GlobalTable globals_;
    StrategyTable strategies_;
    std::vector<SpaceBuffer> tickets_;  ///< by stream
    /// By stream. The last is the largest; the others may be those of recorded work.
    std::vector<std::vector<SpaceBuffer>> changes_;
    std::vector<StreamUse> travelling_;  ///< what the halo exchange under way touches
    std::unique_ptr<RankJoin> join_;     ///< null: ranks meet on the host
    std::vector<const DatStore*>* watched_ = nullptr;
    KernelTimes times_;
    Recorder recorder_;
};

}  // namespace halocline::device
