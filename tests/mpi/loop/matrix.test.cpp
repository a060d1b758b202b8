// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Every partitioner, method and halo scheme: the same bits as plain nested loops.
#include <gtest/gtest.h>

#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "support/bits.hpp"
#include "support/loop_shapes.hpp"

namespace halocline::test {

namespace {

struct Division {
    std::string partitioner;
    std::string method;
};

/// What `distribute` accepts for a mesh with coordinates and a graph, found by asking it.
std::vector<Division> possible_divisions(const Communicator& comm, const WorldTables& tables) {
    std::vector<Division> divisions;
    for (const std::string& partitioner : partitioner_names()) {
        if (partitioner == "file") {
            continue;  // a partition of the user's own
        }
        for (const char* method : {"auto", "kway", "geom", "geomkway"}) {
            try {
                const LoopWorld world(comm, tables,
                                      {Backend::serial, 1, partitioner, true, true, method, "p2p"});
                divisions.push_back({partitioner, method});
            } catch (const UsageError&) {
                continue;  // no such combination
            } catch (const EnvironmentError&) {
                continue;  // a library that this build lacks
            }
        }
    }
    return divisions;
}

/// Eight ranks on two cores pay a hundred times what a rank of its own core pays.
constexpr int shapes_a_division = 3;

class SchemeMatrix : public ::testing::TestWithParam<std::string> {};

TEST_P(SchemeMatrix, GivesTheBitsOfOneRank) {
    const Communicator comm(MPI_COMM_WORLD);
    const WorldTables tables({310, 800, 230, 170, 300, 45}, 6);
    const std::vector<Division> divisions = possible_divisions(comm, tables);
    ASSERT_FALSE(divisions.empty());
    const std::vector<LoopShape> shapes = all_shapes();
    std::size_t next = 0;  // each division runs some shapes, all of them together run all
    for (const Division& division : divisions) {
        for (int k = 0; k < shapes_a_division; ++k) {
            const LoopShape& shape = shapes[next++ % shapes.size()];
            SCOPED_TRACE(division.partitioner + " " + division.method + " " + shape.name);
            LoopWorld world(comm, tables,
                            {Backend::openmp, 1, division.partitioner, true, true, division.method,
                             GetParam()});
            EXPECT_TRUE(same_numbers(shape.run(world), shape.expected(tables)));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Schemes, SchemeMatrix, ::testing::ValuesIn(halo_scheme_names()),
                         [](const auto& scheme) { return scheme.param; });

}  // namespace

}  // namespace halocline::test
