// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Every partitioner, method and halo scheme brings the bits of the serial run, on all levels.
#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <map>
#include <tuple>

#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "halocline/solver/mgcfd/solver.hpp"

namespace halocline::test {
namespace {

constexpr int cycles = 3;
const std::string folder = HALOCLINE_TEST_DATA_DIR "/mgcfd-reference/boosted_shuffled";

/// Bits of the state by level, node and variable, and rms by cycle.
struct Outcome {
    std::vector<std::vector<std::uint64_t>> state;
    std::vector<std::uint64_t> rms;
};

DistributeOptions options_for(const MgcfdMesh& mesh) {
    DistributeOptions options;
    options.primary_set = mesh.levels.front().node_set;
    options.graph_maps = {mesh.levels.front().edge_nodes};
    for (const MgcfdLevel& level : mesh.levels) {
        options.coordinates.push_back(level.coordinates);
    }
    return options;
}

/// A user's partition: two interleaved combs, so that parts are unequal and in many pieces.
std::vector<int> combs(const Communicator& comm, GlobalIndex nodes) {
    std::vector<int> parts;
    const BlockRange block = block_range(nodes, comm.rank(), comm.size());
    for (GlobalIndex node = block.begin; node < block.end; ++node) {
        parts.push_back(static_cast<int>((node / 7 + node % 2) % comm.size()));
    }
    return parts;
}

/// Owned values only; zero where another rank owns the node.
Outcome run(const Communicator& comm, const PartitionMethod& way, const std::string& scheme,
            Backend backend) {
    const MgcfdInput input = read_mgcfd_input(comm, in_directory(folder, "input.dat"));
    MgcfdMesh file = read_mgcfd_mesh(comm, input, folder, {});
    DistributeOptions options = options_for(file);
    options.partitioner = way.partitioner;
    options.method = way.method;
    options.renumber = backend != Backend::serial;
    if (way.partitioner == "file") {
        options.given_parts = combs(comm, file.levels.front().nodes);
    }
    Distribution divided = distribute(comm, std::move(file.declaration), options);
    const auto halo = make_halo_exchange(comm, {scheme});
    Context context(comm, *halo, {backend, 1});
    Mesh mesh(std::move(divided.part), layout_mode(backend));
    mgcfd::Solver solver(context, mesh, {input.level_files});
    Outcome outcome;
    for (int cycle = 0; cycle < cycles; ++cycle) {
        outcome.rms.push_back(std::bit_cast<std::uint64_t>(solver.run_cycle()));
    }
    for (mgcfd::Level& level : solver.levels()) {
        const SetPart& nodes = *level.nodes.part;
        auto& bits = outcome.state.emplace_back(static_cast<std::size_t>(nodes.global_size) * 5, 0);
        for (LocalIndex i = 0; i < nodes.owned; ++i) {
            for (int d = 0; d < 5; ++d) {
                bits[static_cast<std::size_t>(nodes.global_id(i) * 5 + d)] =
                    std::bit_cast<std::uint64_t>(level.q.store().at(i, d));
            }
        }
    }
    return outcome;
}

/// One rank, serial back end, file order: worked out on every rank for itself.
const Outcome& judge() {
    static const Outcome outcome =
        run(Communicator(MPI_COMM_SELF), {"block", "none"}, "p2p", Backend::serial);
    return outcome;
}

/// What became of each combination, printed at the end by rank 0: a matrix with a hole shows.
class EveryDivision : public testing::TestWithParam<std::tuple<PartitionMethod, std::string>> {
protected:
    static void TearDownTestSuite() {
        const Communicator comm(MPI_COMM_WORLD);
        if (!comm.is_root()) {
            return;
        }
        std::printf("%d ranks, %d cycles%6s", comm.size(), cycles, "");
        for (const std::string& scheme : halo_scheme_names()) {
            std::printf("  %-10s", scheme.c_str());
        }
        for (const auto& [way, verdicts] : table()) {
            std::printf("\n  %-20s", way.c_str());
            for (const std::string& scheme : halo_scheme_names()) {
                const auto found = verdicts.find(scheme);
                std::printf("  %-10s", found == verdicts.end() ? "-" : found->second.c_str());
            }
        }
        std::printf("\n");
    }

    static std::map<std::string, std::map<std::string, std::string>>& table() {
        static std::map<std::string, std::map<std::string, std::string>> verdicts;
        return verdicts;
    }
};

TEST_P(EveryDivision, BringsTheBitsOfTheSerialRun) {
    const auto& [way, scheme] = GetParam();
    const Communicator comm(MPI_COMM_WORLD);
    std::string& verdict = table()[way.partitioner + " " + way.method][scheme];
    verdict = "failed";
    Outcome outcome;
    try {
        outcome = run(comm, way, scheme, Backend::openmp);
    } catch (const RunError& error) {
        const std::string said = error.what();
        if (scheme == "p2p" || said.find("MPI_") == std::string::npos) {
            throw;  // only the library may refuse, e.g. one-sided messages over TCP
        }
        verdict = "refused";
        GTEST_SKIP() << scheme << " is refused by the MPI library: " << said;
    }
    EXPECT_EQ(outcome.rms, judge().rms);
    for (std::size_t l = 0; l < outcome.state.size(); ++l) {
        auto& bits = outcome.state[l];
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, bits.data(), static_cast<int>(bits.size()),
                                MPI_UINT64_T, MPI_BOR, comm.get()),
                  "MPI_Allreduce");
        EXPECT_EQ(bits, judge().state[l]) << "level " << l;
    }
    verdict = HasFailure() ? "DIFFERENT" : "same bits";
}

INSTANTIATE_TEST_SUITE_P(All, EveryDivision,
                         testing::Combine(testing::ValuesIn(partition_methods()),
                                          testing::ValuesIn(halo_scheme_names())),
                         [](const auto& test) {
                             const PartitionMethod& way = std::get<0>(test.param);
                             return way.partitioner + "_" + way.method + "_" +
                                    std::get<1>(test.param);
                         });

}  // namespace
}  // namespace halocline::test
