// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Wall and CPU clocks, and the peak memory of this process.
#pragma once

#include <cstdint>

namespace halocline {

/// Seconds of a monotonic clock.
[[nodiscard]] double wall_seconds() noexcept;

/// CPU seconds used by all threads of this process.
[[nodiscard]] double cpu_seconds() noexcept;

/// Largest resident set of this process so far [bytes].
[[nodiscard]] std::int64_t peak_memory_bytes() noexcept;

/// Adds the wall time of its own life to a counter.
class ScopedTimer {
public:
    /// Adds to `total_s` [s] when it ends.
    explicit ScopedTimer(double& total_s) noexcept : total_s_(total_s), start_s_(wall_seconds()) {}
    ~ScopedTimer() { total_s_ += wall_seconds() - start_s_; }
    ScopedTimer(const ScopedTimer&) = delete;
    ScopedTimer& operator=(const ScopedTimer&) = delete;

private:
    double& total_s_;
    double start_s_;
};

}  // namespace halocline
