// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Patterns as data: phases of sends and receives, and what one iteration counts.
#include "plans.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "halocline/core/error.hpp"

namespace halocline::p2p {

namespace {

constexpr std::array<std::string_view, 5> names_of_patterns{"latency", "bandwidth", "bidirectional",
                                                            "pairs", "sparse"};

Phase sends_of(int peer, std::size_t bytes, int count) {
    Phase phase;
    for (int k = 0; k < count; ++k) {
        phase.sends.push_back({peer, k, nullptr, bytes});
    }
    return phase;
}

Phase receives_of(int peer, std::size_t bytes, int count) {
    Phase phase;
    for (int k = 0; k < count; ++k) {
        phase.receives.push_back({peer, k, nullptr, bytes});
    }
    return phase;
}

/// Rank 0 and the rank half-way through the job: with ranks placed host by host, another host.
struct Pair {
    int first = 0;
    int second = 0;
};
Pair main_pair(int ranks) { return {0, ranks / 2}; }

void add_ping_pong(Plan& plan, int rank, Pair pair, std::size_t bytes) {
    plan.ways = 2;
    plan.bytes = static_cast<std::int64_t>(bytes);
    plan.messages = 1;
    if (rank == pair.first) {
        plan.phases = {sends_of(pair.second, bytes, 1), receives_of(pair.second, bytes, 1)};
    } else if (rank == pair.second) {
        plan.phases = {receives_of(pair.first, bytes, 1), sends_of(pair.first, bytes, 1)};
    }
}

void add_window(Plan& plan, int rank, Pair pair, std::size_t bytes) {
    if (rank == pair.first) {
        plan.phases = {sends_of(pair.second, bytes, plan.window)};
        plan.acknowledge_from = pair.second;
    } else if (rank == pair.second) {
        plan.phases = {receives_of(pair.first, bytes, plan.window)};
        plan.acknowledge_to = pair.first;
    }
}

void add_both_ways(Plan& plan, int rank, Pair pair, std::size_t bytes) {
    if (rank != pair.first && rank != pair.second) {
        return;
    }
    const int peer = rank == pair.first ? pair.second : pair.first;
    Phase phase = sends_of(peer, bytes, plan.window);
    phase.receives = receives_of(peer, bytes, plan.window).receives;
    plan.phases = {std::move(phase)};
}

/// Each rank of the first half sends to its partner in the second half, all at once.
void add_pairs(Plan& plan, int rank, int ranks, std::size_t bytes) {
    const int half = ranks / 2;
    plan.pairs = half;
    if (rank < half) {
        add_window(plan, rank, {rank, rank + half}, bytes);
    } else if (rank < 2 * half) {
        add_window(plan, rank, {rank - half, rank}, bytes);
    }
}

void add_sparse(Plan& plan, int rank, const ExchangePattern& file) {
    Phase phase;
    for (int from = 0; from < file.ranks(); ++from) {
        for (const ExchangePattern::Message& message : file.sends[static_cast<std::size_t>(from)]) {
            plan.bytes += static_cast<std::int64_t>(message.bytes);
            ++plan.messages;
            if (from == rank) {
                phase.sends.push_back({message.peer, 0, nullptr, message.bytes});
            } else if (message.peer == rank) {
                phase.receives.push_back({from, 0, nullptr, message.bytes});
            }
        }
    }
    plan.phases = {std::move(phase)};
    plan.window = 1;
    plan.pairs = 0;
}

/// Gives every message its place, or all of one direction the same.
void place_messages(PreparedPlan& made, const PlanRequest& request) {
    const bool distinct = request.distinct || request.pattern == "sparse";
    made.plan.distinct = distinct;
    std::size_t send_bytes = 0;
    std::size_t receive_bytes = 0;
    for (const Phase& phase : made.plan.phases) {
        for (const Transfer& send : phase.sends) {
            send_bytes = distinct ? send_bytes + send.bytes : send.bytes;
        }
        for (const Transfer& receive : phase.receives) {
            receive_bytes = distinct ? receive_bytes + receive.bytes : receive.bytes;
        }
    }
    made.send_buffer = MessageBuffer(request.memory, send_bytes, request.device);
    made.receive_buffer = MessageBuffer(request.memory, receive_bytes, request.device);
    std::byte* next_send = made.send_buffer.data();
    std::byte* next_receive = made.receive_buffer.data();
    for (Phase& phase : made.plan.phases) {
        for (Transfer& send : phase.sends) {
            send.data = next_send;
            next_send += distinct ? send.bytes : 0;
        }
        for (Transfer& receive : phase.receives) {
            receive.data = next_receive;
            next_receive += distinct ? receive.bytes : 0;
        }
    }
}

}  // namespace

MessageBuffer::MessageBuffer(MemoryKind kind, std::size_t bytes, Device* device) {
    if (bytes > 0) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        memory_ = SpaceBuffer(kind, bytes + page, device);
        to_page_ = (page - reinterpret_cast<std::size_t>(memory_.data()) % page) % page;
    }
}

std::span<const std::string_view> pattern_names() { return names_of_patterns; }

std::string pattern_refusal(const std::string& name, int ranks, const ExchangePattern* file) {
    if (name == "sparse") {
        if (file == nullptr) {
            return "it needs a pattern file (--pattern-file; halocline mesh partition … --pattern "
                   "writes one).";
        }
        return file->ranks() == ranks
                   ? ""
                   : "the pattern file is for " + std::to_string(file->ranks()) +
                         " ranks and this run has " + std::to_string(ranks) + ".";
    }
    if (ranks < 2) {
        return "it needs two ranks. Start with mpirun -n 2.";
    }
    if (name == "pairs" && ranks < 4) {
        return "several pairs need four ranks or more (with two it is the bandwidth pattern).";
    }
    return "";
}

int fitting_window(int window, std::size_t bytes) {
    const std::size_t fitting = bytes == 0 ? most_bytes_in_flight : most_bytes_in_flight / bytes;
    return static_cast<int>(std::clamp<std::size_t>(fitting, 1, static_cast<std::size_t>(window)));
}

PreparedPlan make_plan(const Communicator& comm, const PlanRequest& request) {
    PreparedPlan made;
    Plan& plan = made.plan;
    plan.pattern = request.pattern;
    const int rank = comm.rank();
    const Pair pair = main_pair(comm.size());
    if (request.pattern == "latency") {
        add_ping_pong(plan, rank, pair, request.bytes);
    } else if (request.pattern == "sparse") {
        plan.all_ranks = true;
        add_sparse(plan, rank, *request.file);
    } else {
        plan.window = fitting_window(request.window, request.bytes);
        plan.all_ranks = request.pattern == "pairs";
        if (request.pattern == "bandwidth") {
            add_window(plan, rank, pair, request.bytes);
        } else if (request.pattern == "bidirectional") {
            add_both_ways(plan, rank, pair, request.bytes);
        } else {
            add_pairs(plan, rank, comm.size(), request.bytes);
        }
        plan.messages =
            std::int64_t{plan.window} * plan.pairs * (request.pattern == "bidirectional" ? 2 : 1);
        plan.bytes = plan.messages * static_cast<std::int64_t>(request.bytes);
    }
    place_messages(made, request);
    return made;
}

}  // namespace halocline::p2p
