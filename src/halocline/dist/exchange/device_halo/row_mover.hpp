// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rows of listed elements gathered into messages, and back, in the memory of a device.
#pragma once

#include <memory>
#include <span>

#include "halocline/dist/exchange/device_halo/segment_words.hpp"
#include "halocline/memory/device.hpp"
#include "halocline/memory/peer_value.hpp"

namespace halocline::dist {

/// Elements of one dat and the words of a message in device memory that stand for them.
struct RowSegment : ListedValues {
    double* message = nullptr;  ///< (words())
};

/// Rows of a message between two devices. Messages have two slots at the receiver, used in turns: one
/// is written while the other may still be read.
struct PeerSegment : ListedValues {
    bool leaves = false;  ///< to the memory of another device; else it comes from one, here
    PeerValue* message = nullptr;  ///< in the first slot
    std::int64_t slot_values = 0;  ///< from the first slot to the second
};

/// A neighbour that sends nothing to this rank, or gets nothing: what tells each other that the last
/// message but one was read. In two slots, as messages.
struct PeerNotice {
    PeerValue* there = nullptr;
    PeerValue* here = nullptr;
};

/// What the kernels of one list of dats keep on the device. Each block of threads counts the rounds by
/// itself, so that none waits for another; blocks are the same every time.
struct PeerRounds {
    std::uint32_t* ended = nullptr;  ///< by block, `most_blocks` of them, zero at first
    const PeerNotice* notices = nullptr;
    int notice_count = 0;
    int sharing_ranks = 1;  ///< ranks on this device, whose kernels run beside those that wait
    static constexpr int most_blocks = 1 << 16;
};

/// Kernels of a device. All calls queue their work on `stream` and return; they throw RunError when the
/// device refuses a kernel, ContractError for a stream of another device.
class RowMover {
public:
    virtual ~RowMover() = default;
    /// Dats to messages.
    virtual void gather(Stream& stream, std::span<const RowSegment> segments) = 0;
    /// Messages to dats.
    virtual void scatter(Stream& stream, std::span<const RowSegment> segments) = 0;
    /// Dats to messages in the memory of other devices, and messages that come from them to dats.
    virtual void exchange(Stream& stream, const PeerRounds& rounds,
                          std::span<const PeerSegment> segments) = 0;
    /// What exchanges took so far by the device's clock [s], repeated recordings and waiting for other
    /// devices included. Call it when all that was queued is done.
    [[nodiscard]] virtual double exchange_seconds() const = 0;
};

/// For a device of any kind. Throws EnvironmentError when this build has no kernels for it.
[[nodiscard]] std::unique_ptr<RowMover> make_row_mover(Device& device);

/// For a GPU; null in a build without.
[[nodiscard]] std::unique_ptr<RowMover> make_gpu_row_mover(Device& device);

}  // namespace halocline::dist
