// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The patterns: which rank sends what to whom in one iteration.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exchange_pattern.hpp"
#include "halocline/core/communicator.hpp"
#include "halocline/memory/device.hpp"
#include "transfer.hpp"

namespace halocline::p2p {

/// latency, bandwidth, bidirectional, pairs, sparse.
[[nodiscard]] std::span<const std::string_view> pattern_names();

/// Why a pattern cannot run on `ranks` ranks; empty when it can.
[[nodiscard]] std::string pattern_refusal(const std::string& name, int ranks,
                                          const ExchangePattern* file);

/// Memory of messages, from the beginning of a page on, where OSU's benchmarks put it, too: MPI
/// copies from process to process page by page, and a message of two pages could lie in three.
class MessageBuffer {
public:
    MessageBuffer() = default;
    MessageBuffer(MemoryKind kind, std::size_t bytes, Device* device);

    [[nodiscard]] std::byte* data() const noexcept { return memory_.data() + to_page_; }

private:
    SpaceBuffer memory_;
    std::size_t to_page_ = 0;  ///< bytes before the page begins
};

/// A plan and the memory its messages lie in.
struct PreparedPlan {
    Plan plan;
    MessageBuffer send_buffer;
    MessageBuffer receive_buffer;
};

struct PlanRequest {
    std::string pattern;
    std::size_t bytes = 0;  ///< of a message; `sparse` takes its sizes from the file
    int window = 64;
    MemoryKind memory = MemoryKind::host;
    Device* device = nullptr;
    const ExchangePattern* file = nullptr;
    /// A place for each message, so that wrong data shows. Otherwise all sends of a rank leave from one
    /// place and all receives arrive at one other, which stay in the caches; `sparse` never does that.
    bool distinct = true;
};

/// Messages in flight a direction are cut so that they hold no more than this together.
inline constexpr std::size_t most_bytes_in_flight = std::size_t{256} << 20;
[[nodiscard]] int fitting_window(int window, std::size_t bytes);

/// This rank's part. Every rank makes its own from the same request.
[[nodiscard]] PreparedPlan make_plan(const Communicator& comm, const PlanRequest& request);

}  // namespace halocline::p2p
