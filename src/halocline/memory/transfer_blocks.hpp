// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Block sizes for pipelined staging, as measured by `halocline p2p --sweep` on this machine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// Block size by message size; docs/formats/transfer-blocks.md is the file.
class TransferBlocks {
public:
    /// What was found for messages of one size.
    struct Entry {
        std::size_t message_bytes = 0;  ///< of a message
        std::size_t block_bytes = 0;    ///< 0: do not cut the message
    };

    /// Without a measurement: 256 KiB blocks for messages of 512 KiB and more.
    TransferBlocks();
    /// Throws ContractError unless message sizes ascend.
    explicit TransferBlocks(std::vector<Entry> entries);

    /// Reads a file. Throws InputError naming file and key.
    [[nodiscard]] static TransferBlocks read(const std::string& path);
    /// The file of this user when there is one (`default_path`), else the built-in default.
    [[nodiscard]] static TransferBlocks of_this_machine();
    /// `of_this_machine` of rank 0, on all ranks: ranks that cut a message differently would wait for
    /// each other for ever. Collective.
    [[nodiscard]] static TransferBlocks of_root(const Communicator& comm);
    /// $HALOCLINE_TRANSFER_BLOCKS, else transfer-blocks.json in the user's configuration folder.
    [[nodiscard]] static std::string default_path();

    /// Block for a message: the entry of the largest measured size that is not larger, in bytes;
    /// 0 when the message is better sent whole.
    [[nodiscard]] std::size_t block_for(std::size_t message_bytes) const;
    /// All that was found, by size.
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
    /// Where the table comes from: "default", or a file.
    [[nodiscard]] const std::string& origin() const { return origin_; }

private:
    std::vector<Entry> entries_;
    std::string origin_ = "default";
};

}  // namespace halocline
