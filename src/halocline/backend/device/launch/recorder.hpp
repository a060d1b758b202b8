// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Work that repeats on a device: gone through once without computing, recorded, submitted as a graph.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "halocline/backend/device/launch/kernel_times.hpp"
#include "halocline/backend/device/launch/options.hpp"
#include "halocline/backend/device/launch/repeated_work.hpp"
#include "halocline/backend/device/launch/signature.hpp"
#include "halocline/backend/device/views/global_table.hpp"
#include "halocline/memory/device.hpp"
#include "halocline/mesh/dat_store.hpp"

namespace halocline::device {

/// What the parts of a device that recorded work goes through are.
struct RecordedDevice {
    Device& device;
    Stream& stream;
    GlobalTable& globals;
    KernelTimes& times;
};

class Recorder {
public:
    Recorder(const RecordedDevice& parts, const DeviceOptions& options)
        : parts_(parts), graphs_(options.graphs), loop_times_(options.loop_times) {}

    /// Whether loops run as they come, launch by launch.
    [[nodiscard]] bool is_running() const { return mode_ == Mode::run; }
    /// Whether nothing runs: all that is read goes to the device, so that recorded work finds it.
    [[nodiscard]] bool is_dry() const { return mode_ == Mode::prepare; }
    /// Whether loops are only gone through: what they would compute is not, or by a graph.
    [[nodiscard]] bool is_preparing() const {
        return mode_ == Mode::prepare || mode_ == Mode::capture;
    }
    /// Whether a graph does the work that loops are gone through for.
    [[nodiscard]] bool is_replaying() const { return mode_ == Mode::replay; }
    /// Whether work that has no graph runs under the rules of work that has one.
    [[nodiscard]] bool is_watched() const { return watch_ != nullptr; }
    /// Whether the host may read values and give the device new ones.
    [[nodiscard]] bool may_look() const {
        return is_dry() || (is_running() && (!is_watched() || watch_->in_loop));
    }
    /// A loop, a chain or an update of globals, from here to `end_loop`: what is read meanwhile is read for
    /// it, not by the program. Throws ContractError when watched work ran another one the time before.
    void begin_loop(const LoopName& name);
    void end_loop();

    /// A kernel is about to be submitted. Returns whether it shall; throws ContractError when it is not
    /// the recorded one.
    [[nodiscard]] bool admit(const LoopName& name, Signature signature);
    /// A loop without device form is about to run on the host. Returns whether it shall.
    [[nodiscard]] bool begin_host_loop(const LoopName& name);
    /// The halo of this dat is about to change. While nothing runs, it only seems to.
    void remember_halo(DatStore& dat);
    /// A loop uses this global. Returns whether it is the first use in a dry run.
    [[nodiscard]] bool note_use(const GlobalStorage& global);

    /// Shows which memory holds what.
    using Arrangement = std::function<std::vector<const void*>()>;

    /// Does work the first time, as ever, and notes what `prepare` need not look for then.
    void run_first(RepeatedWork& work, const std::function<void()>& body);
    /// Runs `body` dry, so that all it needs lies on the device, then records it from each
    /// arrangement that `start` shows until it shows the first again. Computes nothing, exchanges
    /// nothing. With `obstacle` nothing is recorded, and after `run_first` nothing is gone through.
    /// Throws ContractError when the first arrangement does not come again. Collective where loops of
    /// several ranks are recorded.
    void prepare(RepeatedWork& work, const Arrangement& start, const std::function<void()>& body,
                 const std::string& obstacle = "");
    /// Does the work once: its graph where there is one, launch by launch where there is none, then under
    /// the same rules after `run_first`. Throws ContractError when it is not the recorded work, or that
    /// of the time before. Collective where the work is.
    void repeat(RepeatedWork& work, const std::vector<const void*>& start,
                const std::function<void()>& body);

    /// What `prepare` took.
    [[nodiscard]] double seconds() const { return seconds_; }

private:
    enum class Mode { run, prepare, capture, replay };
    /// A mode until the end of a block, however it ends.
    class ModeScope;
    /// One repetition of work without a graph.
    struct Watch {
        const std::vector<std::string>* expected;  ///< loops of the one before; empty: the first
        std::vector<std::string> seen;             ///< loops so far
        bool in_loop = false;
    };
    /// What is watched until the end of a block, however it ends.
    class WatchScope;
    /// Between two arrangements that are alike: more than any set of swaps in one body makes.
    static constexpr int most_arrangements = 1000;

    void set_mode(Mode mode);
    void set_watch(Watch* watch);
    void run_watched(RepeatedWork& work, const std::function<void()>& body);
    void restore_halos();
    [[nodiscard]] static std::vector<const void*> with_halos(const RepeatedWork& work,
                                                             std::vector<const void*> start);
    void prepare_graphs(RepeatedWork& work, const Arrangement& start,
                        const std::function<void()>& body, const std::string& obstacle);
    [[nodiscard]] static std::string find_obstacle(const std::string& host_loop,
                                                   const std::string& known);
    void run_dry(const std::vector<const void*>& first, const Arrangement& start,
                 const std::function<void()>& body);
    void record_all(RepeatedWork& work, const Arrangement& start,
                    const std::function<void()>& body);
    [[nodiscard]] static std::vector<RepeatedWork::Recording>::iterator find_recording(
        RepeatedWork& work, const std::vector<const void*>& from);
    void record(RepeatedWork& work, const std::vector<const void*>& start,
                const std::function<void()>& body);
    void replay(RepeatedWork::Recording& recording, const std::function<void()>& body);

    RecordedDevice parts_;
    bool graphs_;
    LoopTimes loop_times_;
    Mode mode_ = Mode::run;
    RepeatedWork::Recording* current_ = nullptr;  ///< that is recorded or replayed
    std::size_t position_ = 0;                    ///< in `current_`, while it is replayed
    std::map<DatStore*, bool>
        halos_before_;  ///< while nothing runs: which halos were current before
    std::vector<const GlobalStorage*> globals_;  ///< that the dry run has used so far
    std::string host_loop_;                      ///< the last one met
    Watch* watch_ = nullptr;                     ///< null: nothing is watched
    double seconds_ = 0.0;
};

}  // namespace halocline::device
