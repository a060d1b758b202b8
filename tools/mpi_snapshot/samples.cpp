// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The sample: calls whose hashed number ends in s zero bits; s grows when the room is used up.
#include "samples.hpp"

#include "counter.hpp"
#include "handle_table.hpp"
#include "hot.hpp"
#include "spin_lock.hpp"

namespace halocline::snapshot {

namespace {

/// One state of the sample. Thinning fills the other table and switches, so that a reader (which may
/// be a signal handler) never sees rows move.
struct Table {
    Sample* rows;
    std::atomic<std::uint32_t> count;
    std::atomic<std::uint32_t> zero_bits;
};

HALOCLINE_HOT constinit Table tables[2] = {};
HALOCLINE_HOT constinit std::atomic<int> current{0};
HALOCLINE_HOT constinit std::uint32_t row_limit = 0;
HALOCLINE_HOT constinit Counter seen = {};
SpinLock lock;

bool is_kept(std::uint64_t id, std::uint64_t sequence, std::uint32_t zero_bits) {
    return (mix(id ^ (sequence * 0x9e3779b97f4a7c15u)) & ((std::uint64_t{1} << zero_bits) - 1)) ==
           0;
}

void append(Table& table, const Communicator& communicator, std::uint64_t sequence,
            std::uint16_t function, std::uint64_t ticks) {
    const std::uint32_t count = table.count.load(std::memory_order_relaxed);
    Sample& row = table.rows[count];
    row.sequence.store(sequence, std::memory_order_relaxed);
    row.ticks.store(ticks, std::memory_order_relaxed);
    row.communicator.store(communicator.index, std::memory_order_relaxed);
    row.function.store(function, std::memory_order_relaxed);
    table.count.store(count + 1, std::memory_order_release);
}

/// Keeps about every second row; returns the table that is current afterwards.
Table& thin(Table& full) {
    Table& other = &full == &tables[0] ? tables[1] : tables[0];
    const std::uint32_t zero_bits = full.zero_bits.load(std::memory_order_relaxed) + 1;
    other.count.store(0, std::memory_order_relaxed);
    other.zero_bits.store(zero_bits, std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < full.count.load(std::memory_order_relaxed); ++i) {
        const Sample& row = full.rows[i];
        const Communicator& communicator =
            *communicator_at(row.communicator.load(std::memory_order_relaxed));
        const std::uint64_t sequence = row.sequence.load(std::memory_order_relaxed);
        if (is_kept(communicator.id, sequence, zero_bits)) {
            append(other, communicator, sequence, row.function.load(std::memory_order_relaxed),
                   row.ticks.load(std::memory_order_relaxed));
        }
    }
    current.store(&other == &tables[0] ? 0 : 1, std::memory_order_release);
    return other;
}

}  // namespace

void start_samples(std::uint32_t limit) {
    row_limit = limit;
    for (Table& table : tables) {
        table.rows = allocate_array<Sample>(limit + 1);
        if (table.rows == nullptr) {
            row_limit = 0;
        }
    }
}

void note_sample(const Communicator& communicator, std::uint64_t sequence, Function function,
                 std::uint64_t ticks) {
    MpiLockGuard guard(lock);
    seen.add(1);
    if (row_limit == 0 || !communicator.listed) {
        return;
    }
    Table* table = &tables[current.load(std::memory_order_relaxed)];
    if (!is_kept(communicator.id, sequence, table->zero_bits.load(std::memory_order_relaxed))) {
        return;
    }
    if (table->count.load(std::memory_order_relaxed) == row_limit) {
        table = &thin(*table);
        if (table->count.load(std::memory_order_relaxed) == row_limit ||
            !is_kept(communicator.id, sequence, table->zero_bits.load(std::memory_order_relaxed))) {
            return;
        }
    }
    append(*table, communicator, sequence, static_cast<std::uint16_t>(function), ticks);
}

SampleView view_samples() {
    const Table& table = tables[current.load(std::memory_order_acquire)];
    return {table.rows, table.count.load(std::memory_order_acquire),
            std::uint64_t{1} << table.zero_bits.load(std::memory_order_relaxed), seen.get()};
}

}  // namespace halocline::snapshot
