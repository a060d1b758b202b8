// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Known bits through each scheme, then rounds in turns, so that a disturbance meets all of them.
#include "halocline/dist/exchange/halo_choice.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/dist/exchange/halo_plan.hpp"
#include "halocline/dist/exchange/probe_fields.hpp"

namespace halocline {

using dist::ProbeFields;

namespace {

constexpr int verified_rounds = 3;
constexpr int least_rounds = 5;
constexpr int most_rounds = 25;
constexpr double time_for_rounds_s = 0.4;

/// Every sample once, or as often as it says; values are there when it returns.
void exchange_all(HaloExchange& exchange, const HaloCandidate& candidate, ProbeFields& fields,
                  std::span<const HaloSample> samples, bool repeated) {
    for (std::size_t s = 0; s < samples.size(); ++s) {
        const HaloItem item = fields.item(s);
        for (int k = 0; k < (repeated ? samples[s].repeats : 1); ++k) {
            exchange.begin({&item, 1});
            exchange.end();
        }
    }
    if (candidate.compute != nullptr) {
        candidate.compute->synchronize();
    }
}

HaloLedger sum_counts(const Communicator& comm, const HaloLedger& mine) {
    HaloLedger total;
    total.exchanges = comm.max(mine.exchanges);
    total.messages = comm.sum(mine.messages);
    total.bytes = comm.sum(mine.bytes);
    total.link_copies = comm.sum(mine.link_copies);
    total.link_bytes = comm.sum(mine.link_bytes);
    return total;
}

/// What an MPI library says that cannot do what a scheme needs; empty when it can. All ranks learn it.
template <class Work>
std::string failure_of(const Communicator& comm, Work&& work) {
    std::string failure;
    try {
        work();
    } catch (const RunError& error) {
        failure = error.what();
    }
    const std::int64_t failed = failure.empty() ? 0 : 1;
    return comm.max(failed) > 0 && failure.empty() ? "it failed on another rank" : failure;
}

HaloLedger times(HaloLedger ledger, int factor) {
    ledger.exchanges *= factor;
    ledger.messages *= factor;
    ledger.bytes *= factor;
    ledger.link_copies *= factor;
    ledger.link_bytes *= factor;
    return ledger;
}

bool same_counts(const HaloLedger& a, const HaloLedger& b) {
    return a.exchanges == b.exchanges && a.messages == b.messages && a.bytes == b.bytes &&
           a.link_copies == b.link_copies && a.link_bytes == b.link_bytes;
}

double quantile(std::vector<double> values, double share) {
    const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at),
                     values.end());
    return values[at];
}

std::string microseconds(double seconds) { return fmt::format("{:.1f} us", seconds * 1e6); }

/// Names the winner and why; `trials` are those of the schemes in order.
void judge(HaloChoice& choice) {
    HaloTrial& plain = choice.trials.front();
    HaloTrial* best = &plain;
    for (HaloTrial& trial : choice.trials) {
        if (trial.correct && trial.seconds < best->seconds) {
            best = &trial;
        }
    }
    const double gain_s = plain.seconds - best->seconds;
    const double noise_s = plain.noise_s + best->noise_s;
    const bool within_noise = best != &plain && gain_s <= noise_s;
    HaloTrial& kept = within_noise ? plain : *best;
    for (HaloTrial& trial : choice.trials) {
        if (trial.correct) {
            trial.verdict = &trial == &kept                ? "kept"
                            : trial.seconds < kept.seconds ? "within the noise"
                                                           : "slower";
        }
    }
    choice.scheme = kept.scheme;
    if (within_noise) {
        choice.reason =
            fmt::format("{} stays: {} was {} faster, less than the noise of {}.", kept.scheme,
                        best->scheme, microseconds(gain_s), microseconds(noise_s));
    } else if (best == &plain) {
        choice.reason = fmt::format("{} stays: no other scheme was faster.", kept.scheme);
    } else {
        choice.reason =
            fmt::format("{} takes {}, {} {} (noise {}).", kept.scheme, microseconds(kept.seconds),
                        plain.scheme, microseconds(plain.seconds), microseconds(noise_s));
    }
}

/// Right schemes run in turns; wrong ones are out before the start.
class Race {
public:
    Race(const Communicator& comm, std::span<const HaloSample> samples)
        : comm_(comm), samples_(samples) {}

    void enter(const HaloCandidate& candidate) {
        Runner runner;
        runner.candidate = &candidate;
        runner.trial.scheme = candidate.name;
        const std::string defect = find_halo_defect(comm_, samples_, candidate);
        runner.trial.correct = defect.empty();
        if (runner.trial.correct) {
            runner.fields = std::make_unique<ProbeFields>(samples_, candidate.device);
            runner.fields->set(0);
            runner.exchange = candidate.make();
            time_round(runner);  // makes plans and connections
            const HaloLedger before = runner.exchange->ledger();
            once_s_ += time_round(runner);
            runner.trial.counts = sum_counts(comm_, runner.exchange->ledger().since(before));
        } else {
            runner.trial.verdict = "rejected: " + defect;
        }
        runners_.push_back(std::move(runner));
    }

