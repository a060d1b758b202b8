// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The device back end of one rank: which loops have a device form, where dats are, what is launched,
// recorded and launched again.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <vector>

#include "halocline/backend/device/global_table.hpp"
#include "halocline/backend/device/options.hpp"
#include "halocline/backend/device/tables.hpp"
#include "halocline/loop/loop_table.hpp"
#include "halocline/memory/device.hpp"
#include "halocline/mesh/dat.hpp"

namespace halocline {

class Context;

}  // namespace halocline

namespace halocline::device {

/// What to run a chain type with. Returns false when these arguments are none for a device.
using Program =
    std::function<bool(Context&, const LoopName&, const SetPart* set, const void* loops)>;

/// All that a launch depends on, as numbers: two launches with equal signatures do the same.
using Signature = std::vector<std::uint64_t>;

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
    std::string obstacle_ = "not prepared";
    int repetitions_ = 0;
};

class Executor final : public DatFetcher {
public:
    Executor(Device& device, const DeviceOptions& options);

    [[nodiscard]] Device& device() { return device_; }
    [[nodiscard]] bool is_cuda() const { return is_cuda_; }
    [[nodiscard]] Stream& stream() { return *stream_; }
    [[nodiscard]] Tables& tables() { return tables_; }
    [[nodiscard]] GlobalTable& globals() { return globals_; }
    [[nodiscard]] const DeviceOptions& options() const { return options_; }
    [[nodiscard]] unsigned* ticket() { return reinterpret_cast<unsigned*>(ticket_.data()); }

    void add(std::type_index loops, Program program) { programs_[loops] = std::move(program); }
    [[nodiscard]] const Program* find(std::type_index loops) const;

    /// Gives a dat memory on the device, uninitialised.
    void make_room(DatStore& dat, const Layout& layout, std::int64_t values);
    /// Copies staged values, laid out as on the device; they are current there then.
    void upload(DatStore& dat, const Buffer<double>& staged);
    void fetch(DatStore& dat) override;
    /// A loop changed the dat on the device.
    void note_written(DatStore& dat) const;
    /// Brings halos of dats up to date through the host. Collective.
    void update_halos(Context& context, const std::vector<DatStore*>& dats);

    /// Submits one kernel, or notes it, as the mode wants.
    void launch(const LoopName& name, Signature signature, const std::function<void()>& submit);
    /// A loop without device form is about to run on the host. Returns whether it shall.
    [[nodiscard]] bool begin_host_loop(const LoopName& name);
    /// Whether nothing runs: all that is read goes to the device, so that recorded work finds it.
    [[nodiscard]] bool is_dry() const { return mode_ == Mode::prepare; }
    /// Whether loops are only gone through: what they would compute is not, or by a graph.
    [[nodiscard]] bool is_preparing() const {
        return mode_ == Mode::prepare || mode_ == Mode::capture;
    }

    /// Runs `body` dry, so that all it needs lies on the device, then records it from each
    /// arrangement that `start` shows until it shows the first again. Computes nothing.
    void prepare(RepeatedWork& work, const std::function<std::vector<const void*>()>& start,
                 const std::function<void()>& body);
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
        std::unique_ptr<StreamTimer> timer;
    };
    static constexpr int sample_interval = 16;

    void launch_timed(const LoopName& name, const std::function<void()>& submit);
    void record(RepeatedWork& work, const std::vector<const void*>& start,
                const std::function<void()>& body);
    void replay(RepeatedWork::Recording& recording, const std::function<void()>& body);

    Device& device_;
    bool is_cuda_;
    DeviceOptions options_;
    std::unique_ptr<Stream> stream_;
    Tables tables_;
    GlobalTable globals_;
    SpaceBuffer ticket_;
    std::map<std::type_index, Program> programs_;
    Mode mode_ = Mode::run;
    bool timing_ = false;
    std::string host_loop_;  ///< met while preparing
    RepeatedWork::Recording* current_ = nullptr;
    std::size_t position_ = 0;  ///< in `current_`, while it is replayed
    std::vector<TimedCall> timed_;
    double graph_s_ = 0.0;
};

}  // namespace halocline::device
