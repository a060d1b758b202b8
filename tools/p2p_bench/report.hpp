// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Everything a run of the benchmark found out; docs/formats/p2p-result.md is its JSON form.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "halocline/machine/affinity.hpp"
#include "halocline/machine/binding.hpp"
#include "halocline/machine/mpi_transport.hpp"
#include "limits.hpp"
#include "options.hpp"
#include "samples.hpp"

namespace halocline::p2p {

/// One pattern over one path at one size.
struct Row {
    std::string path;
    std::string pattern;
    std::size_t bytes = 0;  ///< of a message; `sparse`: the mean
    int window = 1;
    int pairs = 1;
    bool distinct = false;             ///< a buffer for each message of a window
    std::int64_t messages = 0;         ///< of an iteration, all ranks
    std::int64_t iteration_bytes = 0;  ///< payload of an iteration, all ranks
    std::size_t block = 0;             ///< pipelined: bytes a block, 0 when whole
    double first_s = 0.0;              ///< very first iteration, memory untouched before
    Spread time;                       ///< of an iteration / ways
    double bytes_per_s = 0.0;          ///< iteration_bytes / median
    double percent_of_limit = 0.0;     ///< 0: no limit known
    std::int64_t checked_bytes = 0;    ///< compared with what was sent, before and after timing
    TransferCounts copies;             ///< of one iteration on rank 0, where a device takes part
};

struct PathState {
    std::string name;
    std::string refusal;  ///< empty: it ran
    std::string traffic;  ///< what network interfaces did meanwhile
    std::string limit;    ///< of the largest message
};

/// The `host` path beside the plain ping-pong.
struct JudgeRow {
    std::size_t bytes = 0;
    double plain_s = 0.0;
    double host_s = 0.0;
    [[nodiscard]] double ratio() const { return plain_s > 0.0 ? host_s / plain_s : 0.0; }
};

struct SweepRow {
    std::size_t bytes = 0;
    double staged_s = 0.0;            ///< one-way median, message not cut
    std::vector<std::size_t> blocks;  ///< measured
    std::vector<double> block_s;      ///< one-way medians
    std::size_t best_block = 0;       ///< 0: do not cut
    double confirmed_staged_s = 0.0;  ///< second measurement, of the two alone
    double confirmed_best_s = 0.0;
    std::optional<double> default_s;  ///< at 256 KiB, where the message is larger
};

struct Report {
    std::string started;
    Options options;
    int ranks = 1;
    bool one_host = true;
    std::string host;
    std::optional<DeviceInfo> device;
    std::string device_note;  ///< why this device
    std::string blocks_origin;
    std::vector<Evidence> transport;
    GpuAwareness gpu_awareness;
    std::vector<Evidence> rdma;
    std::string rdma_verdict;
    MachineMap machine;
    Affinity affinity;  ///< of rank 0
    std::vector<RankBinding> bindings;
    std::vector<BindingFinding> findings;
    Limits limits;
    std::vector<PathState> paths;
    std::vector<std::pair<std::string, std::string>> pattern_refusals;
    std::vector<Row> rows;
    std::vector<JudgeRow> judge;
    std::vector<SweepRow> sweep;
    std::string blocks_file;  ///< written; empty: none
};

[[nodiscard]] std::string to_json_text(const Report& report);

/// CUDA in this build, GPUs, and whether MPI takes device pointers, each with how it is known.
/// Collective.
[[nodiscard]] std::string capabilities_text(const Communicator& comm);
/// Rank 0 writes; throws RunError on every rank when it cannot. Collective.
void write_json(const Communicator& comm, const Report& report, const std::string& path);

}  // namespace halocline::p2p
