// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/device/launch/recorder.hpp"

#include <algorithm>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"

namespace halocline::device {

class Recorder::ModeScope {
public:
    ModeScope(Recorder& recorder, Mode mode) : recorder_(recorder) { recorder_.set_mode(mode); }
    ~ModeScope() { recorder_.set_mode(Mode::run); }
    ModeScope(const ModeScope&) = delete;
    ModeScope& operator=(const ModeScope&) = delete;

private:
    Recorder& recorder_;
};

class Recorder::WatchScope {
public:
    WatchScope(Recorder& recorder, Watch* watch) : recorder_(recorder), before_(recorder.watch_) {
        recorder_.set_watch(watch);
    }
    ~WatchScope() { recorder_.set_watch(before_); }
    WatchScope(const WatchScope&) = delete;
    WatchScope& operator=(const WatchScope&) = delete;

private:
    Recorder& recorder_;
    Watch* before_;
};

namespace {

void require_recorded_loop(bool is_recorded, const LoopName& name) {
    validate<ContractError>(is_recorded,
                            "loop '" + name.text() +
                                "' differs from the recorded one (recorded work must be the same "
                                "every time).");
}

void require_whole(bool is_whole) {
    validate<ContractError>(is_whole,
                            "recorded work ended before its recording did (it must be the same "
                            "every time).");
}

class RepetitionScope {
public:
    RepetitionScope(KernelTimes& times, bool measured) : times_(times) {
        times_.begin_repetition(measured);
    }
    ~RepetitionScope() { times_.end_repetition(); }
    RepetitionScope(const RepetitionScope&) = delete;
    RepetitionScope& operator=(const RepetitionScope&) = delete;

private:
    KernelTimes& times_;
};

}  // namespace

void Recorder::set_mode(Mode mode) {
    mode_ = mode;
    parts_.globals.allow_looking(may_look());
}

void Recorder::set_watch(Watch* watch) {
    watch_ = watch;
    parts_.globals.allow_looking(may_look());
}

void Recorder::begin_loop(const LoopName& name) {
    if (!is_watched()) {
        return;
    }
    const std::vector<std::string>& expected = *watch_->expected;
    const std::size_t next = watch_->seen.size();
    watch_->seen.push_back(name.text());
    require_recorded_loop(
        expected.empty() || (next < expected.size() && expected[next] == watch_->seen[next]), name);
    watch_->in_loop = true;
    parts_.globals.allow_looking(may_look());
}

void Recorder::end_loop() {
    if (is_watched()) {
        watch_->in_loop = false;
        parts_.globals.allow_looking(may_look());
    }
}

bool Recorder::admit(const LoopName& name, Signature signature) {
    if (is_dry()) {
        return false;
    }
    if (is_replaying()) {
        require_recorded_loop(
            position_ < current_->launches.size() && current_->launches[position_] == signature,
            name);
        ++position_;
        return false;
    }
    if (mode_ == Mode::capture) {
        current_->launches.push_back(std::move(signature));
    }
    return true;
}

bool Recorder::begin_host_loop(const LoopName& name) {
    validate<ContractError>(may_look(),
                            "loop '" + name.text() + "' has no device form but is recorded.");
    host_loop_ = name.text();
    return is_running();
}

void Recorder::remember_halo(DatStore& dat) {
    if (is_preparing()) {
        halos_before_.try_emplace(&dat, dat.halo_valid);
    }
}

bool Recorder::note_use(const GlobalStorage& global) {
    if (!is_dry() || std::find(globals_.begin(), globals_.end(), &global) != globals_.end()) {
        return false;
    }
    globals_.push_back(&global);
    return true;
}

void Recorder::restore_halos() {
    for (const auto& [dat, valid] : halos_before_) {
        dat->halo_valid = valid;
    }
}

/// Nothing runs until memory lies as it did; all that `body` needs is on the device then.
void Recorder::run_dry(const std::vector<const void*>& first, const Arrangement& start,
                       const std::function<void()>& body) {
    const ModeScope scope(*this, Mode::prepare);
    int passes = 0;
    do {
        body();
        validate<ContractError>(++passes < most_arrangements,
                                "work that repeats swaps dats in another way each time (they never "
                                "lie as at its first run). Swap the same dats in every run.");
    } while (start() != first);
}

void Recorder::run_first(RepeatedWork& work, const std::function<void()>& body) {
    const WatchScope apart(*this, nullptr);  // its rules begin with the next run
    host_loop_.clear();
    body();
    work.host_loop_ = host_loop_;
    work.has_run_ = true;
}

void Recorder::prepare(RepeatedWork& work, const Arrangement& start,
                       const std::function<void()>& body, const std::string& obstacle) {
    const double start_s = wall_seconds();
    const WatchScope apart(*this, nullptr);
    halos_before_.clear();
    globals_.clear();
    host_loop_.clear();
    try {
        prepare_graphs(work, start, body, obstacle);
    } catch (...) {
        restore_halos();
        throw;
    }
    seconds_ += wall_seconds() - start_s;
}

void Recorder::prepare_graphs(RepeatedWork& work, const Arrangement& start,
                              const std::function<void()>& body, const std::string& obstacle) {
    work.recordings_.clear();
    work.halos_.clear();
    if (work.has_run_) {
        // The program sees how often its body is called: not once more for a graph that cannot be.
        work.obstacle_ = find_obstacle(work.host_loop_, obstacle);
        if (!work.obstacle_.empty()) {
            return;
        }
    }
    const std::vector<const void*> first = start();
    run_dry(first, start, body);
    restore_halos();
    for (const auto& [dat, valid] : halos_before_) {
        work.halos_.emplace_back(*dat);
    }
    work.obstacle_ = find_obstacle(host_loop_, obstacle);
    if (!work.obstacle_.empty()) {
        return;
    }
    parts_.stream.synchronize();
    record_all(work, start, body);
    // Halos are another way only at the very start, so one recording may be odd.
    if (start() != first) {
        run_dry(first, start, body);
    }
    restore_halos();
    // Recording has loaded the kernels, too: a first launch takes milliseconds, which no cycle pays.
    const bool keep = graphs_ && loop_times_ != LoopTimes::all;
    work.obstacle_ = keep ? "" : graphs_ ? "all loops are timed" : "switched off";
    if (!keep) {
        work.recordings_.clear();
    }
}

/// What keeps work that ran, or was gone through, from being recorded.
std::string Recorder::find_obstacle(const std::string& host_loop, const std::string& known) {
    return host_loop.empty() ? known : "loop '" + host_loop + "' runs on the host";
}

/// Every arrangement, with the halos that are current in it, until one comes again.
void Recorder::record_all(RepeatedWork& work, const Arrangement& start,
                          const std::function<void()>& body) {
    std::vector<const void*> from = with_halos(work, start());
    while (find_recording(work, from) == work.recordings_.end()) {
        record(work, from, body);
        from = with_halos(work, start());
    }
}

std::vector<RepeatedWork::Recording>::iterator Recorder::find_recording(
    RepeatedWork& work, const std::vector<const void*>& from) {
    return std::find_if(work.recordings_.begin(), work.recordings_.end(),
                        [&](const auto& recording) { return recording.start == from; });
}

/// What a repetition starts from: the arrangement of memory, and which halos are current.
std::vector<const void*> Recorder::with_halos(const RepeatedWork& work,
                                              std::vector<const void*> start) {
    for (const WatchedDat& watched : work.halos_) {
        const DatStore& dat = watched.get(RepeatedWork::name);
        start.push_back(dat.halo_valid ? &dat : nullptr);
    }
    return start;
}

void Recorder::record(RepeatedWork& work, const std::vector<const void*>& start,
                      const std::function<void()>& body) {
    work.recordings_.push_back({start, {}, nullptr});
    current_ = &work.recordings_.back();
    parts_.device.begin_capture(parts_.stream);
    const auto end = [&] {
        current_ = nullptr;
        return parts_.device.end_capture(parts_.stream);
    };
    try {
        const ModeScope scope(*this, Mode::capture);
        body();
    } catch (...) {
        static_cast<void>(end());  // the stream is of use again; what was recorded is not
        work.recordings_.pop_back();
        throw;
    }
    work.recordings_.back().graph = end();
}

void Recorder::repeat(RepeatedWork& work, const std::vector<const void*>& start,
                      const std::function<void()>& body) {
    const bool measured = parts_.times.samples_repetition(work.repetitions_++);
    const RepetitionScope scope(parts_.times, measured);
    if (work.has_run_ && !work.obstacle_.empty()) {
        run_watched(work, body);
        return;
    }
    const WatchScope apart(*this, nullptr);  // work within work has rules of its own
    const auto found = find_recording(work, with_halos(work, start));
    if (found == work.recordings_.end() || measured) {
        body();
    } else {
        replay(*found, body);
    }
}

/// As ever, but a program that a graph would not take is told so here, too: it works the same whether
/// ranks can have a graph or not.
void Recorder::run_watched(RepeatedWork& work, const std::function<void()>& body) {
    Watch watch{&work.loops_, {}};
    {
        const WatchScope scope(*this, &watch);
        body();
    }
    require_whole(watch.seen.size() >= work.loops_.size());
    work.loops_ = std::move(watch.seen);
}

/// The device works while the host goes through the same loops to note what has changed, and checks
/// that they are the recorded ones.
void Recorder::replay(RepeatedWork::Recording& recording, const std::function<void()>& body) {
    recording.graph->launch(parts_.stream);
    current_ = &recording;
    position_ = 0;
    {
        const ModeScope scope(*this, Mode::replay);
        body();
    }
    require_whole(position_ == recording.launches.size());
}

}  // namespace halocline::device
