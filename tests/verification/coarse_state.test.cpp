// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Coarse states in aliased memory: the same bits as in their own, and never where a state must be kept.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/solver/mgcfd/solver.hpp"
#include "support/numbers.hpp"
#include "verification/box_mesh.hpp"

namespace halocline::test {

namespace {

enum class Children { everywhere, not_everywhere };

/// Two boxes, 17 and 9 nodes a side: every other node of the fine one has a parent at its place.
class TwoLevels {
public:
    TwoLevels(Backend backend, Children children) {
        DistributeOptions options;
        options.partitioner = "block";
        Distribution distribution = distribute(comm_, declare(children), options);
        mesh_ = std::make_unique<Mesh>(std::move(distribution.part), layout_mode(backend));
        halo_ = make_halo_exchange(comm_);
        context_ = std::make_unique<Context>(comm_, *halo_, ContextOptions{backend, 1});
        solver_ = std::make_unique<mgcfd::Solver>(
            *context_, *mesh_, mgcfd::SolverOptions{{"fine", "coarse"}, true, false});
        disturb(solver_->levels().front());
    }

    /// Largest difference of the coarse states after some cycles of both.
    [[nodiscard]] double difference_after_cycles(TwoLevels& other) {
        for (int cycle = 0; cycle < 3; ++cycle) {
            EXPECT_EQ(solver_->run_cycle(), other.solver_->run_cycle());
        }
        const mgcfd::Level& mine = coarse();
        const mgcfd::Level& theirs = other.coarse();
        double largest = 0.0;
        for (LocalIndex i = 0; i < mine.nodes.part->owned; ++i) {
            const auto node = static_cast<std::size_t>(mine.nodes.part->global_id(i));
            const LocalIndex there = other.local_of_[node];
            for (int d = 0; d < 5; ++d) {
                const double a = mine.q.store().at(i, d);
                largest = std::max(largest, std::fabs(a - theirs.q.store().at(there, d)));
            }
        }
        return largest;
    }

    [[nodiscard]] const mgcfd::Level& coarse() {
        const mgcfd::Level& level = solver_->levels()[1];
        const SetPart& nodes = *level.nodes.part;
        local_of_.resize(static_cast<std::size_t>(nodes.global_size));
        for (LocalIndex i = 0; i < nodes.owned; ++i) {
            local_of_[static_cast<std::size_t>(nodes.global_id(i))] = i;
        }
        return level;
    }

private:
    static constexpr int fine_side = 17;
    static constexpr int coarse_side = 9;
    static constexpr GlobalIndex childless = 364;

    static MeshDeclaration declare(Children children) {
        const double scale = 1.0 / mgcfd::damping;
        MeshDeclaration mesh;
        const int fine = BoxMesh({fine_side, 0.0, 4, scale}).add_to(mesh, 0);
        const int coarse = BoxMesh({coarse_side, 0.0, 4, scale}).add_to(mesh, 1);
        std::vector<GlobalIndex> parents;
        for (int i = 0; i < fine_side * fine_side * fine_side; ++i) {
            const int x = i / (fine_side * fine_side) / 2;
            const int y = i / fine_side % fine_side / 2;
            const int z = i % fine_side / 2;
            const GlobalIndex parent = (x * coarse_side + y) * coarse_side + z;
            const bool moves = children == Children::not_everywhere && parent == childless;
            parents.push_back(moves ? parent - 1 : parent);
        }
        mesh.add_map("parent_L0", fine, coarse, 1, std::move(parents));
        return mesh;
    }

    static void disturb(mgcfd::Level& fine) {
        const Values<double, 5> stream = mgcfd::FreeStream().conserved();
        const SetPart& nodes = *fine.nodes.part;
        fine.q.fill([&](LocalIndex i, int d) {
            return stream[d] * (1.0 + 0.01 * unit_number(7, nodes.global_id(i), d));
        });
    }

    Communicator comm_{MPI_COMM_WORLD};
    std::unique_ptr<HaloExchange> halo_;
    std::unique_ptr<Mesh> mesh_;
    std::unique_ptr<Context> context_;
    std::unique_ptr<mgcfd::Solver> solver_;
    std::vector<LocalIndex> local_of_;
};

TEST(CoarseState, LiesInLentMemoryWhereEveryNodeHasChildren) {
    TwoLevels aliased(Backend::openmp, Children::everywhere);
    ASSERT_TRUE(aliased.coarse().q_is_aliased);
    TwoLevels own(Backend::serial, Children::everywhere);
    ASSERT_FALSE(own.coarse().q_is_aliased);
    EXPECT_EQ(aliased.difference_after_cycles(own), 0.0);
}

TEST(CoarseState, StaysWhereANodeWithoutChildrenKeepsIt) {
    TwoLevels aliased(Backend::openmp, Children::not_everywhere);
    ASSERT_TRUE(aliased.coarse().spare.has_value());
    ASSERT_FALSE(aliased.coarse().q_is_aliased);
    TwoLevels own(Backend::serial, Children::not_everywhere);
    EXPECT_EQ(aliased.difference_after_cycles(own), 0.0);
}

}  // namespace

}  // namespace halocline::test
