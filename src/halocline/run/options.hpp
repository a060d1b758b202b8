// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a run of any solver is asked for, by flags or by a case file.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/io/compression.hpp"
#include "halocline/machine/affinity.hpp"
#include "halocline/output/writer.hpp"
#include "halocline/runtime/rank_device.hpp"

namespace halocline::run {

/// How progress is shown: on a moving line, as lines of a log, or not at all.
enum class Progress { automatic, line, log, off };

/// Results over time: one file for all steps, or one a step.
enum class OutputFiles { one_a_run, one_a_step };

/// What to do with a mesh whose dual cells are not closed.
enum class MeshCheck { strict, warn, off };

/// The word for the newest intact checkpoint with the run's prefix, or the beginning without one.
inline constexpr const char* restart_newest = "auto";

/// Solvers derive their own options from these.
struct Options {
    std::string front_end = "halocline-solve";  ///< the program, as messages name it
    std::string program;                        ///< name it was started under
    std::string case_file;                      ///< where the options come from, if from one
    std::vector<std::string> command;
    std::vector<std::string> notices;  ///< sentences about accepted words without effect

    std::string input_file = "input.dat";
    std::string input_directory;
    MeshCheck mesh_check = MeshCheck::strict;

    int steps = 25;  ///< multigrid cycles or time steps; 0: the solver decides
    bool measure_memory_bound = false;
    bool validate_result = false;
    std::optional<bool> measure_triad;  ///< unset: when the run is long enough

    std::string output_prefix;
    std::string record_file;
    int flow_interval = 0;    ///< steps between outputs of the finest state; 0: none
    int series_interval = 0;  ///< steps between lines of the series; 0: none
    std::vector<std::array<double, 3>> probe_points;  ///< whose nearest nodes are in the series
    std::vector<std::string> probe_fields;            ///< empty: the solver's usual ones
    std::string output_interval;                      ///< of results: see Schedule; empty: none
    std::vector<std::string> output_fields;           ///< empty: the solver's usual ones
    std::vector<int> output_levels;                   ///< empty: the finest
    OutputFiles output_files = OutputFiles::one_a_run;
    std::string output_compression = "none";  ///< by name, see `compression_names`
    int output_compression_level = 0;         ///< 0: the method's usual one
    std::int64_t output_chunk = Compression::usual_chunk_rows;  ///< rows packed together
    output::IoMode io_mode = output::IoMode::async;
    int io_buffers = 2;  ///< moments that may wait to be written
    int io_writers = 0;  ///< ranks that write; 0: all

    int checkpoint_interval = 0;      ///< steps between checkpoints; 0: none
    double checkpoint_seconds = 0.0;  ///< seconds between checkpoints; 0: none
    int checkpoint_keep = 2;          ///< newest checkpoints that stay
    std::string restart;              ///< a checkpoint, `restart_newest`, or empty
    double time_limit_s = 0.0;        ///< a checkpoint is on the disk by then; 0: none
    bool output_variables = false;
    Progress progress = Progress::automatic;
    bool print_summary = true;

    std::string partitioner = "parmetis";
    std::string partitioner_method = "auto";
    std::vector<double> weights;  ///< target weights of the ranks; empty: equal
    std::string partition_file;   ///< of the partitioner `file`
    bool renumber = true;

    std::string halo_scheme;        ///< empty: p2p between hosts, packed between devices
    bool gpudirect = false;         ///< halo scheme `direct`, where a device takes part
    bool assume_gpu_aware = false;  ///< MPI takes device pointers, whatever it says
    Overlap overlap = Overlap::on;
    std::optional<NetworkModel> network;  ///< modelled; unset: the real one

    std::string backend;
    DeviceSelection device = DeviceSelection::automatic;
    std::optional<int> device_ranks;  ///< ranks of a host on devices, of `mixed`; unset: its GPUs
    std::optional<int> gpu;           ///< unset: by the rank's place on its host
    LoopTimes loop_times = LoopTimes::sample;    ///< of the device back ends
    bool device_graph = true;                    ///< submit a step in one piece
    bool check_stale_reads = false;              ///< spoil host copies that a device has outdated
    std::vector<std::string> device_strategies;  ///< gather, once, or NAME=one of them
    int threads = 0;                             ///< 0: decide from the machine
    Affinity affinity;  ///< GPU and cores that the process took before MPI started
};

}  // namespace halocline::run
