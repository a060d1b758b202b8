// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Hierarchies: small ones by hand, and the same bits on any number of ranks.
#include "halocline/linalg/hierarchy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <variant>

#include "communicators.hpp"
#include "support/error_of.hpp"
#include "support/poisson.hpp"

namespace halocline::test {
namespace {

using ::testing::AllOf;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

linalg::HierarchyOptions down_to(GlobalIndex coarsest, int pairings = 3) {
    linalg::HierarchyOptions options;
    options.coarsest = coarsest;
    options.pairings = pairings;
    options.storage = "double";
    return options;
}

const MapDeclaration& map_of(const MeshDeclaration& mesh, const std::string& name) {
    for (const MapDeclaration& map : mesh.maps) {
        if (map.name == name) {
            return map;
        }
    }
    throw ContractError("no map " + name);
}
const std::vector<double>& dat_of(const MeshDeclaration& mesh, const std::string& name) {
    for (const DatDeclaration& dat : mesh.dats) {
        if (dat.name == name) {
            return dat.doubles();
        }
    }
    throw ContractError("no dat " + name);
}

// A path of seven nodes: pairs from the lower end, the last node stays alone. Edges within pairs vanish,
// one edge is left between each two neighbours: two of four children touch there and it keeps 0.8,
// at the end two of three and it keeps 1 - 0.4 / 3.
TEST(Hierarchy, PairsAPathFromItsLowerEnd) {
    DeclaredProblem problem = declare(self(), path(7));
    const linalg::Hierarchy hierarchy =
        linalg::declare_hierarchy(self(), problem.mesh, problem.op, down_to(4, 1));
    ASSERT_EQ(hierarchy.levels.size(), 2U);
    EXPECT_THAT(map_of(problem.mesh, "linalg_parent_L0").targets, ElementsAre(0, 0, 1, 1, 2, 2, 3));
    EXPECT_THAT(map_of(problem.mesh, "linalg_edge_nodes_L1").targets,
                ElementsAre(0, 1, 1, 2, 2, 3));
    EXPECT_THAT(dat_of(problem.mesh, "linalg_weights_L1"),
                ElementsAre(DoubleEq(0.8), DoubleEq(0.8), DoubleEq(1.0 - 0.4 / 3.0)));
    // (7 + 2 * 6 + 4 + 2 * 3) / (7 + 2 * 6)
    EXPECT_DOUBLE_EQ(hierarchy.operator_complexity(), 29.0 / 19.0);
    EXPECT_EQ(hierarchy.parts, 1);
}

// A grid of 5 x 4: first pairs along rows, (0 1)(2 3)(4), then pairs of rows, whose edges are stronger.
// Two rows of three boxes; between boxes of two rows lie two edges, from the column that stays alone to
// the box above one. Each edge keeps 0.8 in the pairing along it and all in that across it.
TEST(Hierarchy, MakesBoxesOfAGrid) {
    DeclaredProblem problem = declare(self(), grid(5, 4));
    const linalg::Hierarchy hierarchy =
        linalg::declare_hierarchy(self(), problem.mesh, problem.op, down_to(6, 2));
    ASSERT_EQ(hierarchy.levels.size(), 2U);
    EXPECT_THAT(map_of(problem.mesh, "linalg_parent_L0").targets,
                ElementsAre(0, 0, 1, 1, 2, 0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 3, 3, 4, 4, 5));
    // Of each box to the right and up, in the order in which its nodes show them.
    EXPECT_THAT(map_of(problem.mesh, "linalg_edge_nodes_L1").targets,
                ElementsAre(0, 1, 0, 3, 1, 2, 1, 4, 2, 5, 3, 4, 4, 5));
    EXPECT_THAT(dat_of(problem.mesh, "linalg_weights_L1"),
                ElementsAre(DoubleEq(1.6), DoubleEq(1.6), DoubleEq(2.0 - 0.8 / 3.0), DoubleEq(1.6),
                            DoubleEq(0.8), DoubleEq(1.6), DoubleEq(2.0 - 0.8 / 3.0)));
}

TEST(Hierarchy, DoesNotHideWhatSmoothingCannotReach) {
    // Pairs with an edge of 1 inside are joined by edges of 0.01: to a second pairing these are the
    // strongest there are, and still too weak.
    WholeOperator op{4, {}, {}, {}};
    op.add(0, 1, 1.0);
    op.add(1, 2, 0.01);
    op.add(2, 3, 1.0);
    DeclaredProblem problem = declare(self(), op);
    static_cast<void>(linalg::declare_hierarchy(self(), problem.mesh, problem.op, down_to(2, 2)));
    EXPECT_THAT(map_of(problem.mesh, "linalg_parent_L0").targets, ElementsAre(0, 0, 1, 1));
}

// A hub with twelve leaves: three pairings would take three leaves a level, and each level would be
// hardly smaller than the one before.
TEST(Hierarchy, PairsFurtherWhereNodesStayAlone) {
    WholeOperator op{13, {}, {}, {}};
    for (GlobalIndex leaf = 1; leaf < 13; ++leaf) {
        op.add(0, leaf, 1.0 + 0.01 * static_cast<double>(leaf));
    }
    DeclaredProblem problem = declare(self(), op);
    const linalg::Hierarchy hierarchy =
        linalg::declare_hierarchy(self(), problem.mesh, problem.op, down_to(8));
    ASSERT_EQ(hierarchy.levels.size(), 2U);
    EXPECT_EQ(hierarchy.levels[1].nodes, 7);
}

TEST(Hierarchy, CountsPartsAndLeavesLonelyNodes) {
    WholeOperator op{7, {}, {}, {}};
    op.add(0, 1, 1.0);
    op.add(3, 4, 1.0);
    op.add(4, 5, 1.0);
    DeclaredProblem problem = declare(self(), op);  // parts 0 1 | 2 | 3 4 5 | 6
    const linalg::Hierarchy hierarchy =
        linalg::declare_hierarchy(self(), problem.mesh, problem.op, down_to(1));
    EXPECT_EQ(hierarchy.parts, 4);
}

/// Everything declared, each value as text-free bits.
struct Whole {
    std::vector<std::string> names;
    std::vector<std::vector<GlobalIndex>> targets;
    std::vector<DatValues> values;
};

/// Blocks of all ranks, one after the other.
template <class T>
std::vector<T> joined(const Communicator& comm, const std::vector<T>& mine) {
    std::vector<std::int64_t> bits;
    const auto own = static_cast<std::int64_t>(mine.size());
    const std::int64_t most = comm.max(own);
    for (std::size_t i = 0; i < static_cast<std::size_t>(most); ++i) {
        std::int64_t word = 0;
        if (i < mine.size()) {
            std::memcpy(&word, &mine[i], sizeof(T));
        }
        bits.push_back(word);
    }
    const auto counts = comm.all_gather(std::span(&own, 1));
    const auto all = comm.all_gather(bits);
    std::vector<T> result;
    for (std::size_t r = 0; r < counts.size(); ++r) {
        for (std::int64_t i = 0; i < counts[r]; ++i) {
            T value;
            std::memcpy(&value,
                        &all[r * static_cast<std::size_t>(most) + static_cast<std::size_t>(i)],
                        sizeof(T));
            result.push_back(value);
        }
    }
    return result;
}

/// Whether it is there for the way to the first level that all ranks have.
bool is_on_the_way(const std::string& name) {
    return name.find("sum") != std::string::npos || name.find("source") != std::string::npos;
}

Whole whole_of(const Communicator& comm, const MeshDeclaration& mesh) {
    Whole whole;
    for (const SetDeclaration& set : mesh.sets) {
        if (!is_on_the_way(set.name)) {
            whole.names.push_back(set.name + " " + std::to_string(set.size));
        }
    }
    for (const MapDeclaration& map : mesh.maps) {
        if (is_on_the_way(map.name)) {
            continue;
        }
        whole.names.push_back(map.name);
        whole.targets.push_back(joined(comm, map.targets));
    }
    for (const DatDeclaration& dat : mesh.dats) {
        whole.names.push_back(dat.name);
        whole.values.push_back(std::visit(
            [&](const auto& values) { return DatValues(joined(comm, values)); }, dat.values));
    }
    return whole;
}

void expect_same_on_one_rank(const WholeOperator& op, linalg::HierarchyOptions options,
                             GlobalIndex most_replicated) {
    options.most_replicated = most_replicated;
    DeclaredProblem here = declare(world(), op);
    DeclaredProblem alone = declare(self(), op);
    const auto divided = linalg::declare_hierarchy(world(), here.mesh, here.op, options);
    const auto single = linalg::declare_hierarchy(self(), alone.mesh, alone.op, options);
    const Whole actual = whole_of(world(), here.mesh);
    const Whole expected = whole_of(self(), alone.mesh);
    EXPECT_EQ(actual.names, expected.names);
    EXPECT_EQ(actual.targets, expected.targets);
    EXPECT_EQ(actual.values, expected.values);
    EXPECT_EQ(divided.parts, single.parts);
    EXPECT_EQ(divided.has_inverse, single.has_inverse);
    EXPECT_EQ(single.first_replicated, static_cast<int>(single.levels.size()));
}
void expect_same_on_one_rank(const WholeOperator& op, const linalg::HierarchyOptions& options) {
    expect_same_on_one_rank(op, options, 0);
    expect_same_on_one_rank(op, options, 60);
}

TEST(Hierarchy, ReplicatesLevelsFromTheFirstSmallOneOn) {
    linalg::HierarchyOptions options = down_to(5);
    options.most_replicated = 100;
    DeclaredProblem problem = declare(world(), grid(37, 23));
    const linalg::Hierarchy hierarchy =
        linalg::declare_hierarchy(world(), problem.mesh, problem.op, options);
    const bool has_several = world().size() > 1;
    const auto& levels = hierarchy.levels;
    for (std::size_t l = 1; l < levels.size(); ++l) {
        const bool expected = has_several && levels[l].nodes <= 100;
        EXPECT_EQ(static_cast<int>(l) >= hierarchy.first_replicated, expected) << l;
        const std::string name = hierarchy.name("nodes", static_cast<int>(l));
        for (const SetDeclaration& set : problem.mesh.sets) {
            EXPECT_TRUE(set.name != name || set.is_replicated == expected) << name;
        }
    }
    EXPECT_GT(hierarchy.first_replicated, 1);  // some level is divided here
}

TEST(Hierarchy, IsThatOfOneRankOnAGrid) { expect_same_on_one_rank(grid(37, 23), down_to(5)); }
TEST(Hierarchy, IsThatOfOneRankOnAnIrregularGrid) {
    expect_same_on_one_rank(grid(31, 29, 0.5), down_to(5));
}
TEST(Hierarchy, IsThatOfOneRankOnAPath) { expect_same_on_one_rank(path(301), down_to(2)); }
TEST(Hierarchy, IsThatOfOneRankOnTangles) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        WholeOperator op = tangle(400, 1000 * seed);
        for (GlobalIndex a = 0; seed % 2 == 1 && a < op.nodes; ++a) {
            op.diagonal.push_back(a % 3 == 0 ? chance(static_cast<std::uint64_t>(a)) : 0.0);
        }
        expect_same_on_one_rank(op, down_to(20));
    }
}
TEST(Hierarchy, IsThatOfOneRankInFloats) {
    linalg::HierarchyOptions options = down_to(20);
    options.storage = "float";
    expect_same_on_one_rank(tangle(300, 77), options);
}

