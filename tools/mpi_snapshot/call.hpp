// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The guard of every wrapper: counts the outermost call of a thread, lets inner ones pass.
#pragma once

#include "any_thread.hpp"
#include "device.hpp"
#include "functions.hpp"
#include "glue.hpp"
#include "session.hpp"
#include "sites.hpp"
#include "thread_record.hpp"
#include "ticks.hpp"

#define HALOCLINE_WRAPPER extern "C" __attribute__((visibility("default")))
#define HALOCLINE_FRAME \
    Frame { __builtin_return_address(0), __builtin_dwarf_cfa() }

namespace halocline::snapshot {

/// State of the calling thread. `depth` is above 0 inside MPI: the library's own calls are not counted,
/// nor is what it reads and writes.
struct ThreadState {
    int depth;
    ThreadRecord* record;
};
extern thread_local constinit ThreadState thread_state __attribute__((tls_model("initial-exec")));

/// First call of a thread: finds the real functions, makes a record if the session is active.
void first_call_of_thread();

/// Counts a call of an inquiry, a function that costs about the same every time and little, without
/// timing it. One call in 64 is not counted here, but timed as a `Call`, and stands for the others; so
/// are calls from a place that has not called lately.
class UntimedCall {
public:
    UntimedCall(Function function, Frame frame) {
        ThreadState& state = thread_state;
        if (state.depth == 0 && state.record != nullptr &&
            session.recording.load(std::memory_order_relaxed)) [[likely]] {
            counts_ = count(state.record->recent[static_cast<int>(function)], frame);
            state.depth += counts_ ? 1 : 0;
        }
    }
    ~UntimedCall() {
        if (counts_) {
            --thread_state.depth;
        }
    }
    UntimedCall(const UntimedCall&) = delete;
    UntimedCall& operator=(const UntimedCall&) = delete;

    bool counts() const { return counts_; }

private:
    static bool count(RecentSites& recent, Frame frame) {
        const std::uint32_t left = recent.untimed_left.load(std::memory_order_relaxed);
        Site* site = left == 0 ? nullptr : recent.find(frame);
        if (site == nullptr) {
            return false;
        }
        recent.untimed_left.store(left - 1, std::memory_order_relaxed);
        site->untimed.add(1);
        return true;
    }

    bool counts_ = false;
};

/// Where a call comes from whose place has not called lately.
struct Origin {
    Site* site;    // null: not known
    bool is_help;  // glue code helps itself: not a call of the program
};
Origin find_origin(ThreadRecord& record, Function function, Frame frame);

class Call {
public:
    Call(Function function, Frame frame) : frame_(frame), function_(function) {
        ThreadState& state = thread_state;
        if (state.record == nullptr) [[unlikely]] {
            first_call_of_thread();
        }
        record_ = state.record;
        counts_ = state.depth++ == 0 && record_ != nullptr &&
                  session.recording.load(std::memory_order_relaxed);
    }
    ~Call() {
        if (counts_) {
            finish();
        }
        --thread_state.depth;
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    bool counts() const { return counts_; }
    void begin() {
        find_own_site();
        begin_ = ticks();
        record_->current_site.store(site_, std::memory_order_relaxed);
        record_->current_since_ticks.set(begin_);
        record_->current_function.set(1 + static_cast<std::uint64_t>(function_));
        note_entry(begin_);
    }
    void end() {
        const std::uint64_t now = ticks();
        elapsed_ = now > begin_ ? now - begin_ : 0;
        record_->current_function.set(0);
        note_exit(now);
    }

    /// Bytes of the caller's message and where they lie (null: not known, or no memory of the caller).
    void set_size(std::uint64_t bytes, const void* buffer) {
        size_ = bytes;
        device_ = bytes > 0 && is_device_memory(buffer);
    }
    /// The size is known only when a later call completes: time now, count then.
    void defer_size() { deferred_ = true; }
    void set_polling() { polling_ = true; }
    /// The call stands for others that an UntimedCall counts.
    void stand_for_untimed() { stands_for_untimed_ = true; }
    void add_completed(std::uint64_t bytes) { size_ += bytes; }
    /// A persistent collective is being made: nothing travels yet.
    void plan() { planning_ = true; }
    bool planning() const { return planning_; }
    /// Members of the (intra-)communicator of a collective.
    void set_members(int members) { members_ = members; }
    /// What was noted as the size of the plan belongs to MPI_Start.
    void make_persistent(MPI_Request request);

    ThreadRecord& record() { return *record_; }
    Function function() const { return function_; }
    Kind kind() const { return function_kinds[static_cast<int>(function_)]; }
    std::uint64_t elapsed_ticks() const { return elapsed_; }

private:
    void find_own_site();
    void finish();
    void note_site();

    Frame frame_;
    ThreadRecord* record_;
    Site* site_ = nullptr;
    std::uint64_t begin_ = 0;
    std::uint64_t elapsed_ = 0;
    std::uint64_t size_ = 0;
    Function function_;
    int members_ = 0;  // 0: no collective
    bool counts_;
    bool deferred_ = false;
    bool polling_ = false;
    bool planning_ = false;
    bool device_ = false;
    bool stands_for_untimed_ = false;
};

/// Before the call, so that one which never returns has a site, too.
inline void Call::find_own_site() {
    site_ = record_->recent[static_cast<int>(function_)].find(frame_);
    if (site_ == nullptr && (kind() == Kind::local || session.settings.sites)) [[unlikely]] {
        const Origin origin = find_origin(*record_, function_, frame_);
        site_ = origin.site;
        counts_ = !origin.is_help;
    }
}

inline void Call::finish() {
    RecentSites& recent = record_->recent[static_cast<int>(function_)];
    FunctionStats* stats = record_->stats(function_);
    if (stats == nullptr) {
        return;
    }
    if (deferred_) {
        stats->deferred_calls.add(1);
        stats->initiation_ticks.add(elapsed_);
    } else {
        const int place = bin_of(size_);
        Bin& bin = stats->bins[place];
        if (kind() != Kind::local && enters_time_classes(bin.calls.get())) {
            stats->note_time(place, elapsed_);
        }
        bin.calls.add(1);
        bin.ticks.add(elapsed_);
        bin.least.note(elapsed_);
        if (kind() == Kind::complete || kind() == Kind::test) {
            stats->completed_bytes.add(size_);
        } else {
            bin.bytes.add(size_);
        }
    }
    stats->longest.raise(elapsed_);
    if (polling_) {
        stats->polling_ticks.add(elapsed_);
    }
    if (members_ > 1 && kind() == Kind::collective) {
        record_->note_point(function_, members_, size_, elapsed_);
    }
    if (device_) {
        stats->device_calls.add(1);
        stats->device_bytes.add(size_);
    }
    if (stands_for_untimed_) {
        stats->stand_for_untimed(recent, elapsed_);
    }
    note_site();
}

inline void Call::note_site() {
    if (!session.settings.sites) {
        if (site_ == nullptr && stands_for_untimed_) {
            record_->recent[static_cast<int>(function_)].keep(frame_.address, &record_->no_site);
        }
        return;
    }
    if (site_ == nullptr) {
        return;
    }
    site_->calls.add(1);
    site_->ticks.add(elapsed_);
    site_->longest.raise(elapsed_);
    site_->bytes.add(size_);
}

}  // namespace halocline::snapshot
