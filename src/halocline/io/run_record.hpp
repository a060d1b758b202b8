// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a run did and cost, version 1; docs/run_record.md explains every entry. Its parts are described
// in python/halocline/record, of which run_record.generated.hpp is made.
#pragma once

#include <string>

#include "halocline/core/communicator.hpp"
#include "halocline/io/run_record.generated.hpp"

namespace halocline {

/// One run. An empty optional, and a number that is not finite, become `null`.
using RunRecord = record::Record;

/// The record as JSON text. What follows from other entries is worked out here: times of an element,
/// rates and means.
[[nodiscard]] std::string to_json_text(RunRecord record);

/// Rank 0 writes the record in one step: a reader sees the old file or the new one. Collective.
/// Throws RunError on every rank when it cannot be written.
void write_run_record(const Communicator& comm, const std::string& path, const RunRecord& record);

/// Smallest, mean and largest `value` of all ranks. Collective.
[[nodiscard]] record::Spread spread_of(const Communicator& comm, double value);

}  // namespace halocline
