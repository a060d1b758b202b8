// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Parts of run records, made by `python -m halocline.record.cpp src/halocline/io`.
// Change python/halocline/record and make it again.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace halocline::record {

/// The program that ran.
struct Code {
    /// release version, as `--version` prints it
    std::string version{};
    /// commit; ends in `-dirty` for a changed tree
    std::optional<std::string> git{};
    /// CMake build type, e.g. Release
    std::string build_type{};
    /// instruction set it was built for, e.g. x86-64-v4
    std::string arch{};
    /// compiler and version, e.g. GNU 12.2.0
    std::string compiler{};
};

/// The case file behind the run.
struct Case {
    /// path of the case file as given
    std::string file{};
    /// sha256 of the resolved case, `sha256:<hex>`, added by `halocline run`
    std::optional<std::string> hash{};
};

/// One machine of the job.
struct Host {
    /// MPI processor name
    std::string name{};
    /// ranks on this host
    std::int64_t ranks = 1;
    /// CPU model
    std::optional<std::string> cpu{};
    /// hardware threads the host shows
    std::optional<std::int64_t> cores{};
    /// main memory
    std::optional<std::int64_t> memory_bytes{};
};

/// One accelerator of the job.
struct Device {
    /// name of the host it sits in
    std::string host{};
    /// model, or `emulated`
    std::string name{};
    /// device memory
    std::optional<std::int64_t> memory_bytes{};
};

/// What the devices did during the cycles, together; graph and launches of rank 0.
struct DeviceUse {
    /// copies from the host
    std::int64_t to_device_copies = 0;
    /// bytes of those copies
    std::int64_t to_device_bytes = 0;
    /// copies to the host
    std::int64_t to_host_copies = 0;
    /// bytes of those copies
    std::int64_t to_host_bytes = 0;
    /// whether a cycle is submitted in one piece
    bool graph = false;
    /// why not; null: it is
    std::optional<std::string> no_graph_because{};
    /// kernels recorded a cycle; 0: none recorded
    std::int64_t launches_per_cycle = 0;
    /// plans, copies of constants and recording; part of the set-up
    double prepare_s = 0.0;
};

/// What one rank computes on, of jobs in which a device takes part.
struct Rank {
    /// MPI rank
    std::int64_t rank = 0;
    /// its back end: openmp, cuda, emulated
    std::string backend{};
    /// name of its device; null: cores
    std::optional<std::string> device{};
    /// nodes of the finest level that it owns
    std::optional<std::int64_t> nodes{};
    /// its target share ÷ the mean share
    std::optional<double> weight{};
    /// measured flux stages, by which the mesh was divided; null: given, equal
    std::optional<double> nodes_per_s{};
};

/// The MPI library the program ran with.
struct Mpi {
    /// name and version, e.g. Open MPI 4.1.4
    std::string library{};
    /// MPI standard it implements, e.g. 3.1
    std::optional<std::string> standard{};
    /// thread support level provided
    std::optional<std::string> thread_level{};
    /// takes device pointers; null: not asked
    std::optional<bool> gpu_aware{};
};

/// Where one rank runs: the kernel's masks, as lists of cpus (`0-3,8`).
struct Binding {
    /// rank in the job
    std::int64_t rank = 0;
    /// its host
    std::string host{};
    /// cpus that its threads may run on
    std::string cpus{};
    /// NUMA nodes of these cpus, by hwloc; empty: unknown
    std::string numa_nodes{};
    /// mask of each OpenMP thread
    std::vector<std::string> threads{};
    /// PCI id of its GPU, taken by the place on its host
    std::optional<std::string> gpu{};
    /// how GPU and cores were chosen, in one sentence
    std::string choice{};
};

/// How the job was spread.
struct Layout {
    /// MPI ranks
    std::int64_t ranks = 1;
    /// threads of one rank, the fewest that OpenMP gave to a loop that asked for all
    std::int64_t threads_per_rank = 1;
    /// threads asked for on one rank
    std::int64_t threads_asked = 1;
    /// GPUs used by all ranks together
    std::int64_t gpus = 0;
    /// one entry a rank
    std::vector<Binding> bindings{};
    /// faults of the binding
    std::vector<std::string> findings{};
};

