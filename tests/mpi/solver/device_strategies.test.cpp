// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The multigrid cycle on emulated devices, its loops computed once or gathering: the bits of serial.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "halocline/memory/emulated_device.hpp"
#include "halocline/solver/mgcfd/case.hpp"
#include "halocline/solver/mgcfd/solver.hpp"

namespace halocline::test {
namespace {

constexpr int cycles = 3;
const std::string folder = HALOCLINE_TEST_DATA_DIR "/mgcfd-reference/boosted_shuffled";

/// States of all levels by node and variable, and rms by cycle; the same on all ranks.
struct Outcome {
    std::vector<std::vector<double>> state;
    std::vector<double> rms;
};

DistributeOptions options_for(const MgcfdMesh& mesh) {
    DistributeOptions options;
    options.partitioner = "block";
    options.primary_set = mesh.levels.front().node_set;
    options.graph_maps = {mesh.levels.front().edge_nodes};
    for (const MgcfdLevel& level : mesh.levels) {
        options.coordinates.push_back(level.coordinates);
    }
    return options;
}

std::vector<double> collect(const Communicator& comm, const mgcfd::Level& level) {
    const SetPart& nodes = *level.nodes.part;
    std::vector<double> values(static_cast<std::size_t>(nodes.global_size) * 5, 0.0);
    for (LocalIndex i = 0; i < nodes.owned; ++i) {
        for (int d = 0; d < 5; ++d) {
            values[static_cast<std::size_t>(nodes.global_id(i) * 5 + d)] = level.q.store().at(i, d);
        }
    }
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                            MPI_DOUBLE, MPI_SUM, comm.get()),
              "MPI_Allreduce");
    return values;
}

/// A run, and what may be asked about it afterwards.
class CycleRun {
public:
    CycleRun(const Communicator& comm, Backend backend, const StrategyOptions& strategies)
        : comm_(comm) {
        const MgcfdInput input = read_mgcfd_input(comm, in_directory(folder, "input.dat"));
        MgcfdMesh file = read_mgcfd_mesh(comm, input, folder, {});
        const DistributeOptions division = options_for(file);
        Distribution divided = distribute(comm, std::move(file.declaration), division);
        halo_ = make_halo_exchange(comm);
        DeviceOptions device_options;
        device_options.poison = true;
        device_options.strategies = strategies;
        context_ = std::make_unique<Context>(
            comm, *halo_, ContextOptions{backend, 1, Overlap::on, &device_, device_options});
        mesh_ = std::make_unique<Mesh>(std::move(divided.part), layout_mode(backend));
        solver_ = std::make_unique<mgcfd::Solver>(*context_, *mesh_,
                                                  mgcfd::SolverOptions{input.level_files});
    }

    Outcome outcome() {
        Outcome outcome;
        for (int cycle = 0; cycle < cycles; ++cycle) {
            outcome.rms.push_back(solver_->run_cycle());
        }
        for (const mgcfd::Level& level : solver_->levels()) {
            outcome.state.push_back(collect(comm_, level));
        }
        return outcome;
    }
    [[nodiscard]] const device::RepeatedWork& work() const { return solver_->cycle_work(); }
    [[nodiscard]] Context& context() { return *context_; }

private:
    Communicator comm_;
    EmulatedDevice device_;
    std::unique_ptr<HaloExchange> halo_;
    std::unique_ptr<Context> context_;
    std::unique_ptr<Mesh> mesh_;
    std::unique_ptr<mgcfd::Solver> solver_;
};

/// Serial, on one rank: worked out on every rank for itself.
const Outcome& judge() {
    static const Outcome outcome =
        CycleRun(Communicator(MPI_COMM_SELF), Backend::serial, {}).outcome();
    return outcome;
}

StrategyOptions usually(DeviceStrategy usual) {
    StrategyOptions options;
    options.usual = usual;
    return options;
}

TEST(SolverStrategies, ComputingOnceGivesTheBitsOfSerial) {
    const Communicator comm(MPI_COMM_WORLD);
    CycleRun run(comm, Backend::emulated, usually(DeviceStrategy::once));
    const Outcome outcome = run.outcome();
    EXPECT_EQ(outcome.rms, judge().rms);
    EXPECT_EQ(outcome.state, judge().state);
    EXPECT_EQ(run.work().obstacle().empty(), comm.size() == 1) << run.work().obstacle();
    for (const LoopStatistics& row : run.context().loops().rows()) {
        const mgcfd::Options options;
        const auto known = mgcfd::Case(options).loops_with_strategies();
        const bool has_choice = std::find(known.begin(), known.end(), row.name) != known.end();
        EXPECT_EQ(row.strategy == "once", has_choice && row.on_device) << row.name;
    }
}

TEST(SolverStrategies, EachLoopAndLevelHasItsChoice) {
    const Communicator comm(MPI_COMM_WORLD);
    StrategyOptions options;
    options.by_name = {{"flux_stage_2.L1", DeviceStrategy::once},
                       {"flux_stage_2", DeviceStrategy::gather},
                       {"flux_stage_1.L0", DeviceStrategy::once},
                       {"restrict.L2", DeviceStrategy::once}};
    CycleRun run(comm, Backend::emulated, options);
    EXPECT_EQ(run.outcome().state, judge().state);
    const auto strategy = [&](const char* loop, int level) {
        return run.context().loops().row({loop, level}).strategy;
    };
    EXPECT_EQ(strategy("flux_stage_1", 0), "once");
    EXPECT_EQ(strategy("flux_stage_1", 1), "gather");
    EXPECT_EQ(strategy("flux_stage_2", 0), "gather");
    EXPECT_EQ(strategy("flux_stage_2", 1), "once");
    EXPECT_EQ(strategy("restrict", 1), "gather");
    EXPECT_EQ(strategy("restrict", 2), "once");
    EXPECT_EQ(strategy("correct", 0), "direct");
}

}  // namespace
}  // namespace halocline::test
