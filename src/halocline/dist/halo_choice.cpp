// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Known bits through each scheme, then rounds in turns, so that a disturbance meets all of them.
#include "halocline/dist/halo_choice.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/dist/planned_exchange.hpp"

namespace halocline {

namespace {

constexpr int verified_rounds = 3;
constexpr int least_rounds = 5;
constexpr int most_rounds = 25;
constexpr double time_for_rounds_s = 0.4;

/// Any 64 bits, NaNs and denormals among them: the mixing steps of a linear congruential hash.
std::uint64_t pattern(GlobalIndex id, int component, int round) {
    std::uint64_t bits =
        static_cast<std::uint64_t>(id) * 64 + static_cast<std::uint64_t>(component);
    bits = (bits + 1 + static_cast<std::uint64_t>(round) * 0x9E37u) * 0x9E3779B97F4A7C15u;
    bits ^= bits >> 29;
    bits *= 0xBF58476D1CE4E5B9u;
    return bits ^ (bits >> 32);
}

/// One dat a sample, in rows.
class Fields {
public:
    explicit Fields(std::span<const HaloSample> samples) : samples_(samples) {
        for (const HaloSample& sample : samples) {
            values_.emplace_back(static_cast<std::size_t>(sample.set->total) *
                                 static_cast<std::size_t>(sample.dim));
        }
    }

    [[nodiscard]] HaloItem item(std::size_t s) {
        const HaloSample& sample = samples_[s];
        return {{values_[s].data(), sample.dim, Layout::rows(sample.dim)}, sample.set};
    }

    /// Owned elements get their pattern, halo elements anything else.
    void set(int round) {
        for_each([&](std::size_t s, LocalIndex i, int d, double& value) {
            const std::uint64_t bits = pattern(samples_[s].set->global_id(i), d, round);
            value = std::bit_cast<double>(i < samples_[s].set->owned ? bits : ~bits);
        });
    }

    [[nodiscard]] std::int64_t count_wrong(int round) {
        std::int64_t wrong = 0;
        for_each([&](std::size_t s, LocalIndex i, int d, double& value) {
            const std::uint64_t right = pattern(samples_[s].set->global_id(i), d, round);
            wrong += std::bit_cast<std::uint64_t>(value) == right ? 0 : 1;
        });
        return wrong;
    }

    [[nodiscard]] std::int64_t count_different(Fields& other) {
        std::int64_t different = 0;
        for_each([&](std::size_t s, LocalIndex i, int d, double& value) {
            const auto at =
                static_cast<std::size_t>(i) * static_cast<std::size_t>(samples_[s].dim) +
                static_cast<std::size_t>(d);
            different += std::bit_cast<std::uint64_t>(value) ==
                                 std::bit_cast<std::uint64_t>(other.values_[s][at])
                             ? 0
                             : 1;
        });
        return different;
    }

private:
    template <class Visit>
    void for_each(Visit&& visit) {
        for (std::size_t s = 0; s < samples_.size(); ++s) {
            const int dim = samples_[s].dim;
            for (LocalIndex i = 0; i < samples_[s].set->total; ++i) {
                for (int d = 0; d < dim; ++d) {
                    visit(s, i, d,
                          values_[s][static_cast<std::size_t>(i) * static_cast<std::size_t>(dim) +
                                     static_cast<std::size_t>(d)]);
                }
            }
        }
    }

    std::span<const HaloSample> samples_;
    std::vector<std::vector<double>> values_;
};

/// Every sample once, or as often as it says.
void exchange_all(HaloExchange& exchange, Fields& fields, std::span<const HaloSample> samples,
                  bool repeated) {
    for (std::size_t s = 0; s < samples.size(); ++s) {
        const HaloItem item = fields.item(s);
        for (int k = 0; k < (repeated ? samples[s].repeats : 1); ++k) {
            exchange.begin({&item, 1});
            exchange.end();
        }
    }
}

HaloLedger sum_counts(const Communicator& comm, const HaloLedger& mine) {
    HaloLedger total;
    total.exchanges = comm.max(mine.exchanges);
    total.messages = comm.sum(mine.messages);
    total.bytes = comm.sum(mine.bytes);
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
    return ledger;
}

bool same_counts(const HaloLedger& a, const HaloLedger& b) {
    return a.exchanges == b.exchanges && a.messages == b.messages && a.bytes == b.bytes;
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
        : comm_(comm), samples_(samples), fields_(samples) {
        fields_.set(0);
    }

    void enter(const dist::HaloScheme& scheme, const std::optional<NetworkModel>& network) {
        Runner runner;
        runner.trial.scheme = scheme.name;
        const std::string defect = find_halo_defect(comm_, samples_, scheme);
        runner.trial.correct = defect.empty();
        if (runner.trial.correct) {
            runner.exchange = dist::make_planned_exchange(comm_, scheme, network);
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
        HaloTrial trial;
        std::unique_ptr<HaloExchange> exchange;
        std::vector<double> seconds;
    };

    double time_round(Runner& runner) {
        comm_.barrier();
        const double start_s = wall_seconds();
        exchange_all(*runner.exchange, fields_, samples_, true);
        return comm_.max(wall_seconds() - start_s);
    }

    const Communicator& comm_;
    std::span<const HaloSample> samples_;
    Fields fields_;
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

std::string find_halo_defect(const Communicator& comm, std::span<const HaloSample> samples,
                             const dist::HaloScheme& scheme) {
    const dist::HaloScheme& plain_scheme = dist::halo_schemes().front();
    const auto plain = dist::make_planned_exchange(comm, plain_scheme);
    const auto tried = dist::make_planned_exchange(comm, scheme);
    Fields expected(samples);
    Fields found(samples);
    std::int64_t different = 0;
    for (int round = 0; round < verified_rounds; ++round) {
        expected.set(round);
        found.set(round);
        exchange_all(*plain, expected, samples, false);
        const std::int64_t wrong = comm.sum(expected.count_wrong(round));
        validate<RunError>(wrong == 0,
                           fmt::format("halo scheme '{}' brought {} wrong values (the MPI library "
                                       "or the network is broken). Run halocline doctor.",
                                       plain_scheme.name, wrong));
        const std::string failure =
            failure_of(comm, [&] { exchange_all(*tried, found, samples, false); });
        if (!failure.empty()) {
            return failure;
        }
        different += comm.sum(found.count_different(expected));
    }
    if (different > 0) {
        return fmt::format("{} values differ from {}", different, plain_scheme.name);
    }
    const HaloLedger predicted = times(predict_exchange(samples), verified_rounds);
    const std::int64_t miscounted = same_counts(tried->ledger(), predicted) ? 0 : 1;
    return comm.sum(miscounted) > 0 ? "messages or bytes differ from the partition's prediction"
                                    : "";
}

HaloChoice choose_halo_scheme(const Communicator& comm, std::span<const HaloSample> samples,
                              const std::optional<NetworkModel>& network,
                              std::span<const dist::HaloScheme> schemes) {
    Race race(comm, samples);
    for (const dist::HaloScheme& scheme : schemes) {
        race.enter(scheme, network);
    }
    return race.run();
}

}  // namespace halocline
