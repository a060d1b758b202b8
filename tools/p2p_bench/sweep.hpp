// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Block sizes of the pipelined path, each against the whole message, in one go.
#pragma once

#include "path.hpp"
#include "report.hpp"

namespace halocline::p2p {

/// Measures all blocks smaller than `bytes` and the uncut message, samples alternating, chooses the
/// best and measures it once more against the uncut one: a block that is not faster then is no best
/// block. Data are checked with every block. Collective.
[[nodiscard]] SweepRow sweep_size(const PathContext& context, std::size_t bytes,
                                  const Options& options);

/// Entries for transfer-blocks.json.
[[nodiscard]] std::vector<TransferBlocks::Entry> best_blocks(const std::vector<SweepRow>& rows);

/// Writes the file as one piece. Throws RunError naming it.
void write_blocks(const std::string& path, const Report& report);

}  // namespace halocline::p2p
