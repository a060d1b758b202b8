// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Sets that every rank has whole: computed alike everywhere, without an exchange, reduced once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "halocline/backend/par_loop.hpp"
#include "halocline/io/field_reader.hpp"
#include "halocline/io/field_writer.hpp"
#include "halocline/runtime/runtime.hpp"
#include "mpi/io/shared_folder.hpp"
#include "support/bits.hpp"
#include "support/error_of.hpp"

namespace halocline::test {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;

struct Cell {};  // divided: 60 of them
struct Bin {};   // replicated: 7 of them, in a ring
struct Link {};  // replicated: from each bin to the next
struct Row {};   // divided: as many as there are bins

constexpr GlobalIndex cells = 60;
constexpr GlobalIndex bins = 7;

double cell_value(GlobalIndex id) { return std::sqrt(static_cast<double>(id) + 0.3); }

struct TakeDouble {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& x, Values<V, 1>& y) const {
        y[0] = V(2.0) * x[0];
    }
};
struct AddToNext {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& x, Values<V, 1>& sum) const {
        sum[0] += x[0];
    }
};
struct SumUp {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& x, Values<V, 1>& sum) const {
        sum[0] += x[0];
    }
};
struct AddBin {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& bin, Values<V, 1>& x) const {
        x[0] += bin[0];
    }
};

class Replicated : public ::testing::TestWithParam<Backend> {
protected:
    Communicator comm{MPI_COMM_WORLD};
    Runtime runtime{comm, {GetParam(), 2}};
    Mesh mesh{runtime.distribute(declare(), {.partitioner = "random"})};
    Set<Cell> cell_set = mesh.set<Cell>("cells");
    Set<Bin> bin_set = mesh.set<Bin>("bins");
    Set<Link> link_set = mesh.set<Link>("links");
    Map<Cell, Bin, 1> bin_of = mesh.map<Cell, Bin, 1>("bin_of");
    Map<Bin, Cell, 1> cell_of = mesh.map<Bin, Cell, 1>("cell_of");
    Map<Link, Bin, 2> ends = mesh.map<Link, Bin, 2>("ends");
    Dat<Cell, double, 1> x{mesh.make_dat<Cell, double, 1>(cell_set, "x")};
    Dat<Bin, double, 1> twice{mesh.make_dat<Bin, double, 1>(bin_set, "twice")};
    Dat<Bin, double, 1> sums{mesh.make_dat<Bin, double, 1>(bin_set, "sums")};

    template <class Function>
    std::vector<GlobalIndex> rows_of(GlobalIndex size, Function target) const {
        const BlockRange block = block_range(size, comm.rank(), comm.size());
        std::vector<GlobalIndex> targets;
        for (GlobalIndex i = block.begin; i < block.end; ++i) {
            target(i, targets);
        }
        return targets;
    }

    MeshDeclaration declare() const {
        MeshDeclaration declared;
        const int c = declared.add_set("cells", cells);
        const int b = declared.add_replicated_set("bins", bins);
        const int l = declared.add_replicated_set("links", bins);
        declared.add_map("bin_of", c, b, 1,
                         rows_of(cells, [](GlobalIndex i, auto& to) { to.push_back(i % bins); }));
        declared.add_map("cell_of", b, c, 1,
                         rows_of(bins, [](GlobalIndex i, auto& to) { to.push_back(8 * i); }));
        declared.add_map("ends", l, b, 2, rows_of(bins, [](GlobalIndex i, auto& to) {
                             to.push_back(i);
                             to.push_back((i + 1) % bins);
                         }));
        std::vector<double> weights;
        const BlockRange block = block_range(bins, comm.rank(), comm.size());
        for (GlobalIndex i = block.begin; i < block.end; ++i) {
            weights.push_back(static_cast<double>(100 + i));
        }
        declared.add_dat("weights", b, 1, weights);
        declared.add_set("rows", bins);
        return declared;
    }

    void set_cells() {
        x.fill([&](LocalIndex i, int) { return cell_value(cell_set.part->global_id(i)); });
    }
};

INSTANTIATE_TEST_SUITE_P(Backends, Replicated,
                         ::testing::Values(Backend::serial, Backend::openmp, Backend::check,
                                           Backend::emulated));

TEST_P(Replicated, AreWholeOnEveryRank) {
    const SetPart& set = *bin_set.part;
    EXPECT_EQ(set.owned, bins);
    EXPECT_EQ(set.total, bins);
    EXPECT_TRUE(set.halo.neighbours.empty());
    const auto weights = mesh.take_dat<Bin, double, 1>("weights");
    for (LocalIndex i = 0; i < bins; ++i) {
        EXPECT_EQ(weights.store().at(i, 0), 100.0 + static_cast<double>(set.global_id(i)));
    }
    // Each cell is owned once, whatever bins say.
    EXPECT_EQ(comm.sum(std::int64_t{cell_set.part->owned}), cells);
}

