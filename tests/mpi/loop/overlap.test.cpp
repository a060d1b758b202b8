// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Core elements are computed while halos travel: the exchange begins before and ends in between.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "halocline/backend/par_loop.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "support/bits.hpp"
#include "support/loop_shapes.hpp"

namespace halocline::test {

namespace {

/// An exchange that spoils halo values from begin to end, as a slow network leaves them old.
class SpoilingExchange final : public HaloExchange {
public:
    explicit SpoilingExchange(std::unique_ptr<HaloExchange> inner) : inner_(std::move(inner)) {}

    void begin(std::span<const HaloItem> items) override {
        for (const HaloItem& item : items) {
            for (const LocalIndex i : item.set->halo.recv_indices) {
                for (int d = 0; d < item.dat.dim; ++d) {
                    item.dat.values[item.dat.layout.offset(i, d)] = 1e300;
                }
            }
        }
        inner_->begin(items);
        ++begun;
    }
    bool progress() override { return inner_->progress(); }
    void end() override {
        inner_->end();
        ++ended;
    }
    [[nodiscard]] const HaloLedger& ledger() const override { return inner_->ledger(); }
    [[nodiscard]] const char* scheme() const override { return "spoiling"; }

    int begun = 0;
    int ended = 0;

private:
    std::unique_ptr<HaloExchange> inner_;
};

/// A slow network with a clock that only the caller's work moves: messages land at the k-th look.
class LateExchange final : public HaloExchange {
public:
    LateExchange(std::unique_ptr<HaloExchange> inner, int looks_needed)
        : inner_(std::move(inner)), looks_needed_(looks_needed) {}

    void begin(std::span<const HaloItem> items) override {
        inner_->begin(items);
        looks_ = 0;
        ++begun;
    }
    bool progress() override {
        if (looks_ < looks_needed_ && ++looks_ == looks_needed_) {
            inner_->end();
        }
        return looks_ < looks_needed_;
    }
    void end() override {
        if (looks_ < looks_needed_) {
            ++waited;
            inner_->end();
        }
    }
    [[nodiscard]] const HaloLedger& ledger() const override { return inner_->ledger(); }
    [[nodiscard]] const char* scheme() const override { return "late"; }

