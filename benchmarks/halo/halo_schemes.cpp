// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Every halo scheme on the pattern of a real mesh: 1, 3, 5 and 9 values at each node of each level.
//   mpirun -n 4 benchmark_halo_schemes FOLDER [PARTITIONER] [MICROSECONDS,GB_PER_S]
#include <fmt/core.h>

#include "halocline/core/error.hpp"
#include "halocline/core/failure.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/halo_choice.hpp"
#include "halocline/io/input_file.hpp"
#include "halocline/io/mesh_reader.hpp"

namespace halocline {

namespace {

/// A scalar, a vector, the state of a compressible flow, the gradient of a velocity.
constexpr std::array<int, 4> values_a_node{1, 3, 5, 9};

Distribution divide(const Communicator& comm, MgcfdMesh& mesh, const std::string& partitioner) {
    DistributeOptions options;
    options.partitioner = partitioner;
    options.primary_set = mesh.levels.front().node_set;
    options.graph_maps = {mesh.levels.front().edge_nodes};
    for (const MgcfdLevel& level : mesh.levels) {
        options.coordinates.push_back(level.coordinates);
    }
    return distribute(comm, std::move(mesh.declaration), options);
}

void measure(const Communicator& comm, const SetPart& nodes, std::size_t level, int values,
             const std::optional<NetworkModel>& network) {
    constexpr int repeats = 20;
    const HaloSample sample{&nodes, values, repeats};
    const HaloChoice choice =
        choose_halo_scheme(comm, {&sample, 1}, host_candidates(comm, network));
    for (const HaloTrial& trial : choice.trials) {
        if (!comm.is_root()) {
            continue;
        }
        const double us = 1e6 * trial.seconds / repeats;
        const double bytes = static_cast<double>(trial.counts.bytes) / repeats;
        fmt::print("{:>5} {:>7}  {:<10} {:>9.2f} {:>9.2f} {:>9} {:>11.0f} {:>9.1f}  {}\n", level,
                   values, trial.scheme, us, 1e6 * trial.noise_s / repeats,
                   trial.counts.messages / repeats, bytes, us > 0.0 ? bytes / us : 0.0,
                   trial.verdict);
    }
}

int run(const Communicator& comm, int argc, char** argv) {
    validate<UsageError>(argc >= 2 && argc <= 4,
                         "the folder of a mesh is missing. Use: benchmark_halo_schemes FOLDER "
                         "[PARTITIONER] [MICROSECONDS,GB_PER_S].");
    validate<UsageError>(comm.size() > 1, "one rank exchanges nothing. Start it by mpirun -n 2.");
    const std::string folder = argv[1];
    std::optional<NetworkModel> network;
    if (argc > 3) {
        network = network_model_from_text(argv[3]);
    }
    const MgcfdInput input = read_mgcfd_input(comm, in_directory(folder, "input.dat"));
    MgcfdMesh mesh = read_mgcfd_mesh(comm, input, folder, {false, true});
    const std::vector<MgcfdLevel> levels = mesh.levels;
    const Distribution distribution = divide(comm, mesh, argc > 2 ? argv[2] : "ptscotch");
    if (comm.is_root()) {
        fmt::print("{}, {} ranks, {} ({}); one exchange, slowest rank, all ranks' bytes\n", folder,
                   comm.size(), distribution.report.partitioner, distribution.report.library);
        fmt::print("{:>5} {:>7}  {:<10} {:>9} {:>9} {:>9} {:>11} {:>9}  {}\n", "level", "values",
                   "scheme", "us", "noise us", "messages", "bytes", "MB/s", "verdict");
    }
    for (std::size_t l = 0; l < levels.size(); ++l) {
        for (const int values : values_a_node) {
            measure(comm, distribution.part.sets[static_cast<std::size_t>(levels[l].node_set)], l,
                    values, network);
        }
    }
    return 0;
}

}  // namespace

}  // namespace halocline

int main(int argc, char** argv) {
    return halocline::run_mpi_program(argc, argv, MPI_THREAD_FUNNELED, "benchmark_halo_schemes",
                                      halocline::run);
}
