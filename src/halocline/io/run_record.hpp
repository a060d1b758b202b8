// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a run did and cost, version 1; docs/run_record.md explains every entry.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// An empty optional, and a number that is not finite, become `null`.
namespace record {

struct Code {
    std::string version;
    std::optional<std::string> git;
    std::string build_type;
    std::string arch;
    std::string compiler;
};

struct Case {
    std::string file;
    std::optional<std::string> hash;  ///< `halocline run` adds it
};

struct Host {
    std::string name;
    int ranks = 0;
    std::optional<std::string> cpu;
    std::optional<int> cores;
    std::optional<std::int64_t> memory_bytes;
};

struct Device {
    std::string host;
    std::string name;
    std::optional<std::int64_t> memory_bytes;
};

/// What one rank computes on, of jobs in which a device takes part.
struct Rank {
    int rank = 0;
    std::string backend;
    std::optional<std::string> device;  ///< its name; none: cores
    std::optional<std::int64_t> nodes;  ///< of the finest level, owned
    std::optional<double> weight;       ///< its share of the mesh over the mean share
    std::optional<double> nodes_per_s;  ///< measured before the division, by which it was made
};

/// What the devices of the job did during the cycles, together; graph and launches of rank 0.
struct DeviceUse {
    std::int64_t to_device_copies = 0;
    std::int64_t to_device_bytes = 0;
    std::int64_t to_host_copies = 0;
    std::int64_t to_host_bytes = 0;
    bool graph = false;  ///< a cycle is submitted in one piece
    std::optional<std::string> no_graph_because;
    int launches_per_cycle = 0;
    double prepare_s = 0.0;  ///< plans, copies of constants, recording; part of the set-up
};

struct Mpi {
    std::string library;
    std::optional<std::string> standard;
    std::optional<std::string> thread_level;  ///< single, funneled, serialized, multiple
    std::optional<bool> gpu_aware;
};

/// Masks of the kernel, as lists of cpus.
struct Binding {
    int rank = 0;
    std::string host;
    std::string cpus;
    std::string numa_nodes;
    std::vector<std::string> threads;
    std::optional<std::string> gpu;  ///< PCI id
    std::string choice;              ///< how GPU and cores were chosen
};

struct Layout {
    int ranks = 1;
    int threads_per_rank = 1;  ///< fewest that a loop got
    int threads_asked = 1;
    int gpus = 0;
    std::vector<Binding> bindings{};
    std::vector<std::string> findings{};
};

struct Settings {
    std::string solver;
    std::string renumber;
    int simd_width = 1;
    bool legacy_mode = false;
    std::map<std::string, std::string> strategies;  ///< loop name to executor strategy
};

struct MeshLevel {
    int level = 0;
    std::int64_t nodes = 0;
    std::int64_t edges = 0;
    std::int64_t boundary_entries = 0;
};

struct Mesh {
    std::string input;
    std::string name;
    std::optional<std::string> hash;
    std::vector<MeshLevel> levels;
};

struct Spread {
    double min = 0.0;
    double mean = 0.0;
    double max = 0.0;
};

struct PartitionLevel {
    int level = 0;
    std::int64_t edge_cut = 0;
    double imbalance = 1.0;
    std::int64_t import_exec = 0;
    std::int64_t import_nonexec = 0;
};

/// What the usual model of a network, latency and bandwidth, foretells of halo exchanges.
struct Prediction {
    double latency_s = 0.0;
    double bytes_per_s = 0.0;
    std::string origin;
    double exchange_s = 0.0;  ///< one exchange of the state at level 0, slowest rank
    double run_s = 0.0;       ///< all messages and bytes of the run, slowest rank
};

/// Memory of the processes.
/// What was resident after the last step, summed over ranks [bytes].
struct MemoryParts {
    std::int64_t program = 0;  ///< before the mesh was read
    std::int64_t maps = 0;
    std::int64_t ids = 0;     ///< global ids, lists of halos
    std::int64_t plans = 0;   ///< orders in which loops walk maps
    std::int64_t copies = 0;  ///< dats once more, in the order of a plan
    std::int64_t dats = 0;    ///< coarse levels and scratch memory of loops included
    std::int64_t rest = 0;
};

struct Memory {
    Spread peak_rss_bytes;
    std::optional<Spread> fixed_bytes;            ///< resident before the mesh was read
    std::optional<std::int64_t> mesh_file_bytes;  ///< all level files
    std::optional<double> peak_over_share;  ///< (peak - fixed) * ranks / mesh files, largest rank
    std::optional<double> distribute_over_share;  ///< the same until the mesh was distributed
    std::optional<MemoryParts> parts;
};

struct Partition {
    std::string partitioner;
    std::optional<std::string> requested;
    std::optional<std::string> method;
    std::string library;
    std::vector<PartitionLevel> levels;
    Spread neighbours;
    std::optional<Prediction> prediction;
};

/// Exchanges of one rank, messages and bytes summed over ranks, seconds averaged.
struct HaloCounts {
    std::int64_t exchanges = 0;
    std::int64_t messages = 0;
    std::int64_t bytes = 0;
    std::int64_t overlapped = 0;  ///< exchanges of one rank
    double total_s = 0.0;
    double hidden_s = 0.0;
    double exposed_s = 0.0;
};

/// What the partition predicts for one exchange of one value a node.
struct HaloLevel {
    int level = 0;
    std::int64_t messages = 0;
    std::int64_t elements = 0;
};

/// How one scheme did when `auto` measured them; no times where it was wrong.
struct HaloTrial {
    std::string scheme;
    std::optional<double> seconds;
    std::optional<double> noise_s;
    std::int64_t exchanges = 0;
    std::int64_t messages = 0;
    std::int64_t bytes = 0;
    std::int64_t device_copies = 0;  ///< between devices and hosts
    std::int64_t device_bytes = 0;
    std::string verdict;
};

struct NetworkModel {
    double latency_us = 0.0;
    double gb_per_s = 0.0;
};

struct Halo : HaloCounts {
    std::string scheme;
    std::optional<std::string> requested;  ///< auto
    std::optional<std::string> reason;     ///< why auto chose the scheme
    bool overlap = true;
    std::optional<NetworkModel> network_model;
    std::int64_t device_copies = 0;
    std::int64_t device_bytes = 0;
    double packing_s = 0.0;
    std::vector<HaloLevel> levels;
    std::vector<HaloTrial> trials;
};

struct Loop {
    std::string name;
    std::optional<int> level;
    std::string set;
    std::int64_t calls = 0;
    double seconds = 0.0;
    std::optional<double> seconds_max;
    std::int64_t elements = 0;
    std::int64_t bytes = 0;
    std::optional<HaloCounts> halo;           ///< exchanges the loop began; none: empty
    std::string ran_on = "host";              ///< or "device", or "both" (by rank)
    std::optional<std::int64_t> timed_calls;  ///< on a device: calls that `seconds` are scaled from
    std::optional<std::string> strategy;      ///< how its last call ran, where that has a name
};

/// Size of one level of a multigrid preconditioner.
struct LinearLevel {
    std::int64_t nodes = 0;
    std::int64_t edges = 0;
};

/// Equations that the run has solved again and again.
struct LinearSolver {
    std::string name;  ///< of what is solved for
    std::string method;
    std::string preconditioner;
    std::vector<LinearLevel> levels;  ///< finest first
    double operator_complexity = 1.0;
    std::int64_t solves = 0;
    std::int64_t iterations = 0;  ///< of all solves
    int most_iterations = 0;      ///< of one solve
    double last_rate = 0.0;       ///< of the residual, an iteration of the last solve
    double setup_s = 0.0;         ///< of the levels
    double solve_s = 0.0;
    int launches_per_iteration = 0;  ///< that a device gets as one graph
};

struct Setup {
    double read_s = 0.0;
    double partition_s = 0.0;
    double renumber_s = 0.0;
    double halo_s = 0.0;
    double plan_s = 0.0;
    double total_s = 0.0;
};

struct Io {
    std::string mode;          ///< "async" or "sync": how output within the time loop is written
    std::string sync_because;  ///< why not async although that was asked for
    std::int64_t writes = 0;   ///< files, steps of series, checkpoints
    std::int64_t bytes = 0;    ///< of values
    double copied_s = 0.0;     ///< setting values aside
    double blocked_s = 0.0;    ///< the solver waited
    double drained_s = 0.0;    ///< of the last writes, behind the loop
    double written_s = 0.0;    ///< exchanging rows and writing, wherever that happened
    double hidden_s = 0.0;     ///< of `written_s`, behind computation
    std::int64_t deepest_queue = 0;  ///< most moments that waited or were being written
    int slowest_rank = 0;            ///< the one that exchanged and wrote longest
    std::int64_t staging_bytes = 0;  ///< memory of all ranks for them
    std::vector<std::string> files;
    std::string checkpoint;            ///< the newest; empty: none
    std::string restarted_from;        ///< empty: from the beginning
    std::int64_t restarted_after = 0;  ///< steps
};

struct Norms {
    int level = 0;
    std::string dataset;
    std::vector<double> l2;
    std::vector<double> min;
    std::vector<double> max;
};

/// How far a result (a) is from a reference (b), as `halocline compare` measures it.
struct Difference {
    int level = 0;
    std::int64_t values = 0;
    std::int64_t differing = 0;
    std::int64_t over = 0;  ///< beyond the limits
    double max_abs = 0.0;
    double max_rel = 0.0;
    double l2 = 0.0;
    double l2_relative = 0.0;
    /// Of the largest absolute difference, from 0; empty where nothing differs.
    std::optional<std::int64_t> row;
    std::optional<int> column;
    std::optional<double> a_at;
    std::optional<double> b_at;
    std::optional<std::vector<double>> coordinates;
};

struct Validation {
    bool passed = false;
    std::string reference;
    std::vector<std::int64_t> bad_values;
    std::vector<Difference> differences;
};

struct MemoryBound {
    double seconds = 0.0;
    double share_of_flux = 0.0;
};

/// Distance from an exact solution of the problem.
struct ExactError {
    double l2 = 0.0;  ///< root of the mean square over the volume; of flows, of the velocity
    double largest = 0.0;
    std::optional<double> pressure_l2{};  ///< of flows
};

struct Results {
    std::int64_t cycles = 0;
    double total_runtime_s = 0.0;
    double compute_s = 0.0;
    std::optional<double> compute_cpu_s;  ///< of all threads and ranks
    std::vector<double> rms;
    std::vector<Norms> norms;
    std::optional<Validation> validation;
    std::optional<MemoryBound> memory_bound;
    std::optional<ExactError> exact_error;
};

struct Failure {
    std::optional<std::int64_t> cycle;
    std::optional<int> level;
    std::optional<std::string> loop;
    std::optional<std::int64_t> node;
    std::optional<std::vector<double>> coordinates;
};

struct Status {
    std::string state = "ok";  ///< ok, diverged, stopped, failed
    int exit_code = 0;
    std::optional<std::string> message;
    std::optional<Failure> failure;
};

}  // namespace record