/// Choices that change speed or bits.
struct Settings {
    /// as cases name it
    std::string solver = "mgcfd";
    /// order of nodes: `none`, `hilbert`, `hilbert_tiles`, `bisection`, …
    std::string renumber{};
    /// doubles in one pack; 1 is scalar
    std::int64_t simd_width = 1;
    /// MG-CFD's `--legacy-mode` data sets were read
    bool legacy_mode = false;
    /// loop name → executor strategy, e.g. gather
    std::map<std::string, std::string> strategies{};
};

/// Set sizes of one multigrid level, over all ranks.
struct MeshLevel {
    /// 0 is the finest
    std::int64_t level = 0;
    /// nodes
    std::int64_t nodes = 0;
    /// edges
    std::int64_t edges = 0;
    /// boundary entries (node, group, area)
    std::int64_t boundary_entries = 0;
};

/// The mesh that was read.
struct Mesh {
    /// path of input.dat as opened
    std::string input{};
    /// `mesh_name` of input.dat
    std::string name{};
    /// hash of the mesh's content
    std::optional<std::string> hash{};
    /// finest first
    std::vector<MeshLevel> levels{};
};

/// Partition quality of one level, over all ranks.
struct PartitionLevel {
    /// 0 is the finest
    std::int64_t level = 0;
    /// edges whose two nodes have different owners
    std::int64_t edge_cut = 0;
    /// largest ÷ mean number of owned nodes
    double imbalance = 1.0;
    /// edges executed by a rank that does not own them, sum
    std::int64_t import_exec = 0;
    /// node copies held for reading only, sum
    std::int64_t import_nonexec = 0;
};

/// A quantity over ranks.
struct Spread {
    /// smallest rank
    double min = 0.0;
    /// mean over ranks
    double mean = 0.0;
    /// largest rank
    double max = 0.0;
};

/// Times that latency and bandwidth foretell; beside them the measured ones in `halo`.
struct Prediction {
    /// of a message
    double latency_s = 0.0;
    /// of a message, after its latency
    double bytes_per_s = 0.0;
    /// measured between two ranks, or modelled network
    std::string origin{};
    /// one exchange of the state at level 0, slowest rank
    double exchange_s = 0.0;
    /// all messages and bytes of the run, slowest rank
    double run_s = 0.0;
};

/// How the mesh was divided; null on one rank, where nothing is partitioned.
struct Partition {
    /// partitioner that ran, e.g. ptscotch
    std::string partitioner{};
    /// partitioner asked for, when another one ran
    std::optional<std::string> requested{};
    /// kway, geom, geomkway; null where none applies
    std::optional<std::string> method{};
    /// library and version that answered
    std::string library{};
    /// finest first
    std::vector<PartitionLevel> levels{};
    /// neighbour ranks of a rank, finest level
    Spread neighbours{};
    /// what a network model foretells
    std::optional<Prediction> prediction{};
};

/// Halo exchanges, of a loop or of all: counts are sums over ranks, times means over ranks.
struct HaloCounts {
    /// exchanges one rank took part in
    std::int64_t exchanges = 0;
    /// messages sent, sum over ranks
    std::int64_t messages = 0;
    /// bytes of halo values sent, sum over ranks
    std::int64_t bytes = 0;
    /// of exchanges: core elements ran meanwhile, with progress calls between them
    std::int64_t overlapped = 0;
    /// begin until all had arrived and was stored
    double total_s = 0.0;
    /// part behind core elements
    double hidden_s = 0.0;
    /// part a rank spent packing, storing and waiting
    double exposed_s = 0.0;
};

/// The network that `--network-model` put in place of the real one.
struct NetworkModel {
    /// microseconds of a message
    double latency_us = 0.0;
    /// 10⁹ bytes a second out of a rank
    double gb_per_s = 0.0;
};

/// What the partition predicts for one exchange of one value at each node of a level.
struct HaloLevel {
    /// 0 is the finest
    std::int64_t level = 0;
    /// messages of one exchange, sum over ranks
    std::int64_t messages = 0;
    /// nodes sent in one exchange, sum over ranks
    std::int64_t elements = 0;
};

