// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Durations of single collective calls, kept for a sample that is the same on all ranks.
#pragma once

#include "communicators.hpp"
#include "functions.hpp"

#include <atomic>
#include <cstdint>

namespace halocline::snapshot {

struct Sample {
    std::atomic<std::uint64_t> sequence;
    std::atomic<std::uint64_t> ticks;
    std::atomic<std::uint32_t> communicator;
    std::atomic<std::uint16_t> function;
};

/// A consistent view of the samples: rows [0, count) of `rows` were kept one in `one_in`.
struct SampleView {
    const Sample* rows;
    std::uint32_t count;
    std::uint64_t one_in;
    std::uint64_t seen;
};

void start_samples(std::uint32_t limit);
void note_sample(const Communicator& communicator, std::uint64_t sequence, Function function,
                 std::uint64_t ticks);
SampleView view_samples();

}  // namespace halocline::snapshot
