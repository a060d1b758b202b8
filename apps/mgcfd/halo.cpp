// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses among halo schemes by name or by measurement.
#include "halo.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "halocline/core/error.hpp"
#include "halocline/dist/device_halo.hpp"
#include "halocline/dist/halo_choice.hpp"
#include "halocline/runtime/halo_setup.hpp"
#include "halocline/solver/mgcfd/level.hpp"

namespace halocline::mgcfd {

namespace {

/// Exchanges of the state in one cycle: three stages a visit, then restriction; levels between the
/// finest and the coarsest are visited twice.
int exchanges_a_cycle(std::size_t level, std::size_t levels) {
    const bool is_finest = level == 0;
    const bool is_coarsest = level + 1 == levels;
    return (is_finest || is_coarsest ? 3 : 6) + (is_coarsest ? 0 : 1);
}

std::vector<HaloSample> state_samples(const MeshPart& part, const std::vector<MgcfdLevel>& levels) {
    std::vector<HaloSample> samples;
    for (std::size_t l = 0; l < levels.size(); ++l) {
        const SetPart& nodes = part.sets[static_cast<std::size_t>(levels[l].node_set)];
        samples.push_back({&nodes, variables, exchanges_a_cycle(l, levels.size())});
    }
    return samples;
}

std::vector<record::HaloLevel> describe_levels(const Communicator& comm,
                                               std::span<const HaloSample> samples) {
    std::vector<record::HaloLevel> levels;
    for (const HaloSample& sample : samples) {
        const HaloLedger once = predict_exchange({&sample, 1});
        levels.push_back({static_cast<int>(levels.size()), comm.sum(once.messages),
                          comm.sum(once.bytes) / sample.dim / 8});
    }
    return levels;
}

record::HaloTrial describe_trial(const HaloTrial& trial) {
    record::HaloTrial result;
    result.scheme = trial.scheme;
    result.verdict = trial.verdict;
    if (trial.correct) {
        result.seconds = trial.seconds;
        result.noise_s = trial.noise_s;
    }
    result.exchanges = trial.counts.exchanges;
    result.messages = trial.counts.messages;
    result.bytes = trial.counts.bytes;
    result.device_copies = trial.counts.link_copies;
    result.device_bytes = trial.counts.link_bytes;
    return result;
}

void print_trials(const HaloChoice& choice, const Console& console) {
    console.line(fmt::format(
        "Halo schemes on this run's pattern: the exchanges of one cycle, median of {} rounds",
        choice.rounds));
    console.line(fmt::format("  {:<10} {:>11} {:>10} {:>10} {:>9} {:>12} {:>8} {:>12}  {}",
                             "scheme", "us a cycle", "noise us", "exchanges", "messages", "bytes",
                             "copies", "copied bytes", "verdict"));
    for (const HaloTrial& trial : choice.trials) {
        const std::string times =
            trial.correct
                ? fmt::format("{:>11.1f} {:>10.1f}", trial.seconds * 1e6, trial.noise_s * 1e6)
                : fmt::format("{:>11} {:>10}", "-", "-");
        console.line(fmt::format("  {:<10} {} {:>10} {:>9} {:>12} {:>8} {:>12}  {}", trial.scheme,
                                 times, trial.counts.exchanges, trial.counts.messages,
                                 trial.counts.bytes, trial.counts.link_copies,
                                 trial.counts.link_bytes, trial.verdict));
    }
    console.line("  " + choice.reason);
}

void note_choice(const HaloChoice& choice, const Console& console, record::Halo& record) {
    print_trials(choice, console);
    record.scheme = choice.scheme;
    record.reason = choice.reason;
    std::transform(choice.trials.begin(), choice.trials.end(), std::back_inserter(record.trials),
                   describe_trial);
}

/// Says why GPUs that could write to each other do not.
std::string usual_scheme(const RankDevice& rank, const Console& console) {
    if (rank.any() && rank.ranks > 1 && run_at_once(rank.gpus) && !rank.peer_access.possible) {
        console.line("Halo scheme packed, as GPUs do not reach each other's memory (" +
                     rank.peer_access.evidence + ").");
    }
    return usual_halo_scheme(rank);
}

}  // namespace

std::string wanted_halo_scheme(const Options& options, const RankDevice& rank,
                               const Console& console) {
    if (!rank.any()) {
        if (options.gpudirect) {
            console.line("-gpudirect has no effect here (no GPU takes part in this run).");
        }
        std::string wanted = options.halo_scheme.empty() ? "p2p" : options.halo_scheme;
        check_halo_scheme_name(wanted);
        return wanted;
    }
    validate<UsageError>(!options.network,
                         "--network-model holds messages between hosts back, not those of devices. "
                         "Leave it out, or choose --device cpu.");
    std::string wanted = options.halo_scheme;
    if (wanted.empty()) {
        wanted = options.gpudirect ? "direct" : usual_scheme(rank, console);
    }
    check_device_halo_scheme_name(wanted);
    validate<UsageError>(!options.gpudirect || wanted == "direct",
                         "-gpudirect stands for --halo-scheme direct, and " + wanted +
                             " was asked for, too. Leave one of them out.");
    return wanted;
}

HaloSetup set_up_halo(const Communicator& comm, const Options& options, const std::string& wanted,
                      const RankDevice& rank, const MeshPart& part,
                      const std::vector<MgcfdLevel>& levels, const Console& console) {
    HaloSetup setup;
    record::Halo& record = setup.record;
    record.overlap = options.overlap == Overlap::on;
    if (options.network) {
        record.network_model = record::NetworkModel{options.network->latency_s * 1e6,
                                                    options.network->bytes_per_s * 1e-9};
    }
    const std::vector<HaloSample> samples = state_samples(part, levels);
    if (comm.size() > 1) {
        record.levels = describe_levels(comm, samples);
    }
    const HaloCandidates possible = halo_candidates(comm, rank, options.network);
    const std::vector<HaloCandidate>& candidates = possible.schemes;
    record.scheme = wanted;
    if (wanted == "auto") {
        record.requested = wanted;
        record.scheme = candidates.front().name;
        if (comm.size() > 1) {
            note_choice(choose_halo_scheme(comm, samples, candidates), console, record);
        }
    }
    const HaloCandidate& chosen = possible.find(record.scheme, rank);
    const bool needs_check = rank.any() || &chosen != &candidates.front();
    if (comm.size() > 1 && wanted != "auto" && needs_check) {
        require_correct(comm, samples, chosen, candidates.front().name, rank.words);
    }
    setup.exchange = chosen.make();
    return setup;
}

record::HaloCounts sum_ledger(const Communicator& comm, const HaloLedger& ledger) {
    const double ranks = comm.size();
    record::HaloCounts result;
    result.exchanges = comm.max(ledger.exchanges);
    result.messages = comm.sum(ledger.messages);
    result.bytes = comm.sum(ledger.bytes);
    result.overlapped = comm.max(ledger.overlapped);
    result.total_s = comm.sum(ledger.total_s) / ranks;
    result.exposed_s = comm.sum(ledger.exposed_s) / ranks;
    result.hidden_s = result.total_s - result.exposed_s;
    return result;
}

void collect_ledger(const Communicator& comm, const HaloExchange& exchange,
                    const HaloLedger& before, record::Halo& record) {
    const HaloLedger ledger = exchange.ledger().since(before);
    static_cast<record::HaloCounts&>(record) = sum_ledger(comm, ledger);
    record.packing_s = comm.sum(ledger.packing_s) / comm.size();
    record.device_copies = comm.sum(ledger.link_copies);
    record.device_bytes = comm.sum(ledger.link_bytes);
}

}  // namespace halocline::mgcfd
