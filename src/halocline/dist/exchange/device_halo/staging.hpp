// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How the schemes take packed messages over the link between a device and its host: as plans, data.
#pragma once

#include <string_view>
#include <vector>

#include "halocline/dist/exchange/message_layout.hpp"
#include "halocline/memory/transfer_blocks.hpp"

namespace halocline::dist {

/// Words [offset, offset + count) of a direction's buffer.
struct BufferRange {
    std::size_t offset = 0;
    std::size_t count = 0;
    [[nodiscard]] std::size_t end() const { return offset + count; }
    [[nodiscard]] bool overlaps(const BufferRange& other) const {
        return offset < other.end() && other.offset < end();
    }
};

/// Rows moved by one launch, and the copies of what they are in. Outwards the rows are gathered
/// first, inwards they are scattered when the copies are under way.
struct StagingStep {
    std::vector<Segment> rows;
    std::vector<BufferRange> copies;
};

/// One direction: what travels on the wire, and the steps between it and the device.
struct Staging {
    std::vector<WireMessage> wire;  ///< messages, or pieces of them
    std::vector<StagingStep> steps;
};

/// A copy for each segment: M fields and N - 1 neighbours make M (N - 1) copies a direction.
[[nodiscard]] Staging stage_by_neighbour(const Direction& direction);

/// One copy for everything; where `blocks` cuts a message, its pieces are copied and sent one by one.
[[nodiscard]] Staging stage_packed(const Direction& direction, const TransferBlocks& blocks);

/// No copies: MPI reads and writes the memory of the device.
[[nodiscard]] Staging stage_direct(const Direction& direction);

}  // namespace halocline::dist
