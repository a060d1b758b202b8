// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The device back end of one rank: where dats are, what is launched, recorded and launched again.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "halocline/backend/device/global_table.hpp"
#include "halocline/backend/device/options.hpp"
#include "halocline/backend/device/rank_join.hpp"
#include "halocline/backend/device/signature.hpp"
#include "halocline/backend/device/strategy.hpp"
#include "halocline/backend/device/stream_order.hpp"
#include "halocline/backend/device/tables.hpp"
#include "halocline/loop/loop_table.hpp"
#include "halocline/memory/device.hpp"
#include "halocline/mesh/dat.hpp"

namespace halocline {

class Context;

}  // namespace halocline

namespace halocline::device {

/// A loop runs in one launch, or in two: elements that need no halo, then the others. After it, ranks
/// join its reductions; their kernel waits for other ranks, so its time is not the loop's.
enum class LaunchPart { whole, core, rest, join };

/// What one launch is, and what it touches on the device.
struct LaunchOrder {
    LoopName name;
    int stream = StreamOrder::main;
    LaunchPart part = LaunchPart::whole;
    std::vector<StreamUse> uses = {};
};

/// Work that repeats, with its recordings: one for each arrangement of memory it starts from.
class RepeatedWork {
public:
    /// Why it is not submitted as a graph; empty when it is.
    [[nodiscard]] const std::string& obstacle() const { return obstacle_; }
    /// Launches of one repetition; 0 where they are not recorded.
    [[nodiscard]] int launches() const {
        return recordings_.empty() ? 0 : static_cast<int>(recordings_.front().launches.size());
    }

private:
    friend class Executor;
    struct Recording {
        std::vector<const void*> start;
        std::vector<Signature> launches;
        std::unique_ptr<Graph> graph;
    };
    std::vector<Recording> recordings_;
    std::vector<const DatStore*>
        halos_;  ///< whose halos change; whether they are current at the start
    std::string obstacle_ = "not prepared";
    int repetitions_ = 0;
};

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

    /// Gives a dat memory on the device, uninitialised.
    void make_room(DatStore& dat, const Layout& layout, std::int64_t values);
    /// Copies staged values, laid out as on the device; they are current there then.
    void upload(DatStore& dat, const Buffer<double>& staged);
    void fetch(DatStore& dat) override;
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
    /// A loop without device form is about to run on the host. Returns whether it shall.
    [[nodiscard]] bool begin_host_loop(const LoopName& name);
    /// Whether nothing runs: all that is read goes to the device, so that recorded work finds it.
    [[nodiscard]] bool is_dry() const { return mode_ == Mode::prepare; }
    /// Whether loops are only gone through: what they would compute is not, or by a graph.
    [[nodiscard]] bool is_preparing() const {
        return mode_ == Mode::prepare || mode_ == Mode::capture;
    }

    /// Shows which memory holds what.
    using Arrangement = std::function<std::vector<const void*>()>;

    /// Runs `body` dry, so that all it needs lies on the device, then records it from each
    /// arrangement that `start` shows until it shows the first again. Computes nothing, exchanges
    /// nothing. With `obstacle`, or while strategies are measured, nothing is recorded.
    void prepare(RepeatedWork& work, const Arrangement& start, const std::function<void()>& body,
                 const std::string& obstacle = "");
    /// Does the work once: its graph where there is one, launch by launch where there is none.
    void repeat(RepeatedWork& work, const std::vector<const void*>& start,
                const std::function<void()>& body);

    /// Waits, and turns measured kernel times into the rows' seconds.
    void collect_times(LoopTable& table);
    [[nodiscard]] double graph_seconds() const { return graph_s_; }

private:
    enum class Mode { run, prepare, capture, replay };
    struct TimedCall {
        LoopName name;
        LaunchPart part;
        std::unique_ptr<StreamTimer> timer;
    };
    static constexpr int sample_interval = 16;
    /// Timers that wait to be read: a few cycles' worth, however long the run.
    static constexpr std::size_t most_timers = 512;

    /// What timers that were read have shown of one loop.
    struct TimedSum {
        LoopName name;
        double seconds = 0.0;
        std::int64_t calls = 0;
    };

    /// Whether this launch is measured.
    [[nodiscard]] bool is_sampled(const LaunchOrder& order);
    void launch_timed(const LaunchOrder& order, Stream& stream,
                      const std::function<void(Stream&)>& submit);
    /// Reads the oldest timers and lets them go.
    void read_timers(std::size_t count);
    void require_no_recording(const Context& context) const;
    void set_mode(Mode mode);
    /// A mode until the end of a block, however it ends.
    class ModeScope {
    public:
        ModeScope(Executor& executor, Mode mode);
        ~ModeScope();
        ModeScope(const ModeScope&) = delete;
        ModeScope& operator=(const ModeScope&) = delete;

    private:
        Executor& executor_;
    };
    void remember_halo(DatStore& dat);
    void restore_halos();
    [[nodiscard]] static std::vector<const void*> with_halos(const RepeatedWork& work,
                                                             std::vector<const void*> start);
    void run_dry(const std::vector<const void*>& first, const Arrangement& start,
                 const std::function<void()>& body);
    void record_all(RepeatedWork& work, const Arrangement& start,
                    const std::function<void()>& body);
    [[nodiscard]] static std::vector<RepeatedWork::Recording>::iterator find_recording(
        RepeatedWork& work, const std::vector<const void*>& from);
    void record(RepeatedWork& work, const std::vector<const void*>& start,
                const std::function<void()>& body);
    void replay(RepeatedWork::Recording& recording, const std::function<void()>& body);

    Device& device_;
    bool is_cuda_;
    DeviceOptions options_;
    bool halos_on_device_;
    std::unique_ptr<Stream> own_stream_;  ///< null when one was given
    StreamOrder order_;
    Tables tables_;
    GlobalTable globals_;
    StrategyTable strategies_;
    std::vector<SpaceBuffer> tickets_;   ///< by stream
    std::vector<StreamUse> travelling_;  ///< what the halo exchange under way touches
    std::unique_ptr<RankJoin> join_;     ///< null: ranks meet on the host
    std::map<DatStore*, bool>
        halos_before_;  ///< while nothing runs: which halos were current before
    Mode mode_ = Mode::run;
    bool timing_ = false;
    bool repeating_ = false;  ///< work that repeats is measured as a whole, or not at all
    /// Launches of each loop outside of such work, by name and level.
    std::map<std::pair<std::string_view, int>, int> launched_;
    std::string host_loop_;  ///< met while preparing
    std::vector<const DatStore*>* watched_ = nullptr;
    RepeatedWork::Recording* current_ = nullptr;
    std::size_t position_ = 0;  ///< in `current_`, while it is replayed
    std::vector<TimedCall> timed_;
    std::vector<TimedSum> timed_sums_;
    double graph_s_ = 0.0;
};

}  // namespace halocline::device