    int begun = 0;
    int waited = 0;  ///< exchanges whose messages had not landed when the core was done

private:
    std::unique_ptr<HaloExchange> inner_;
    int looks_needed_;
    int looks_ = 0;
};

struct Neighbours {
    template <class V>
    void operator()(const Values<V, 3>& a, const Values<V, 3>& b, Values<V, 3>& sum_a,
                    Values<V, 3>& sum_b) const {
        for (int d = 0; d < 3; ++d) {
            sum_a[d] += b[d] * V(0.25);
            sum_b[d] += a[d] * V(0.25);
        }
    }
};

struct Move {
    template <class V>
    void operator()(const Values<V, 3>& sum, Values<V, 3>& x) const {
        for (int d = 0; d < 3; ++d) {
            x[d] = sum[d] - x[d] * V(0.5);
        }
    }
};

/// Several, because a single one takes such a loop edge by edge, after the exchange.
constexpr int threads = 2;

MeshDeclaration ring(const Communicator& comm, GlobalIndex nodes) {
    MeshDeclaration mesh;
    const int node_set = mesh.add_set("nodes", nodes);
    const int edge_set = mesh.add_set("edges", nodes);
    std::vector<GlobalIndex> ends;
    const BlockRange block = block_range(nodes, comm.rank(), comm.size());
    for (GlobalIndex i = block.begin; i < block.end; ++i) {
        ends.push_back(i);
        ends.push_back((i + 1) % nodes);
    }
    mesh.add_map("edge_nodes", edge_set, node_set, 2, std::move(ends));
    return mesh;
}

std::vector<double> expected_after(GlobalIndex nodes, int steps) {
    std::vector<double> x = table_of(nodes, 3, field_x);
    for (int step = 0; step < steps; ++step) {
        std::vector<double> sum(x.size(), 0.0);
        for (GlobalIndex e = 0; e < nodes; ++e) {
            Values<double, 3> more_a = nothing_yet<3>();
            Values<double, 3> more_b = nothing_yet<3>();
            Neighbours{}(row_of<3>(x, e), row_of<3>(x, (e + 1) % nodes), more_a, more_b);
            add_row(sum, e, more_a);
            add_row(sum, (e + 1) % nodes, more_b);
        }
        for (GlobalIndex i = 0; i < nodes; ++i) {
            Values<double, 3> row = row_of<3>(x, i);
            Move{}(row_of<3>(sum, i), row);
            set_row(x, i, row);
        }
    }
    return x;
}

TEST(Overlap, CoreElementsTouchNoHalo) {
    const Communicator comm(MPI_COMM_WORLD);
    constexpr GlobalIndex nodes = 400;
    constexpr int steps = 5;
    DistributeOptions options;
    options.partitioner = "block";
    Distribution distribution = distribute(comm, ring(comm, nodes), options);
    Mesh mesh(std::move(distribution.part), LayoutMode::vector);
    SpoilingExchange halo(make_halo_exchange(comm));
    Context context(comm, halo, {Backend::openmp, threads});

    const auto node_set = mesh.set<Node>("nodes");
    const auto edge_set = mesh.set<Edge>("edges");
    const auto map = mesh.map<Edge, Node, 2>("edge_nodes");
    auto x = mesh.make_dat<Node, double, 3>(node_set, "x");
    x.fill([&](LocalIndex i, int d) { return field_x(node_set.part->global_id(i), d); });
    auto sum = mesh.make_dat<Node, double, 3, LaneStorage>(node_set, "sum");
    for (int step = 0; step < steps; ++step) {
        sum.fill([](LocalIndex, int) { return 0.0; });
        par_loop(context, "neighbours", edge_set, Neighbours{}, read<0>(x, map), read<1>(x, map),
                 inc<0>(sum, map), inc<1>(sum, map));
        par_loop(context, "move", node_set, Move{}, read(sum), read_write(x));
    }
    EXPECT_EQ(halo.begun, comm.size() > 1 ? steps : 0);
    EXPECT_EQ(halo.begun, halo.ended);
    if (comm.size() > 1) {
        // A hundred nodes a rank or more, two of them at each cut: there is an inside to overlap.
        EXPECT_GE(node_set.part->core, node_set.part->owned - 8);
    }

    const std::vector<double> expected = expected_after(nodes, steps);
    int wrong = 0;
    for (LocalIndex i = 0; i < node_set.part->owned; ++i) {
        for (int d = 0; d < 3; ++d) {
            const auto at = static_cast<std::size_t>(node_set.part->global_id(i)) * 3 +
                            static_cast<std::size_t>(d);
            wrong += same_bits(x.store().at(i, d), expected[at]) ? 0 : 1;
        }
    }
    EXPECT_EQ(wrong, 0);
}

/// Steps on a ring whose messages are late; returns how many exchanges had to be waited for.
int count_waits(Overlap overlap, int steps) {
    const Communicator comm(MPI_COMM_WORLD);
    DistributeOptions options;
    options.partitioner = "block";
    // Each thread has four looks' worth of core elements, and its share of the cuts.
    const GlobalIndex nodes = comm.size() * threads * (5 * detail::elements_between_looks);
    Distribution distribution = distribute(comm, ring(comm, nodes), options);
    Mesh mesh(std::move(distribution.part), LayoutMode::vector);
    LateExchange halo(make_halo_exchange(comm), 3);
    Context context(comm, halo, {Backend::openmp, threads, overlap});
    const auto node_set = mesh.set<Node>("nodes");
    const auto map = mesh.map<Edge, Node, 2>("edge_nodes");
    auto x = mesh.make_dat<Node, double, 3>(node_set, "x");
    auto sum = mesh.make_dat<Node, double, 3, LaneStorage>(node_set, "sum");
    x.fill(Values<double, 3>{1.0, 1.0, 1.0});
    for (int step = 0; step < steps; ++step) {
        par_loop(context, "neighbours", mesh.set<Edge>("edges"), Neighbours{}, read<0>(x, map),
                 read<1>(x, map), inc<0>(sum, map), inc<1>(sum, map));
        par_loop(context, "move", node_set, Move{}, read(sum), read_write(x));
    }
    EXPECT_EQ(halo.begun, steps - 1);
    return halo.waited;
}

// No wall clock: whether a message of the slow network is waited for depends on the work alone.
TEST(Overlap, HidesASlowNetworkBehindTheCore) {
    if (Communicator(MPI_COMM_WORLD).size() == 1) {
        GTEST_SKIP() << "one rank sends nothing: loop_mpi_test runs it on more";
    }
    constexpr int steps = 4;
    EXPECT_EQ(count_waits(Overlap::off, steps), steps - 1);
    EXPECT_EQ(count_waits(Overlap::on, steps), 0);
}

}  // namespace

}  // namespace halocline::test