TEST_P(Replicated, ReadWhatOthersOwnAndComputeTheSameEverywhere) {
    Context& context = runtime.context();
    set_cells();
    par_loop(context, "take", bin_set, TakeDouble{}, read<0>(x, cell_of), write(twice));
    sums.fill(Values<double, 1>{{0.5}});
    par_loop(context, "add", link_set, AddToNext{}, read<0>(twice, ends), inc<1>(sums, ends));
    Global<double, 1> total{{1.0}};
    par_loop(context, "total", bin_set, SumUp{}, read(twice), inc(total));
    double expected_total = 1.0;
    for (LocalIndex i = 0; i < bins; ++i) {
        const GlobalIndex id = bin_set.part->global_id(i);
        const double before = 2.0 * cell_value(8 * ((id + bins - 1) % bins));
        EXPECT_EQ(sums.store().at(i, 0), 0.5 + before) << id;
        expected_total += 2.0 * cell_value(8 * id);
    }
    EXPECT_NEAR(total[0], expected_total, 1e-13 * expected_total);
}

TEST_P(Replicated, AreReadByOthersWithoutAnExchange) {
    Context& context = runtime.context();
    set_cells();
    par_loop(context, "take", bin_set, TakeDouble{}, read<0>(x, cell_of), write(twice));
    const std::int64_t before = context.halo_ledger().messages;
    par_loop(context, "add_bin", cell_set, AddBin{}, read<0>(twice, bin_of), inc(x));
    EXPECT_EQ(context.halo_ledger().messages, before);
    const std::vector<double> result = runtime.gather(x);
    for (GlobalIndex id = 0; id < cells; ++id) {
        EXPECT_EQ(result[static_cast<std::size_t>(id)],
                  cell_value(id) + 2.0 * cell_value(8 * (id % bins)));
    }
}

TEST_P(Replicated, AreGatheredOnce) {
    set_cells();
    par_loop(runtime.context(), "take", bin_set, TakeDouble{}, read<0>(x, cell_of), write(twice));
    std::vector<double> expected;
    for (GlobalIndex id = 0; id < bins; ++id) {
        expected.push_back(2.0 * cell_value(8 * id));
    }
    EXPECT_EQ(runtime.gather(twice), expected);
    const std::vector<double> at_root = runtime.gather_to_root(twice);
    EXPECT_TRUE(comm.rank() != 0 || at_root == expected);
}

TEST_P(Replicated, AreWrittenOnceAndNotRead) {
    set_cells();
    par_loop(runtime.context(), "take", bin_set, TakeDouble{}, read<0>(x, cell_of), write(twice));
    const testing::SharedFolder folder{comm};
    write_fields(comm, folder / "bins.h5", {{"twice", twice}});
    auto rows = mesh.make_dat<Row, double, 1>(mesh.set<Row>("rows"), "rows");
    read_fields(comm, folder / "bins.h5", {{"twice", rows}});
    EXPECT_EQ(runtime.gather(rows), runtime.gather(twice));
    EXPECT_THAT(error_of([&] {
                    read_fields(comm, folder / "bins.h5", {{"twice", sums}});
                }),
                AllOf(HasSubstr("dat 'sums' cannot be read"), HasSubstr("'bins' is replicated")));
}

TEST_P(Replicated, AreChangedByTheirOwnLoopsOnly) {
    EXPECT_THAT(error_of([&] {
                    static_cast<void>(
                        make_loop("to_bins", cell_set, AddToNext{}, read(x), inc<0>(sums, bin_of)));
                }),
                AllOf(HasSubstr("loop 'to_bins' over set 'cells' changes dat 'sums'"),
                      HasSubstr("the dat's set is replicated"), HasSubstr("'bins' read")));
    EXPECT_THAT(error_of([&] {
                    static_cast<void>(make_loop("to_cells", bin_set, AddToNext{}, read(twice),
                                                inc<0>(x, cell_of)));
                }),
                AllOf(HasSubstr("changes dat 'x' on set 'cells'"),
                      HasSubstr("the loop's set is replicated")));
}

TEST(ReplicatedSet, IsNotPartitioned) {
    const Communicator comm(MPI_COMM_WORLD);
    MeshDeclaration declared;
    declared.add_replicated_set("bins", 100);
    const std::string error =
        error_of([&] { static_cast<void>(distribute(comm, declared, {.partitioner = "block"})); });
    EXPECT_EQ(error.empty(), comm.size() == 1);
    EXPECT_TRUE(comm.size() == 1 || error.find("'bins' cannot be partitioned") != std::string::npos)
        << error;
}

}  // namespace halocline::test