/// One halo scheme as `--halo-scheme auto` measured it: the exchanges of one cycle.
struct HaloTrial {
    /// as `--halo-scheme` names it
    std::string scheme{};
    /// median round, slowest rank; null: wrong
    std::optional<double> seconds{};
    /// half the distance of the quartiles
    std::optional<double> noise_s{};
    /// exchanges of a round
    std::int64_t exchanges = 0;
    /// messages of a round, sum over ranks
    std::int64_t messages = 0;
    /// bytes of a round, sum over ranks
    std::int64_t bytes = 0;
    /// copies between devices and hosts of a round
    std::int64_t device_copies = 0;
    /// bytes of those copies
    std::int64_t device_bytes = 0;
    /// kept, slower, within the noise, or rejected and why
    std::string verdict{};
};

/// The ledger of halo exchanges: those of all loops, set-up left out.
struct Halo : HaloCounts {
    /// halo scheme that ran, as `--halo-scheme` names it
    std::string scheme{};
    /// auto, when the scheme was measured
    std::optional<std::string> requested{};
    /// why auto took the scheme
    std::optional<std::string> reason{};
    /// whether core elements ran while halos travelled
    bool overlap = true;
    /// null: the real network
    std::optional<NetworkModel> network_model{};
    /// host–device copies, sum over ranks
    std::int64_t device_copies = 0;
    /// bytes of those copies
    std::int64_t device_bytes = 0;
    /// of exposed_s: copying from and to dats
    double packing_s = 0.0;
    /// finest first
    std::vector<HaloLevel> levels{};
    /// empty without auto
    std::vector<HaloTrial> trials{};
};

/// One named loop on one level, all calls and all ranks together.
struct Loop {
    /// name given to `par_loop`
    std::string name{};
    /// multigrid level; null where it has none
    std::optional<std::int64_t> level{};
    /// iteration set: nodes, edges, boundary, …
    std::string set{};
    /// calls of one rank
    std::int64_t calls = 0;
    /// mean over ranks, waiting for halos included
    double seconds = 0.0;
    /// slowest rank
    std::optional<double> seconds_max{};
    /// calls × set size; redundant work not counted
    std::int64_t elements = 0;
    /// 1e9 × seconds ÷ elements
    std::optional<double> ns_per_element{};
    /// traffic by count: every operand moved once per call
    std::int64_t bytes = 0;
    /// bytes ÷ seconds ÷ 1e9, all ranks together
    std::optional<double> gb_per_s{};
    /// 100 × gb_per_s ÷ triad_gb_per_s
    std::optional<double> percent_of_triad{};
    /// exchanges it began; null: none
    std::optional<HaloCounts> halo{};
    /// where its kernel ran; both: by rank
    std::string ran_on = "host";
    /// device: calls timed, which `seconds` is scaled from; null: host, all
    std::optional<std::int64_t> timed_calls{};
    /// how its last call ran; null: element by element
    std::optional<std::string> strategy{};
};

/// One level of a multigrid preconditioner.
struct LinearLevel {
    /// unknowns
    std::int64_t nodes = 0;
    /// couplings
    std::int64_t edges = 0;
};

/// Equations that the run solved again and again.
struct LinearSolver {
    /// what is solved for, e.g. pressure
    std::string name{};
    /// conjugate gradients: flexible, plain, single_reduction
    std::string method{};
    /// multigrid, chebyshev, jacobi, none
    std::string preconditioner{};
    /// finest first
    std::vector<LinearLevel> levels{};
    /// entries of all levels' matrices ÷ those of the finest
    double operator_complexity = 0.0;
    /// how often
    std::int64_t solves = 0;
    /// of all solves
    std::int64_t iterations = 0;
    /// of a solve
    double mean_iterations = 0.0;
    /// of one solve
    std::int64_t most_iterations = 0;
    /// factor of the residual an iteration, in the last solve; null: not finite
    double last_rate = std::numeric_limits<double>::quiet_NaN();
    /// making the levels, slowest rank
    double setup_s = 0.0;
    /// all solves, slowest rank
    double solve_s = 0.0;
    /// that a device gets as one graph; 0: none
    std::int64_t launches_per_iteration = 0;
};

/// Set-up times of the slowest rank.
struct Setup {
    /// reading and checking the mesh files
    double read_s = 0.0;
    /// partitioning and migration
    double partition_s = 0.0;
    /// reordering nodes and edges
    double renumber_s = 0.0;
    /// building ownership and halo lists
    double halo_s = 0.0;
    /// loop plans, rows, packs
    double plan_s = 0.0;
    /// start of the program to the first cycle
    double total_s = 0.0;
};

