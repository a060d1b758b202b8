// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses among halo schemes by name or by measurement.
#include "halocline/run/halo.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "halocline/core/error.hpp"
#include "halocline/dist/exchange/device_halo.hpp"
#include "halocline/runtime/halo_setup.hpp"

namespace halocline::run {

namespace {

std::vector<record::HaloLevel> describe_levels(const Communicator& comm,
                                               std::span<const HaloSample> samples) {
    std::vector<record::HaloLevel> levels;
    std::vector<const SetPart*> known;  // a level's set may send several dats
    for (const HaloSample& sample : samples) {
        if (std::find(known.begin(), known.end(), sample.set) != known.end()) {
            continue;
        }
        known.push_back(sample.set);
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

HaloSetup set_up_halo(const HaloWork& work, const std::string& wanted,
                      std::span<const HaloSample> exchanges) {
    const Communicator& comm = work.comm;
    HaloSetup setup;
    record::Halo& record = setup.record;
    record.overlap = work.options.overlap == Overlap::on;
    if (const auto& network = work.options.network) {
        record.network_model =
            record::NetworkModel{network->latency_s * 1e6, network->bytes_per_s * 1e-9};
    }
    if (comm.size() > 1) {
        record.levels = describe_levels(comm, exchanges);
    }
    const HaloCandidates possible = halo_candidates(comm, work.rank, work.options.network);
    const std::vector<HaloCandidate>& candidates = possible.schemes;
    record.scheme = wanted;
    if (wanted == "auto") {
        record.requested = wanted;
        record.scheme = candidates.front().name;
        if (comm.size() > 1) {
            note_choice(choose_halo_scheme(comm, exchanges, candidates), work.console, record);
        }
    }
    const HaloCandidate& chosen = possible.find(record.scheme, work.rank);
    const bool needs_check = work.rank.any() || &chosen != &candidates.front();
    if (comm.size() > 1 && wanted != "auto" && needs_check) {
        require_correct(comm, exchanges, chosen, candidates.front().name, work.rank.words);
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
    const HaloLedger ledger = exchange.completed_ledger().since(before);
    static_cast<record::HaloCounts&>(record) = sum_ledger(comm, ledger);
    record.packing_s = comm.sum(ledger.packing_s) / comm.size();
    record.device_copies = comm.sum(ledger.link_copies);
    record.device_bytes = comm.sum(ledger.link_bytes);
}

}  // namespace halocline::run
