// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Repetitions bounded by time, and their statistics.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "halocline/core/communicator.hpp"

namespace halocline::p2p {

/// Of the samples of one figure, in seconds.
struct Spread {
    int samples = 0;
    int batch = 1;  ///< iterations a sample; its time is their mean
    double min_s = 0.0;
    double median_s = 0.0;
    double p99_s = 0.0;
    double max_s = 0.0;
};

/// Percentiles by the nearest-rank rule: the smallest sample that `percent` of all do not exceed.
[[nodiscard]] double percentile(std::span<const double> sorted, double percent);
[[nodiscard]] Spread describe(std::vector<double> samples, int batch);

struct SamplingOptions {
    double time_s = 0.1;          ///< aim for all samples of all steps together
    double batch_time_s = 20e-6;  ///< a sample lasts this or longer: the clock costs 40 ns
    int least_samples = 5;
    int most_samples = 1000;
    bool all_ranks = false;  ///< barrier before each sample, the slowest rank counts
};

/// One iteration of what is measured, on this rank.
using Step = std::function<void()>;

/// Measures each step; samples of the steps alternate, so that a change of the machine's speed meets
/// all alike. Result by step, the same on every rank (rank 0's times, or the slowest's). Collective.
[[nodiscard]] std::vector<std::vector<double>> take_samples(const Communicator& comm,
                                                            std::span<const Step> steps,
                                                            const SamplingOptions& options,
                                                            int& batch);

}  // namespace halocline::p2p
