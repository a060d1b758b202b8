// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The pipelined path: staging in blocks whose size the sweep changes between iterations.
#pragma once

#include <algorithm>
#include <utility>

#include "staged_path.hpp"

namespace halocline::p2p {

/// One message cut into blocks, at its progress.
struct CutMessage {
    Transfer transfer;
    std::byte* pinned = nullptr;
    std::size_t block = 0;
    std::size_t blocks = 0;
    std::size_t started = 0;        ///< sends or receives given to MPI
    std::size_t copied = 0;         ///< receives on their way to the device
    std::vector<std::size_t> open;  ///< places of the receives in their request list

    [[nodiscard]] std::size_t offset(std::size_t k) const { return k * block; }
    [[nodiscard]] std::size_t bytes(std::size_t k) const {
        return std::min(block, transfer.bytes - offset(k));
    }
};

class PipelinedPath final : public Path {
public:
    PipelinedPath(const Communicator& comm, Device& device, TransferBlocks blocks)
        : device_(device),
          blocks_(std::move(blocks)),
          staging_(std::make_shared<Staging>(device)),
          whole_(comm, staging_),
          receives_(comm),
          sends_(comm) {}

    [[nodiscard]] std::string name() const override { return "pipelined"; }
    [[nodiscard]] MemoryKind memory() const override { return MemoryKind::device; }
    void prepare(const Plan& plan, std::byte* receive_base) override;
    void move(const Phase& phase) override;

    /// Other blocks from the next phase on; both ends of a message must use the same.
    void use(const TransferBlocks& blocks) { blocks_ = blocks; }

private:
    [[nodiscard]] bool worth_cutting(const Phase& phase) const;
    std::vector<CutMessage> cut(std::span<const Transfer> transfers, std::byte* pinned) const;
    void start_copies_out(const std::vector<CutMessage>& outgoing);
    bool send_what_is_ready(std::vector<CutMessage>& outgoing);
    bool post_and_take_in(std::vector<CutMessage>& incoming);

    Device& device_;
    TransferBlocks blocks_;
    std::shared_ptr<Staging> staging_;  // shared: whole messages and blocks find it alike in caches
    StagedPath whole_;
    Requests receives_;
    Requests sends_;
    std::vector<std::unique_ptr<Event>> events_;
};

}  // namespace halocline::p2p
