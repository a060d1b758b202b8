// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A number with one writer that other threads and signal handlers may read at any time.
#pragma once

#include <atomic>
#include <cstdint>

namespace halocline::snapshot {

/// Plain loads and stores in machine code: no locked instruction, no torn value. Always inline: in the
/// file of all wrappers the compiler would rather call them.
/// Zero-filled memory is a valid counter of value 0.
class Counter {
public:
    [[gnu::always_inline]] void add(std::uint64_t amount) { set(get() + amount); }
    [[gnu::always_inline]] void raise(std::uint64_t value) {
        if (value > get()) {
            set(value);
        }
    }
    [[gnu::always_inline]] void set(std::uint64_t value) {
        value_.store(value, std::memory_order_relaxed);
    }
    [[gnu::always_inline]] std::uint64_t get() const {
        return value_.load(std::memory_order_relaxed);
    }

private:
    std::atomic<std::uint64_t> value_;
};

/// Least value seen, kept as the greatest complement so that zero-filled memory means "none".
class Least {
public:
    [[gnu::always_inline]] void note(std::uint64_t value) { complement_.raise(~value); }
    bool empty() const { return complement_.get() == 0; }
    std::uint64_t get() const { return ~complement_.get(); }

private:
    Counter complement_;
};

}  // namespace halocline::snapshot