    HaloChoice run() {
        HaloChoice choice;
        choice.rounds = std::clamp(static_cast<int>(time_for_rounds_s / std::max(once_s_, 1e-6)),
                                   least_rounds, most_rounds);
        for (int round = 0; round < choice.rounds; ++round) {
            for (Runner& runner : runners_) {
                if (runner.trial.correct) {
                    runner.seconds.push_back(time_round(runner));
                }
            }
        }
        for (Runner& runner : runners_) {
            if (runner.trial.correct) {
                runner.trial.seconds = quantile(runner.seconds, 0.5);
                runner.trial.noise_s =
                    (quantile(runner.seconds, 0.75) - quantile(runner.seconds, 0.25)) / 2.0;
            }
            choice.trials.push_back(std::move(runner.trial));
        }
        judge(choice);
        return choice;
    }

private:
    struct Runner {
        const HaloCandidate* candidate = nullptr;
        HaloTrial trial;
        std::unique_ptr<ProbeFields> fields;
        std::unique_ptr<HaloExchange> exchange;
        std::vector<double> seconds;
    };

    double time_round(Runner& runner) {
        comm_.barrier();
        const double start_s = wall_seconds();
        exchange_all(*runner.exchange, *runner.candidate, *runner.fields, samples_, true);
        return comm_.max(wall_seconds() - start_s);
    }

    const Communicator& comm_;
    std::span<const HaloSample> samples_;
    std::vector<Runner> runners_;
    double once_s_ = 0.0;  ///< a round of every scheme
};

}  // namespace

HaloLedger predict_exchange(std::span<const HaloSample> samples) {
    HaloLedger ledger;
    for (const HaloSample& sample : samples) {
        const HaloPattern& halo = sample.set->halo;
        ledger.bytes +=
            std::int64_t{8} * sample.dim * static_cast<std::int64_t>(halo.send_indices.size());
        ledger.exchanges += halo.neighbours.empty() ? 0 : 1;
        for (std::size_t k = 0; k < halo.neighbours.size(); ++k) {
            ledger.messages += halo.send_offsets[k + 1] > halo.send_offsets[k] ? 1 : 0;
        }
    }
    return ledger;
}

std::vector<HaloCandidate> host_candidates(const Communicator& comm,
                                           const std::optional<NetworkModel>& network,
                                           std::span<const dist::HaloScheme> schemes) {
    const auto predict = [](std::span<const HaloItem> items) {
        HaloLedger total;
        for (const HaloItem& item : items) {
            const HaloSample sample{item.set, item.dat.dim, 1};
            total += predict_exchange({&sample, 1});
        }
        return total;
    };
    std::vector<HaloCandidate> candidates;
    for (const dist::HaloScheme& scheme : schemes) {
        candidates.push_back({std::string(scheme.name),
                              [&comm, &scheme, network] {
                                  return dist::make_planned_exchange(comm, scheme, network);
                              },
                              predict});
    }
    return candidates;
}

namespace {

/// Each sample once, by itself.
HaloLedger predict_rounds(const HaloCandidate& candidate, ProbeFields& fields, std::size_t samples,
                          int rounds) {
    HaloLedger once;
    for (std::size_t s = 0; s < samples; ++s) {
        const HaloItem item = fields.item(s);
        once += candidate.predict({&item, 1});
    }
    return times(once, rounds);
}

}  // namespace

std::string find_halo_defect(const Communicator& comm, std::span<const HaloSample> samples,
                             const HaloCandidate& candidate) {
    const dist::HaloScheme& plain_scheme = dist::halo_schemes().front();
    const auto plain = dist::make_planned_exchange(comm, plain_scheme);
    const HaloCandidate host;
    const auto tried = candidate.make();
    ProbeFields expected(samples, nullptr);
    ProbeFields found(samples, candidate.device);
    std::int64_t different = 0;
    for (int round = 0; round < verified_rounds; ++round) {
        expected.set(round);
        found.set(round);
        exchange_all(*plain, host, expected, samples, false);
        const std::int64_t wrong = comm.sum(expected.count_wrong(round));
        validate<RunError>(wrong == 0,
                           fmt::format("halo scheme '{}' brought {} wrong values (the MPI library "
                                       "or the network is broken). Run halocline doctor.",
                                       plain_scheme.name, wrong));
        const std::string failure =
            failure_of(comm, [&] { exchange_all(*tried, candidate, found, samples, false); });
        if (!failure.empty()) {
            return failure;
        }
        different += comm.sum(found.count_different(expected));
    }
    if (different > 0) {
        return fmt::format("{} values differ from {}", different, plain_scheme.name);
    }
    const HaloLedger predicted = predict_rounds(candidate, found, samples.size(), verified_rounds);
    const std::int64_t miscounted = same_counts(tried->ledger(), predicted) ? 0 : 1;
    return comm.sum(miscounted) > 0 ? "messages, bytes or copies differ from the prediction" : "";
}

HaloChoice choose_halo_scheme(const Communicator& comm, std::span<const HaloSample> samples,
                              std::span<const HaloCandidate> candidates) {
    Race race(comm, samples);
    for (const HaloCandidate& candidate : candidates) {
        race.enter(candidate);
    }
    return race.run();
}

}  // namespace halocline
