// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a run of the experiment found out; docs/formats/halo-result.md is its JSON form.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure.hpp"
#include "options.hpp"

namespace halocline::halo_bench {

/// One mesh divided among the ranks. Each size is that of one field of the rank that has most.
struct MeshReport {
    GlobalIndex vertices = 0;
    std::int64_t whole_bytes = 0;  ///< S1
    std::int64_t halo_bytes = 0;   ///< S2
    std::int64_t sent_bytes = 0;
    std::int64_t sent_to = 0;     ///< neighbours
    std::int64_t directions = 0;  ///< neighbours sent to and neighbours received from, together
    bool all_are_neighbours = false;
    std::vector<Row> rows;
};

struct SchemeRefusal {
    std::string scheme;
    std::string reason;
};

struct Report {
    Options options;
    std::string started;
    std::string host;
    int ranks = 1;
    bool one_host = true;
    std::string mpi;
    std::optional<DeviceInfo> device;
    std::string device_note;   ///< why this device
    int gpus = 0;              ///< of the first rank's host; 0: none takes part
    bool takes_turns = false;  ///< ranks wait for each other's kernels on a GPU
    std::string partitioner;
    std::vector<SchemeRefusal> refused;
    std::vector<MeshReport> meshes;
};

/// Rank 0 writes; throws RunError on every rank when it cannot. Collective.
void write_json(const Communicator& comm, const Report& report, const std::string& path);

}  // namespace halocline::halo_bench