/// One run. What ns_per_element, gb_per_s and percent_of_triad of the loops are follows from the rest
/// and is worked out when the record is written.
struct RunRecord {
    std::string program;
    std::string started;  ///< `utc_now()` at the start
    record::Code code;
    std::vector<std::string> command;
    std::string working_directory;
    std::optional<record::Case> run_case;
    std::vector<record::Host> hosts;
    std::vector<record::Device> devices;
    std::optional<record::DeviceUse> device_use;
    std::vector<record::Rank> ranks;
    record::Mpi mpi;
    record::Layout layout;
    std::string backend;
    record::Settings settings;
    record::Mesh mesh;
    std::optional<record::Partition> partition;
    record::Halo halo;
    std::vector<record::Loop> loops;
    std::vector<record::LinearSolver> linear_solvers{};
    std::optional<double> triad_gb_per_s;
    record::Setup setup;
    record::Io io;
    record::Memory memory;
    record::Results results;
    record::Status status;
};

/// The record as JSON text.
[[nodiscard]] std::string to_json_text(const RunRecord& record);

/// Rank 0 writes the record in one step: a reader sees the old file or the new one. Collective.
/// Throws RunError on every rank when it cannot be written.
void write_run_record(const Communicator& comm, const std::string& path, const RunRecord& record);

/// Smallest, mean and largest `value` of all ranks. Collective.
[[nodiscard]] record::Spread spread_of(const Communicator& comm, double value);

}  // namespace halocline
