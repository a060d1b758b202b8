// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What may not be declared.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "halocline/core/error.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline {

namespace {

std::string refusal(const std::function<void(MeshDeclaration&)>& declare) {
    MeshDeclaration mesh;
    mesh.add_set("nodes", 4);
    mesh.add_set("edges", 3);
    mesh.add_map("ends", 1, 0, 2, {0, 1, 1, 2, 2, 3});
    mesh.add_dat("x", 0, 1, {0, 1, 2, 3});
    try {
        declare(mesh);
    } catch (const ContractError& error) {
        return error.what();
    }
    return "";
}

TEST(Declaration, HandsOutIndicesInOrder) {
    MeshDeclaration mesh;
    EXPECT_EQ(mesh.add_set("a", 0), 0);
    EXPECT_EQ(mesh.add_set("b", 7), 1);
    EXPECT_EQ(mesh.add_dat("a", 0, 2, {}), 0);  // sets, maps and dats have names of their own
}

TEST(Declaration, RefusesANameTwice) {
    EXPECT_NE(refusal([](auto& mesh) { mesh.add_set("nodes", 9); }).find("set 'nodes'"),
              std::string::npos);
    EXPECT_NE(refusal([](auto& mesh) { mesh.add_map("ends", 1, 0, 2, {}); }).find("map 'ends'"),
              std::string::npos);
    EXPECT_NE(refusal([](auto& mesh) { mesh.add_dat("x", 0, 1, {}); }).find("dat 'x'"),
              std::string::npos);
}

TEST(Declaration, RefusesANegativeSize) {
    EXPECT_NE(refusal([](auto& mesh) { mesh.add_set("bad", -1); }).find("'bad'"),
              std::string::npos);
}

TEST(RaggedMap, HasAbsentTargetsBehindShortRows) {
    MeshDeclaration mesh;
    const int cells = mesh.add_set("cells", 4);
    const int nodes = mesh.add_set("nodes", 9);
    const int map =
        mesh.add_ragged_map("corners", cells, nodes, 4, {0, 3, 3, 7, 8}, {5, 6, 7, 0, 1, 2, 3, 8});
    const MapDeclaration& corners = mesh.maps[static_cast<std::size_t>(map)];
    EXPECT_EQ(corners.arity, 4);
    EXPECT_TRUE(corners.may_be_absent);
    const GlobalIndex o = absent;
    EXPECT_EQ(corners.targets,
              (std::vector<GlobalIndex>{5, 6, 7, o, o, o, o, o, 0, 1, 2, 3, 8, o, o, o}));
}

TEST(RaggedMap, RefusesOffsetsThatDoNotFitAndRowsThatAreTooLong) {
    const auto refused = [](int most, const std::vector<std::int64_t>& offsets) -> std::string {
        MeshDeclaration mesh;
        mesh.add_set("cells", 2);
        try {
            mesh.add_ragged_map("corners", 0, 0, most, offsets, {0, 1, 1});
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refused(2, {0, 1, 3}), "");
    for (const int most : {0, -3}) {
        EXPECT_NE(refused(most, {0, 1, 3})
                      .find("rows of map 'corners' may have at most " + std::to_string(most)),
                  std::string::npos);
    }
    for (const auto& offsets :
         std::vector<std::vector<std::int64_t>>{{}, {0, 2}, {0, 2, 1, 3}, {1, 2, 3}, {0, 1, 4}}) {
        EXPECT_NE(refused(3, offsets).find("offsets of map 'corners' do not fit its targets"),
                  std::string::npos);
    }
    EXPECT_NE(refused(1, {0, 1, 3})
                  .find("row 1 of a block of map 'corners' has 2 targets, more "
                        "than the 1 it was declared for"),
              std::string::npos);
}

TEST(DeferredDat, IsReadOnceAndCounted) {
    MeshDeclaration mesh;
    const int set = mesh.add_set("nodes", 2);
    int reads = 0;
    const int dat = mesh.add_deferred_dat("x", set, 1, deferred_values([&reads] {
                                              ++reads;
                                              return std::vector<double>{1.0, 2.0};
                                          }));
    DatDeclaration& x = mesh.dats[static_cast<std::size_t>(dat)];
    EXPECT_EQ(x.take_values(2), DatValues(std::vector<double>{1.0, 2.0}));
    EXPECT_EQ(reads, 1);
    x.deferred = deferred_values([] { return std::vector<double>{1.0}; });
    EXPECT_THROW(static_cast<void>(x.take_values(2)), ContractError);
}

}  // namespace

}  // namespace halocline