/// Result output; times are those of the slowest rank.
struct Io {
    /// how output within the time loop is written: beside the loops, or at once
    std::string mode = "async";
    /// why it is not async although that was asked for
    std::optional<std::string> sync_because{};
    /// files, steps of series, checkpoints
    std::int64_t writes = 0;
    /// bytes of values written, all ranks together
    std::int64_t bytes = 0;
    /// setting values aside
    double copied_s = 0.0;
    /// time the loop waited for output
    double blocked_s = 0.0;
    /// time of the last writes, behind the loop
    double drained_s = 0.0;
    /// exchanging rows and writing, wherever that happened
    double written_s = 0.0;
    /// part of written_s behind computation
    double hidden_s = 0.0;
    /// most moments that waited or were being written
    std::int64_t deepest_queue = 0;
    /// the rank that wrote longest
    std::int64_t slowest_rank = 0;
    /// memory of all ranks for such moments
    std::int64_t staging_bytes = 0;
    /// result files under final names
    std::vector<std::string> files{};
    /// the newest checkpoint; null: none
    std::optional<std::string> checkpoint{};
    /// the checkpoint that the run went on from; null: the beginning
    std::optional<std::string> restarted_from{};
    /// steps that were done by then
    std::int64_t restarted_after = 0;
};

/// What was resident after the last step, summed over ranks.
struct MemoryParts {
    /// before the mesh was read: libraries and MPI
    std::int64_t program_bytes = 0;
    /// maps of the mesh
    std::int64_t map_bytes = 0;
    /// global ids and lists of what halos hold
    std::int64_t id_bytes = 0;
    /// orders in which loops walk maps
    std::int64_t plan_bytes = 0;
    /// dats once more, in the order of a plan
    std::int64_t copy_bytes = 0;
    /// dats, those of coarse levels and scratch memory of loops included
    std::int64_t dat_bytes = 0;
    /// all else: buffers of libraries, memory kept for later
    std::int64_t rest_bytes = 0;
};

/// Peak memory of the processes.
struct Memory {
    /// peak resident set of a rank
    Spread peak_rss_bytes{};
    /// resident before the mesh was read: libraries and MPI
    std::optional<Spread> fixed_bytes{};
    /// size of all level files
    std::optional<std::int64_t> mesh_file_bytes{};
    /// (largest peak − least fixed_bytes) × ranks ÷ mesh_file_bytes
    std::optional<double> peak_over_share{};
    /// the same for the peak until the mesh was distributed
    std::optional<double> distribute_over_share{};
    /// what it consists of after the last step
    std::optional<MemoryParts> parts{};
};

/// Norms of one result array; order of components as in the file.
struct Norms {
    /// 0 is the finest
    std::int64_t level = 0;
    /// variables, step_factors, …
    std::string dataset{};
    /// sqrt(Σ q² ÷ N) per component
    std::vector<double> l2{};
    /// smallest value per component
    std::vector<double> min{};
    /// largest value per component
    std::vector<double> max{};
};

/// A result (a) beside its reference (b), as `halocline compare` measures them.
///
/// null stands for what is not finite.
struct ValueDifference {
    /// 0 is the finest
    std::int64_t level = 0;
    /// compared
    std::int64_t values = 0;
    /// those that are not equal
    std::int64_t differing = 0;
    /// those beyond the limits of `-v`
    std::int64_t over = 0;
    /// largest |a − b|
    double max_abs = std::numeric_limits<double>::quiet_NaN();
    /// largest |a − b| ÷ max(|a|, |b|)
    double max_rel = std::numeric_limits<double>::quiet_NaN();
    /// sqrt(Σ (a − b)²)
    double l2 = std::numeric_limits<double>::quiet_NaN();
    /// the same ÷ the larger norm of the two
    double l2_relative = std::numeric_limits<double>::quiet_NaN();
    /// of the largest |a − b|, from 0; null: nothing differs
    std::optional<std::int64_t> row{};
    /// its component, from 0
    std::optional<std::int64_t> column{};
    /// the result there
    double a_at = std::numeric_limits<double>::quiet_NaN();
    /// the reference there
    double b_at = std::numeric_limits<double>::quiet_NaN();
    /// of the row's node
    std::optional<std::vector<double>> coordinates{};
};

