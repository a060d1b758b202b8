// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Staging in blocks: while block k travels, block k + 1 leaves the device and block k - 1 enters it.
#include <sched.h>

#include <algorithm>
#include <utility>

#include "pipelined_path.hpp"

namespace halocline::p2p {

namespace {

/// Receives posted ahead of what has arrived; more would only lengthen MPI's lists.
constexpr std::size_t posted_blocks = 16;
constexpr int idle_polls_before_yield = 64;

std::size_t block_count(std::size_t bytes, std::size_t block) {
    return bytes == 0 ? 1 : (bytes + block - 1) / block;
}

bool finished(const std::vector<CutMessage>& outgoing, const std::vector<CutMessage>& incoming) {
    return std::all_of(outgoing.begin(), outgoing.end(),
                       [](const CutMessage& m) { return m.started == m.blocks; }) &&
           std::all_of(incoming.begin(), incoming.end(),
                       [](const CutMessage& m) { return m.copied == m.blocks; });
}

}  // namespace

void PipelinedPath::prepare(const Plan& plan, std::byte* receive_base) {
    whole_.prepare(plan, receive_base);
    std::size_t most_events = 0;
    for (const Phase& phase : plan.phases) {
        std::size_t events = 0;
        for (const CutMessage& message : cut(phase.sends, nullptr)) {
            events += message.blocks;
        }
        most_events = std::max(most_events, events);
    }
    while (events_.size() < most_events) {
        events_.push_back(device_.make_event());
    }
}

bool PipelinedPath::worth_cutting(const Phase& phase) const {
    const auto is_cut = [&](const Transfer& transfer) {
        return blocks_.block_for(transfer.bytes) != 0;
    };
    return std::any_of(phase.sends.begin(), phase.sends.end(), is_cut) ||
           std::any_of(phase.receives.begin(), phase.receives.end(), is_cut);
}

std::vector<CutMessage> PipelinedPath::cut(std::span<const Transfer> transfers,
                                           std::byte* pinned) const {
    std::vector<CutMessage> messages;
    for (const Transfer& transfer : transfers) {
        CutMessage message;
        message.transfer = transfer;
        message.pinned = pinned;
        const std::size_t block = blocks_.block_for(transfer.bytes);
        message.block = block == 0 ? std::max<std::size_t>(transfer.bytes, 1) : block;
        message.blocks = block_count(transfer.bytes, message.block);
        pinned += pinned == nullptr ? 0 : transfer.bytes;
        messages.push_back(std::move(message));
    }
    return messages;
}

void PipelinedPath::start_copies_out(const std::vector<CutMessage>& outgoing) {
    std::size_t event = 0;
    for (const CutMessage& message : outgoing) {
        for (std::size_t k = 0; k < message.blocks; ++k) {
            staging_->to_host->copy(message.pinned + message.offset(k),
                                    message.transfer.data + message.offset(k), message.bytes(k),
                                    CopyDirection::to_host);
            staging_->to_host->record(*events_[event++]);
        }
    }
}

bool PipelinedPath::send_what_is_ready(std::vector<CutMessage>& outgoing) {
    bool progress = false;
    std::size_t first_event = 0;
    for (CutMessage& message : outgoing) {
        while (message.started < message.blocks && events_[first_event + message.started]->done()) {
            const std::size_t k = message.started++;
            sends_.start_send(message.pinned + message.offset(k), message.bytes(k),
                              message.transfer.peer, message.transfer.tag);
            progress = true;
        }
        if (message.started < message.blocks) {
            break;  // copies leave in order: nothing behind this block is ready
        }
        first_event += message.blocks;
    }
    return progress;
}

bool PipelinedPath::post_and_take_in(std::vector<CutMessage>& incoming) {
    bool progress = false;
    for (CutMessage& message : incoming) {
        while (message.copied < message.started && receives_.test(message.open[message.copied])) {
            const std::size_t k = message.copied++;
            staging_->to_device->copy(message.transfer.data + message.offset(k),
                                      message.pinned + message.offset(k), message.bytes(k),
                                      CopyDirection::to_device);
            progress = true;
        }
        while (message.started < message.blocks &&
               message.started < message.copied + posted_blocks) {
            const std::size_t k = message.started++;
            message.open.push_back(receives_.size());
            receives_.start_receive(message.pinned + message.offset(k), message.bytes(k),
                                    message.transfer.peer, message.transfer.tag);
            progress = true;
        }
    }
    return progress;
}

void PipelinedPath::move(const Phase& phase) {
    if (!worth_cutting(phase)) {
        whole_.move(phase);
        return;
    }
    std::vector<CutMessage> outgoing = cut(phase.sends, staging_->outgoing.data());
    std::vector<CutMessage> incoming = cut(phase.receives, staging_->incoming.data());
    start_copies_out(outgoing);
    int idle_polls = 0;
    while (!finished(outgoing, incoming)) {
        const bool sent = send_what_is_ready(outgoing);
        const bool received = post_and_take_in(incoming);
        idle_polls = sent || received ? 0 : idle_polls + 1;
        if (idle_polls > idle_polls_before_yield) {
            sched_yield();  // the copy engine of an emulated device may need this core
        }
    }
    receives_.clear();
    sends_.wait_all();
    staging_->to_device->synchronize();
}

std::unique_ptr<Path> make_pipelined_path(const Communicator& comm, Device& device,
                                          TransferBlocks blocks) {
    return std::make_unique<PipelinedPath>(comm, device, std::move(blocks));
}

}  // namespace halocline::p2p
