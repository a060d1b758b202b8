// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Steps of the schemes; nothing here moves a byte.
#include "halocline/dist/exchange/device_halo/staging.hpp"

#include <algorithm>

namespace halocline::dist {

namespace {

std::vector<Segment> all_segments(const Direction& direction) {
    std::vector<Segment> all;
    for (const std::vector<Segment>& of_message : direction.segments) {
        all.insert(all.end(), of_message.begin(), of_message.end());
    }
    return all;
}

/// Appends `message` in pieces of the block that its size asks for.
void append_pieces(const WireMessage& message, const TransferBlocks& blocks,
                   std::vector<WireMessage>& pieces) {
    const std::size_t block_bytes = blocks.block_for(message.count * sizeof(double));
    const std::size_t block =
        block_bytes == 0 ? message.count : std::max<std::size_t>(block_bytes / sizeof(double), 1);
    for (std::size_t begin = 0; begin < message.count; begin += block) {
        pieces.push_back(
            {message.rank, message.offset + begin, std::min(block, message.count - begin)});
    }
}

}  // namespace

Staging stage_by_neighbour(const Direction& direction) {
    Staging staging{direction.messages, {}};
    if (direction.size > 0) {
        // One launch for all: of many small ones, processes that share a GPU pay a time slice each.
        StagingStep step{all_segments(direction), {}};
        for (const Segment& segment : step.rows) {
            step.copies.push_back({segment.offset, segment.count});
        }
        staging.steps.push_back(std::move(step));
    }
    return staging;
}

Staging stage_packed(const Direction& direction, const TransferBlocks& blocks) {
    Staging staging;
    for (const WireMessage& message : direction.messages) {
        append_pieces(message, blocks, staging.wire);
    }
    if (direction.size == 0) {
        return staging;
    }
    StagingStep step{all_segments(direction), {}};
    if (staging.wire.size() == direction.messages.size()) {
        step.copies = {{0, direction.size}};
    } else {
        for (const WireMessage& piece : staging.wire) {
            step.copies.push_back({piece.offset, piece.count});
        }
    }
    staging.steps.push_back(std::move(step));
    return staging;
}

Staging stage_direct(const Direction& direction) {
    Staging staging{direction.messages, {}};
    if (direction.size > 0) {
        staging.steps.push_back({all_segments(direction), {}});
    }
    return staging;
}

}  // namespace halocline::dist
