// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What was counted between two switches goes to the phase that ends there.
#include "phases.hpp"

#include "mpi_time.hpp"
#include "report.hpp"
#include "session.hpp"
#include "spin_lock.hpp"
#include "thread_record.hpp"

namespace halocline::snapshot {

namespace {

constexpr int phase_limit = 32;

struct Phase {
    int level;
    Counter entered, elapsed_ns, mpi_ticks;
    Counter calls[function_count], ticks[function_count];
};

/// All counts of the rank at one moment.
struct Mark {
    std::uint64_t ns, mpi_ticks;
    CallTotal functions[function_count];
};

SpinLock lock;
Phase phases[phase_limit];
std::atomic<int> phase_count{0};
std::atomic<Phase*> open_phase{nullptr};
Mark opened;  // when the open phase began
Mark closing;

void take(Mark& mark, std::uint64_t now_ticks) {
    mark.ns = monotonic_ns();
    mark.mpi_ticks = mpi_ticks_until(now_ticks).any_thread;
    for (int function = 0; function < function_count; ++function) {
        CallTotal sum{0, 0};
        for (const auto* record = first_thread_record(); record != nullptr; record = record->next) {
            const CallTotal each = record->total(function);
            sum.calls += each.calls;
            sum.ticks += each.ticks;
        }
        mark.functions[function] = sum;
    }
}

/// Times of calls that were not timed are a moving mean: they may shrink.
std::uint64_t growth(std::uint64_t from, std::uint64_t to) { return to > from ? to - from : 0; }

void add(Phase& phase, const Mark& from, const Mark& to) {
    phase.elapsed_ns.add(growth(from.ns, to.ns));
    phase.mpi_ticks.add(growth(from.mpi_ticks, to.mpi_ticks));
    for (int i = 0; i < function_count; ++i) {
        phase.calls[i].add(growth(from.functions[i].calls, to.functions[i].calls));
        phase.ticks[i].add(growth(from.functions[i].ticks, to.functions[i].ticks));
    }
}

/// Null when there are too many.
Phase* phase_of(int level) {
    const int count = phase_count.load(std::memory_order_relaxed);
    for (int i = 0; i < count; ++i) {
        if (phases[i].level == level) {
            return &phases[i];
        }
    }
    if (count == phase_limit) {
        return nullptr;
    }
    phases[count].level = level;
    phase_count.store(count + 1, std::memory_order_release);
    return &phases[count];
}

void close_open_phase() {
    if (Phase* phase = open_phase.load(std::memory_order_relaxed)) {
        take(closing, ticks());
        open_phase.store(nullptr, std::memory_order_relaxed);
        add(*phase, opened, closing);
    }
}

/// All before the first switch is level 1, as if the program had said so.
void begin_with_level_1() {
    if (phase_count.load(std::memory_order_relaxed) == 0) {
        Phase* first = phase_of(1);
        first->entered.add(1);
        opened.ns = session.started_ns;
        open_phase.store(first, std::memory_order_release);
    }
}

/// What a phase holds; of the open one what came since it began, too.
struct View {
    const Phase& phase;
    const Mark* now;  // null: the phase is not open

    std::uint64_t value(const Counter& closed, std::uint64_t from, std::uint64_t to) const {
        return closed.get() + (now == nullptr ? 0 : growth(from, to));
    }
    std::uint64_t elapsed_ns() const {
        return value(phase.elapsed_ns, opened.ns, now == nullptr ? 0 : now->ns);
    }
    std::uint64_t mpi_ticks() const {
        return value(phase.mpi_ticks, opened.mpi_ticks, now == nullptr ? 0 : now->mpi_ticks);
    }
    CallTotal function(int index) const {
        const CallTotal& from = opened.functions[index];
        const CallTotal to = now == nullptr ? from : now->functions[index];
        return {value(phase.calls[index], from.calls, to.calls),
                value(phase.ticks[index], from.ticks, to.ticks)};
    }
};

void write_phase(JsonFile& json, const View& view, const TickScale& scale) {
    json.begin_object();
    json.key("level").number(view.phase.level);
    json.key("entered").number(view.phase.entered.get());
    json.key("elapsed_ns").number(view.elapsed_ns());
    json.key("in_mpi_ns").number(scale.to_ns(view.mpi_ticks()));
    json.key("functions").begin_array();
    for (int index = 0; index < function_count; ++index) {
        const CallTotal total = view.function(index);
        if (total.calls == 0) {
            continue;
        }
        json.begin_object();
        json.key("name").string(function_names[index]);
        json.key("calls").number(total.calls);
        json.key("time_ns").number(scale.to_ns(total.ticks));
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

}  // namespace

void switch_phase(int level) {
    lock.lock();
    begin_with_level_1();
    close_open_phase();
    Phase* phase = level == 0 ? nullptr : phase_of(level);
    if (phase != nullptr) {
        phase->entered.add(1);
        take(opened, ticks());
        open_phase.store(phase, std::memory_order_release);
    }
    lock.unlock();
}

void end_phases() {
    lock.lock();
    close_open_phase();
    lock.unlock();
}

void write_phases(JsonFile& json, const TickScale& scale) {
    json.key("phases").begin_array();
    const int count = phase_count.load(std::memory_order_acquire);
    const Phase* open = open_phase.load(std::memory_order_acquire);
    Mark now;
    if (open != nullptr) {
        take(now, scale.now_ticks());
    }
    for (int i = 0; i < count; ++i) {
        write_phase(json, {phases[i], &phases[i] == open ? &now : nullptr}, scale);
    }
    json.end_array();
}

}  // namespace halocline::snapshot
