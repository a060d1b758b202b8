// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The advection-diffusion solver has the bits of its serial run on every back end and rank count, with
// every flux, limiter and problem; and it says what it cannot run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <memory>

#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/io/mesh_reader.hpp"
#include "halocline/memory/emulated_device.hpp"
#include "halocline/run/divergence.hpp"
#include "halocline/solver/advection_diffusion/case.hpp"
#include "halocline/solver/advection_diffusion/solver.hpp"

namespace halocline::test {
namespace {

using advection_diffusion::Options;

const std::string natural_folder = HALOCLINE_TEST_DATA_DIR "/mgcfd-reference/natural";
const std::string boosted_folder = HALOCLINE_TEST_DATA_DIR "/mgcfd-reference/boosted_shuffled";

/// A sector of cells of size 1, which a wave of some eight cells crosses.
Options sector_options() {
    Options options;
    options.diffusivity = 0.05;
    options.waves_per_length = {0.125, 0.1, 0.0625};
    options.centre = {16.0, 32.0, 1.0};
    options.width = 4.0;
    options.end_time = 0.75;
    return options;
}

struct Outcome {
    std::vector<std::uint64_t> phi;
    std::vector<std::uint64_t> rms;
    std::uint64_t error = 0;
    int steps = 0;
    bool operator==(const Outcome&) const = default;
};

class ScalarRun {
public:
    ScalarRun(const Communicator& comm, Backend backend, const Options& options, int threads = 1,
              const std::string& folder = natural_folder)
        : comm_(comm), options_(options) {
        MgcfdInput input = read_mgcfd_input(comm, in_directory(folder, "input.dat"));
        input.level_files.resize(1);
        ReadOptions reading;
        reading.dual_volumes = true;
        MgcfdMesh file = read_mgcfd_mesh(comm, input, folder, reading);
        DistributeOptions division;
        division.partitioner = "inertial";
        division.primary_set = file.levels.front().node_set;
        division.graph_maps = {file.levels.front().edge_nodes};
        division.coordinates = {file.levels.front().coordinates};
        division.renumber = backend != Backend::serial;
        Distribution divided = distribute(comm, std::move(file.declaration), division);
        halo_ = make_halo_exchange(comm);
        DeviceOptions device_options;
        device_options.poison = true;
        Device* device = backend == Backend::emulated ? &device_ : nullptr;
        context_ = std::make_unique<Context>(
            comm, *halo_, ContextOptions{backend, threads, Overlap::on, device, device_options});
        mesh_ = std::make_unique<Mesh>(std::move(divided.part), layout_mode(backend));
        solver_ = std::make_unique<advection_diffusion::Solver>(*context_, *mesh_, options_,
                                                                input.level_files.front());
    }

    Outcome outcome() {
        Outcome outcome;
        outcome.steps = solver_->steps();
        for (int step = 0; step < outcome.steps; ++step) {
            outcome.rms.push_back(std::bit_cast<std::uint64_t>(solver_->advance({})));
        }
        outcome.error = std::bit_cast<std::uint64_t>(solver_->error().l2);
        const SetPart& nodes = *solver_->geometry().nodes.part;
        std::vector<double> phi(static_cast<std::size_t>(nodes.global_size), 0.0);
        for (LocalIndex i = 0; i < nodes.owned; ++i) {
            phi[static_cast<std::size_t>(nodes.global_id(i))] = solver_->phi().store().at(i, 0);
        }
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, phi.data(), static_cast<int>(phi.size()), MPI_DOUBLE,
                                MPI_SUM, comm_.get()),
                  "MPI_Allreduce");
        for (const double value : phi) {
            outcome.phi.push_back(std::bit_cast<std::uint64_t>(value));
        }
        return outcome;
    }
    [[nodiscard]] const device::RepeatedWork& work() const { return solver_->step_work(); }

private:
    Communicator comm_;
    Options options_;
    EmulatedDevice device_;
    std::unique_ptr<HaloExchange> halo_;
    std::unique_ptr<Context> context_;
    std::unique_ptr<Mesh> mesh_;
    std::unique_ptr<advection_diffusion::Solver> solver_;
};

/// Serial, on one rank: worked out on every rank for itself.
Outcome judge(const Options& options) {
    return ScalarRun(Communicator(MPI_COMM_SELF), Backend::serial, options).outcome();
}

class AdvectionDiffusion : public testing::TestWithParam<Backend> {};

TEST_P(AdvectionDiffusion, HasTheBitsOfSerial) {
    const Communicator comm(MPI_COMM_WORLD);
    for (const char* limiter : {"none", "barth-jespersen", "venkatakrishnan"}) {
        for (const char* flux : {"upwind", "central"}) {
            Options options = sector_options();
            options.limiter = limiter;
            options.flux = flux;
            options.problem = std::string(flux) == "upwind" ? "wave" : "pulse";
            ScalarRun run(comm, GetParam(), options, GetParam() == Backend::openmp ? 2 : 1);
            const Outcome expected = judge(options);
            EXPECT_GE(expected.steps, 3);
            EXPECT_TRUE(run.outcome() == expected) << limiter << ", " << flux;
            if (GetParam() == Backend::emulated) {
                EXPECT_EQ(run.work().obstacle().empty(), comm.size() == 1) << run.work().obstacle();
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(BackEnds, AdvectionDiffusion,
                         testing::Values(Backend::serial, Backend::openmp, Backend::check,
                                         Backend::emulated),
                         [](const auto& backend) { return backend_name(backend.param); });

std::string refusal(const Options& options, const std::string& folder = natural_folder) {
    try {
        ScalarRun(Communicator(MPI_COMM_WORLD), Backend::serial, options, 1, folder);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(AdvectionDiffusionCases, RefuseStepsThatAreTooLong) {
    Options options = sector_options();
    const int fewest =
        ScalarRun(Communicator(MPI_COMM_WORLD), Backend::serial, options).outcome().steps;
    options.steps = fewest - 1;
    EXPECT_THAT(refusal(options),
                testing::HasSubstr("Ask for " + std::to_string(fewest) + " or more"));
    options.steps = fewest + 3;
    EXPECT_EQ(ScalarRun(Communicator(MPI_COMM_WORLD), Backend::serial, options).outcome().steps,
              fewest + 3);
    options = sector_options();
    options.end_time = 1e12;
    EXPECT_THAT(refusal(options), testing::HasSubstr("Choose an earlier end"));
}

TEST(AdvectionDiffusionCases, RefuseScaledAreas) {
    EXPECT_THAT(refusal(sector_options(), boosted_folder),
                testing::AllOf(testing::HasSubstr("mesh.L0.h5: areas are 1e+18 times"),
                               testing::HasSubstr("scaling = \"natural\"")));
}

TEST(AdvectionDiffusionCases, SayWhereARunDiverged) {
    Options options = sector_options();
    options.cfl = 40.0;
    options.end_time = 1e5;
    ScalarRun run(Communicator(MPI_COMM_WORLD), Backend::openmp, options);
    try {
        static_cast<void>(run.outcome());
        FAIL() << "it should not be stable";
    } catch (const run::DivergenceError& error) {
        EXPECT_GT(error.step, 1);
        EXPECT_GE(error.node, 0);
        EXPECT_LT(error.node, 5049);
        EXPECT_GT(error.coordinates[1], 20.0);  // a place in the sector
        EXPECT_THAT(error.what(), testing::HasSubstr("Lower solver.cfl"));
    }
}

}  // namespace
}  // namespace halocline::test