/// Answer of `--validate-result`.
struct Validation {
    /// within the accepted number of bad values on every level
    bool passed = false;
    /// file or folder compared with
    std::string reference{};
    /// values off by more than the tolerance, per level
    std::vector<std::int64_t> bad_values{};
    /// how far the levels are from the reference
    std::vector<ValueDifference> differences{};
};

/// Answer of `--measure-mem-bound`.
struct MemoryBound {
    /// streaming kernel with the edge flux's traffic, mean
    double seconds = 0.0;
    /// its time ÷ time of the edge flux
    double share_of_flux = 0.0;
};

/// Distance from the exact solution of a problem that has one.
struct ExactError {
    /// root of the mean square over the volume; null: not finite
    double l2 = std::numeric_limits<double>::quiet_NaN();
    /// largest at a node; null: not finite
    double largest = std::numeric_limits<double>::quiet_NaN();
    /// of flows, whose other numbers are those of the velocity
    std::optional<double> pressure_l2{};
};

/// What came out.
struct Results {
    /// multigrid cycles or time steps completed
    std::int64_t cycles = 0;
    /// as `Max total runtime` prints it
    double total_runtime_s = 0.0;
    /// cycles or steps alone, slowest rank
    double compute_s = 0.0;
    /// CPU seconds of all ranks and threads in them
    std::optional<double> compute_cpu_s{};
    /// root mean square change on level 0 per cycle or step; null where not finite
    std::vector<double> rms{};
    /// one entry per level and array
    std::vector<Norms> norms{};
    /// null: not asked for
    std::optional<Validation> validation{};
    /// null: not asked for
    std::optional<MemoryBound> memory_bound{};
    /// null: no exact solution
    std::optional<ExactError> exact_error{};
};

/// Where a run went wrong, as far as it is known.
struct Failure {
    /// cycle, counted from 1
    std::optional<std::int64_t> cycle{};
    /// multigrid level
    std::optional<std::int64_t> level{};
    /// loop name
    std::optional<std::string> loop{};
    /// node in file order, counted from 0
    std::optional<std::int64_t> node{};
    /// x, y, z of that node
    std::optional<std::vector<double>> coordinates{};
};

/// How the run ended.
struct Status {
    /// stopped: early, with a checkpoint
    std::string state = "ok";
    /// exit code of the program
    std::int64_t exit_code = 0;
    /// the sentence the user saw
    std::optional<std::string> message{};
    /// place of a divergence
    std::optional<Failure> failure{};
};

/// One run of a native program.
struct Record {
    /// mgcfd, halocline-solve, …
    std::string program{};
    /// UTC, ISO 8601, e.g. 2026-11-20T10:15:00Z
    std::string started{};
    /// The program that ran.
    Code code{};
    /// argument vector of the program
    std::vector<std::string> command{};
    /// where it was started
    std::string working_directory{};
    /// null: started without a case file
    std::optional<Case> run_case{};
    /// One machine of the job.
    std::vector<Host> hosts{};
    /// One accelerator of the job.
    std::vector<Device> devices{};
    /// null: no device took part
    std::optional<DeviceUse> device_use{};
    /// empty: no device took part
    std::vector<Rank> ranks{};
    /// The MPI library the program ran with.
    Mpi mpi{};
    /// How the job was spread.
    Layout layout{};
    /// backend that ran: serial, openmp, check, cuda, emulated; mixed: see ranks
    std::string backend{};
    /// Choices that change speed or bits.
    Settings settings{};
    /// The mesh that was read.
    Mesh mesh{};
    /// How the mesh was divided; null on one rank, where nothing is partitioned.
    std::optional<Partition> partition{};
    /// The ledger of halo exchanges: those of all loops, set-up left out.
    Halo halo{};
    /// One named loop on one level, all calls and all ranks together.
    std::vector<Loop> loops{};
    /// empty: nothing was solved by iteration
    std::vector<LinearSolver> linear_solvers{};
    /// measured triad of all cores of the job; null: not measured
    std::optional<double> triad_gb_per_s{};
    /// Set-up times of the slowest rank.
    Setup setup{};
    /// Result output; times are those of the slowest rank.
    Io io{};
    /// Peak memory of the processes.
    Memory memory{};
    /// What came out.
    Results results{};
    /// How the run ended.
    Status status{};
};

}  // namespace halocline::record
