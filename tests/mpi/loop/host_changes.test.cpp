// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Values that a program changes on the host: the next loop through a map sees them on every rank.
#include <gtest/gtest.h>

#include "halocline/io/field_reader.hpp"
#include "halocline/io/field_writer.hpp"
#include "halocline/memory/emulated_device.hpp"
#include "mpi/io/shared_folder.hpp"
#include "support/bits.hpp"
#include "support/loop_shapes.hpp"
#include "support/run_loops.hpp"
#include "support/small_world.hpp"

namespace halocline::test {

namespace {

double older(GlobalIndex id, int d) { return rough_number(1, id, d); }
double newer(GlobalIndex id, int d) { return rough_number(2, id, d); }

struct AddEnds {
    template <class V, int n>
    HALOCLINE_HD void operator()(const Values<V, n>& a, const Values<V, n>& b,
                                 Values<V, 1>& sum) const {
        sum[0] += a[0] * b[1] + a[n - 1];
    }
};

class HostChanges : public ::testing::TestWithParam<Backend> {
protected:
    Communicator comm{MPI_COMM_WORLD};
    WorldTables tables{{310, 900, 230, 170, 300, 45}, 6};
    EmulatedDevice device;
    LoopWorld world = make_world(comm);
    Dat<Node, double, 3> q = world.dat<3>(world.nodes(), "q", older);
    Dat<Node, double, 3, WithDerived> extended_q{
        // braces, for nvcc: see docs/devices.md
        world.dat<3, WithDerived>(world.nodes(), "extended_q", older)};
    Dat<Edge, double, 1> sum =
        world.dat<1>(world.edges(), "sum", [](GlobalIndex, int) { return 0; });
    testing::SharedFolder folder{comm};

    LoopWorld make_world(const Communicator& ranks) {
        WorldOptions options{GetParam(), 2, "block", true};
        options.device = &device;
        options.device_options.poison = true;
        return {ranks, tables, options};
    }

    /// What edges see of the nodes at their ends.
    std::vector<double> seen() {
        run_loop(world, "add_ends", world.edges(), AddEnds{}, read<0>(q, world.edge_nodes()),
                 read<1>(q, world.edge_nodes()), inc(sum));
        run_loop(world, "add_more", world.edges(), AddEnds{},
                 read<0>(derived(extended_q), world.edge_nodes()),
                 read<1>(derived(extended_q), world.edge_nodes()), inc(sum));
        return world.collect(sum);
    }

    /// After both dats had their older values once and have the newer ones now.
    std::vector<double> expected() const {
        std::vector<double> sums;
        for (std::size_t e = 0; e < tables.edge_nodes.size() / 2; ++e) {
            double value = 0.0;
            for (const auto& field : {older, newer}) {
                const auto row = [&](GlobalIndex id) {
                    return Values<double, 3>{field(id, 0), field(id, 1), field(id, 2)};
                };
                const Values<double, 3> a = row(tables.edge_nodes[2 * e]);
                const Values<double, 3> b = row(tables.edge_nodes[2 * e + 1]);
                value += a[0] * b[1] + a[2];
                value += a[0] * b[1] + extended(a)[4];
            }
            sums.push_back(value);
        }
        return sums;
    }
};

TEST_P(HostChanges, AFieldReadFromAFile) {
    static_cast<void>(seen());
    const auto file = world.dat<3>(world.nodes(), "file", newer);
    write_fields(comm, folder / "q.h5", {{"q", file}});
    read_fields(comm, folder / "q.h5", {{"q", q}});
    read_fields(comm, folder / "q.h5", {{"q", extended_q}});
    EXPECT_TRUE(same_numbers(seen(), expected()));
}

TEST_P(HostChanges, ValuesOfOwnedElements) {
    static_cast<void>(seen());
    const SetPart& nodes = *world.nodes().part;
    DatStore& store = q.change();
    DatStore& extended_store = extended_q.change();
    for (LocalIndex i = 0; i < nodes.owned; ++i) {
        for (int d = 0; d < 3; ++d) {
            store.at(i, d) = newer(nodes.global_id(i), d);
            extended_store.at(i, d) = newer(nodes.global_id(i), d);
        }
    }
    EXPECT_TRUE(same_numbers(seen(), expected()));
}

/// A function may know owned elements only: what it gives elsewhere is nothing that counts.
TEST_P(HostChanges, AFillThatDoesNotKnowTheHalo) {
    static_cast<void>(seen());
    const SetPart& nodes = *world.nodes().part;
    const auto value = [&](LocalIndex i, int d) {
        return i < nodes.owned ? newer(nodes.global_id(i), d) : -1e30;
    };
    q.fill(value);
    extended_q.fill(value);
    EXPECT_TRUE(same_numbers(seen(), expected()));
}

TEST_P(HostChanges, OneValueEverywhereNeedsNoExchange) {
    static_cast<void>(seen());
    q.fill(Values<double, 3>{2.0, 3.0, 5.0});
    extended_q.fill(Values<double, 3>{3.0, 4.0, 7.0});
    const std::int64_t before = world.halo().ledger().exchanges;
    const std::vector<double> first = world.collect(sum);
    std::vector<double> after = first;
    for (double& value : after) {
        value += 2.0 * 3.0 + 5.0;
        value += 3.0 * 4.0 + 5.0;  // |(3, 4)|
    }
    EXPECT_TRUE(same_numbers(seen(), after));
    if (GetParam() != Backend::check) {
        EXPECT_EQ(world.halo().ledger().exchanges, before);
    }
}

INSTANTIATE_TEST_SUITE_P(Backends, HostChanges,
                         ::testing::Values(Backend::serial, Backend::openmp, Backend::check,
                                           Backend::emulated),
                         name_of_backend);

/// Who changes values behind the library's back is told so by the check back end.
class CheckedHalos : public ::testing::Test {
protected:
    Communicator comm{MPI_COMM_WORLD};
    LoopWorld world{
        comm, WorldTables({310, 900, 230, 170, 300, 45}, 6), {Backend::check, 1, "block"}};
    Dat<Node, double, 3> q = world.dat<3>(world.nodes(), "q", older);
    Dat<Edge, double, 1> sum =
        world.dat<1>(world.edges(), "sum", [](GlobalIndex, int) { return 0; });

    std::string said() {
        return any_error([&] {
            par_loop(world.context(), "add_ends", world.edges(), AddEnds{},
                     read<0>(q, world.edge_nodes()), read<1>(q, world.edge_nodes()), inc(sum));
        });
    }
};

TEST_F(CheckedHalos, AChangeThatNobodyWasToldOfIsNamed) {
    EXPECT_EQ(said(), "");
    q.handle().at(0, 0) = 7.0;  // every rank's first element, which others may hold
    bool travels = false;
    for (const LocalIndex sent : world.nodes().part->halo.send_indices) {
        travels = travels || sent == 0;
    }
    if (comm.max(std::int64_t{travels ? 1 : 0}) == 0) {
        EXPECT_EQ(said(), "");
        return;
    }
    const std::string text = said();
    EXPECT_NE(text.find("loop 'add_ends' reads dat 'q' in the halo"), std::string::npos) << text;
    EXPECT_NE(text.find("change()"), std::string::npos) << text;
}

TEST_F(CheckedHalos, MarksThatDifferFromRankToRankAreNamed) {
    if (comm.size() == 1) {
        return;
    }
    if (comm.rank() == 0) {
        static_cast<void>(q.change());
    }
    EXPECT_NE(said().find("dat 'q' was changed on some ranks only"), std::string::npos);
}

}  // namespace

}  // namespace halocline::test
