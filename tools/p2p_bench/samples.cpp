// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Calibrates on warm-up iterations, then runs a number of samples agreed upon in advance.
#include "samples.hpp"

#include <algorithm>
#include <cmath>

#include "halocline/core/clock.hpp"

namespace halocline::p2p {

namespace {

double run_batch(const Step& step, int batch) {
    const double start_s = wall_seconds();
    for (int k = 0; k < batch; ++k) {
        step();
    }
    return (wall_seconds() - start_s) / batch;
}

/// Warms up and returns seconds of one iteration of all steps together, the same on every rank.
double warm_up(const Communicator& comm, std::span<const Step> steps,
               const SamplingOptions& options) {
    double best_s = 1e30;
    double spent_s = 0.0;
    // Three rounds at least: on a busy machine one of them may be an interrupted one.
    for (int round = 0, batch = 1; round < 3 || (round < 8 && spent_s < 0.2 * options.time_s);
         ++round) {
        comm.barrier();
        double seconds = 0.0;
        for (const Step& step : steps) {
            seconds += run_batch(step, batch);
        }
        seconds = comm.max(seconds);
        best_s = std::min(best_s, seconds);
        spent_s += seconds * batch;
        batch = seconds > 1e-3 ? 1 : std::min(batch * 4, 256);
    }
    return best_s;
}

}  // namespace

double percentile(std::span<const double> sorted, double percent) {
    if (sorted.empty()) {
        return 0.0;
    }
    const double rank = std::ceil(percent / 100.0 * static_cast<double>(sorted.size()));
    const auto place = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
    return sorted[std::min(place, sorted.size() - 1)];
}

Spread describe(std::vector<double> samples, int batch) {
    std::sort(samples.begin(), samples.end());
    Spread spread;
    spread.samples = static_cast<int>(samples.size());
    spread.batch = batch;
    if (!samples.empty()) {
        spread.min_s = samples.front();
        spread.median_s = percentile(samples, 50.0);
        spread.p99_s = percentile(samples, 99.0);
        spread.max_s = samples.back();
    }
    return spread;
}

std::vector<std::vector<double>> take_samples(const Communicator& comm, std::span<const Step> steps,
                                              const SamplingOptions& options, int& batch) {
    const double iteration_s = warm_up(comm, steps, options);
    const double step_s = iteration_s / static_cast<double>(steps.size());
    batch = static_cast<int>(std::clamp(std::ceil(options.batch_time_s / step_s), 1.0, 1000.0));
    const double wanted = options.time_s / (iteration_s * batch);
    const int count = static_cast<int>(
        std::clamp(wanted, double(options.least_samples), double(options.most_samples)));
    std::vector<std::vector<double>> samples(steps.size(),
                                             std::vector<double>(static_cast<std::size_t>(count)));
    comm.barrier();
    for (int s = 0; s < count; ++s) {
        for (std::size_t k = 0; k < steps.size(); ++k) {
            // Turns change, or one step would always inherit the caches of the same other one.
            const std::size_t turn = (k + static_cast<std::size_t>(s)) % steps.size();
            if (options.all_ranks) {
                comm.barrier();
            }
            samples[turn][static_cast<std::size_t>(s)] = run_batch(steps[turn], batch);
        }
    }
    for (std::vector<double>& of_step : samples) {
        if (options.all_ranks) {
            check_mpi(
                MPI_Allreduce(MPI_IN_PLACE, of_step.data(), count, MPI_DOUBLE, MPI_MAX, comm.get()),
                "MPI_Allreduce");
        } else {
            check_mpi(MPI_Bcast(of_step.data(), count, MPI_DOUBLE, 0, comm.get()), "MPI_Bcast");
        }
    }
    return samples;
}

}  // namespace halocline::p2p