TEST(Hierarchy, RefusesWhatIsNoOperator) {
    const auto error = [](auto&& spoil) {
        DeclaredProblem problem = declare(world(), path(30));
        linalg::HierarchyOptions options;
        spoil(problem, options);
        return error_of([&] {
            static_cast<void>(
                linalg::declare_hierarchy(world(), problem.mesh, problem.op, options));
        });
    };
    EXPECT_THAT(error([](auto& problem, auto&) { problem.op.edge_nodes = 5; }),
                HasSubstr("no map of arity 2"));
    EXPECT_THAT(error([](auto& problem, auto&) { problem.op.weights = -1; }),
                HasSubstr("weights of an edge operator are not in a dat"));
    EXPECT_THAT(error([](auto&, auto& options) { options.storage = "half"; }),
                AllOf(HasSubstr("2: "), HasSubstr("'half'"), HasSubstr("float or double")));
    EXPECT_THAT(error([](auto& problem, auto&) {
                    // Edge 20, on whichever rank has it.
                    const BlockRange block = block_range(29, world().rank(), world().size());
                    if (block.begin <= 20 && 20 < block.end) {
                        problem.mesh.dats[0].doubles()[static_cast<std::size_t>(20 - block.begin)] =
                            1.0 / 0.0;
                    }
                }),
                AllOf(HasSubstr("3: "), HasSubstr("edge 20"), HasSubstr("not finite")));
}

}  // namespace
}  // namespace halocline::test
