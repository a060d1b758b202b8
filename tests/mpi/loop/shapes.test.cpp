// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Every loop shape on several ranks gives, to the last bit, what plain nested loops give.
#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <vector>

#include "support/bits.hpp"
#include "support/loop_shapes.hpp"

namespace halocline::test {

namespace {

using Variant = VariantChoice::Variant;

struct Division {
    const char* name;
    Backend backend;
    int threads;
    const char* partitioner;
    bool renumber;
    bool by_coordinates = false;
    SharedTargets shared_targets = SharedTargets::automatic;
    std::size_t range_bytes = default_range_bytes;
    /// of ranks in turns
    std::vector<Variant> variants{};
};

/// GoogleTest prints parameters; the bytes of a pointer would differ from run to run.
[[maybe_unused]] void PrintTo(const Division& division, std::ostream* out) {
    *out << division.name;
}

const Division divisions[] = {
    {"serial_block", Backend::serial, 1, "block", false},
    {"serial_ptscotch_renumbered", Backend::serial, 1, "ptscotch", true},
    {"check_block", Backend::check, 1, "block", false},
    {"check_ptscotch_renumbered", Backend::check, 1, "ptscotch", true},
    {"openmp_block", Backend::openmp, 1, "block", false},
    {"openmp_block_renumbered", Backend::openmp, 2, "block", true},
    {"openmp_block_along_curve", Backend::openmp, 1, "block", true, true},
    {"openmp_ptscotch", Backend::openmp, 1, "ptscotch", false},
    {"openmp_ptscotch_renumbered", Backend::openmp, 2, "ptscotch", true},
    {"openmp_scatter", Backend::openmp, 2, "block", false, false, SharedTargets::scatter},
    {"openmp_once", Backend::openmp, 2, "ptscotch", true, false, SharedTargets::once, 256},
    {.name = "openmp_rows",
     .backend = Backend::openmp,
     .threads = 1,
     .partitioner = "block",
     .renumber = false,
     .variants = {Variant::elements_in_rows}},
    {.name = "openmp_scatter_one_by_one",
     .backend = Backend::openmp,
     .threads = 2,
     .partitioner = "block",
     .renumber = false,
     .shared_targets = SharedTargets::scatter,
     .variants = {Variant::elements}},
    {.name = "openmp_once_one_by_one",
     .backend = Backend::openmp,
     .threads = 2,
     .partitioner = "ptscotch",
     .renumber = true,
     .shared_targets = SharedTargets::once,
     .range_bytes = 256,
     .variants = {Variant::elements}},
    {.name = "openmp_ranks_that_differ",
     .backend = Backend::openmp,
     .threads = 1,
     .partitioner = "ptscotch",
     .renumber = true,
     .variants = {Variant::packs, Variant::elements_in_rows, Variant::elements}}};

class DistributedLoopShapes : public ::testing::TestWithParam<Division> {
protected:
    static std::optional<Variant> variant_of(int rank) {
        const std::vector<Variant>& variants = GetParam().variants;
        return variants.empty()
                   ? std::nullopt
                   : std::optional(variants[static_cast<std::size_t>(rank) % variants.size()]);
    }

    static void check_all(const WorldTables& tables) {
        const Communicator comm(MPI_COMM_WORLD);
        const Division& division = GetParam();
        // One mesh for all: a loop must also be right after others that had its maps.
        LoopWorld world(comm, tables,
                        {.backend = division.backend,
                         .threads = division.threads,
                         .partitioner = division.partitioner,
                         .renumber = division.renumber,
                         .by_coordinates = division.by_coordinates,
                         .shared_targets = division.shared_targets,
                         .range_bytes = division.range_bytes,
                         .variant = variant_of(comm.rank())});
        for (const LoopShape& shape : all_shapes()) {
            SCOPED_TRACE(shape.name);
            EXPECT_TRUE(same_numbers(shape.run(world), shape.expected(tables)));
        }
    }
};

TEST_P(DistributedLoopShapes, GiveTheBitsOfOneRank) {
    check_all(WorldTables({310, 800, 230, 170, 300, 45, 150}, 6));
}

TEST_P(DistributedLoopShapes, OnElementsInTheOrderOfTheirTargets) {
    check_all(in_order(WorldTables({2100, 4300, 700, 650, 300, 45, 150}, 8)));
}

/// Ranks own next to nothing, some no edges at all.
TEST_P(DistributedLoopShapes, OnAlmostNoElements) {
    check_all(WorldTables({6, 7, 2, 1, 3, 2, 3}, 7));
}

std::string division_name(const ::testing::TestParamInfo<Division>& info) {
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Divisions, DistributedLoopShapes, ::testing::ValuesIn(divisions),
                         division_name);

}  // namespace

}  // namespace halocline::test
