// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Command line of mgcfd: MG-CFD's flags and a few of ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/core/communicator.hpp"
#include "halocline/dist/halo_exchange.hpp"
#include "halocline/machine/affinity.hpp"
#include "halocline/runtime/rank_device.hpp"

namespace halocline::mgcfd {

/// How progress is told: on a moving line, as lines of a log, or not at all.
enum class Progress { automatic, line, log, off };

/// What to do with a mesh whose dual cells are not closed.
enum class MeshCheck { strict, warn, off };

struct Options {
    std::string front_end = "mgcfd";  ///< the program that speaks
    std::string program;              ///< name it was started under
    std::string case_file;            ///< where the options come from, if from one
    std::string input_file = "input.dat";
    std::string input_directory;
    std::string output_prefix;
    std::string papi_config_file;
    int cycles = 25;
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
    bool measure_memory_bound = false;
    bool validate_result = false;
    bool legacy_mode = false;
    int flow_interval = 0;  ///< cycles between outputs of the flow; 0: none
    bool output_variables = false;
    bool output_fluxes = false;
    bool output_step_factors = false;
    std::string backend;
    DeviceWish device = DeviceWish::automatic;
    std::optional<int> device_ranks;  ///< ranks of a host on devices, of `mixed`; unset: its GPUs
    std::optional<int> gpu;           ///< unset: by the rank's place on its host
    LoopTimes loop_times = LoopTimes::sample;    ///< of the device back ends
    bool device_graph = true;                    ///< submit a cycle in one piece
    bool check_stale_reads = false;              ///< spoil host copies that a device has outdated
    std::vector<std::string> device_strategies;  ///< gather, once, or NAME=one of them
    int threads = 0;                             ///< 0: decide from the machine
    std::string record_file;
    MeshCheck mesh_check = MeshCheck::strict;
    Progress progress = Progress::automatic;
    bool print_summary = true;
    std::optional<bool> measure_triad;  ///< unset: when the run is long enough
    std::vector<std::string> notices;   ///< sentences about accepted words without effect
    std::vector<std::string> command;
    Affinity affinity;  ///< GPU and cores that the process took before MPI started
};

/// What parsing asks the program to do instead of running: print a text and stop.
struct PrintAndStop {
    std::string text;
};

/// Parses the command line; `-c FILE` stands for the flags its settings name, at its place, so later
/// flags win. Returns the options, or a text to print (`--help`, `--version`). Collective: the
/// configuration file is read by rank 0. Throws UsageError or InputError on every rank.
struct ParsedCommand {
    std::optional<Options> options;
    PrintAndStop print;
};
[[nodiscard]] ParsedCommand parse_command(const Communicator& comm, int argc, char** argv);

/// What the flags alone say, without files, for decisions before MPI starts. None when they do not
/// parse: `parse_command` says why.
[[nodiscard]] std::optional<Options> peek_options(int argc, char** argv);

}  // namespace halocline::mgcfd
