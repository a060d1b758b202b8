// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The schema of case files names what the library has: back ends, partitioners, halo schemes.
#include "case_schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "halocline/backend/context.hpp"
#include "halocline/core/error.hpp"
#include "halocline/dist/device_halo.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/halo_exchange.hpp"

namespace halocline::solve {
namespace {

using testing::UnorderedElementsAreArray;

/// Words of the sentence that refuses a word nobody could have meant: "… Known: a, b, c."
std::vector<std::string> words_of_refusal(const std::function<void(const std::string&)>& check) {
    std::string message;
    try {
        check("????????????????");
    } catch (const UsageError& error) {
        message = error.what();
    }
    const std::string mark = "Known: ";
    std::vector<std::string> words{""};
    for (const char c : message.substr(message.find(mark) + mark.size())) {
        if (c == ',') {
            words.emplace_back();
        } else if (c != ' ' && c != '.') {
            words.back() += c;
        }
    }
    return words;
}

std::vector<std::string> choices(std::string_view key) {
    const auto words = SectionSchema::root().section("parallel").choices(key);
    return {words.begin(), words.end()};
}

TEST(CaseSchema, HasTheLibrarysBackEnds) {
    const auto known = words_of_refusal([](const auto& word) { (void)backend_from_name(word); });
    EXPECT_THAT(choices("backend"), UnorderedElementsAreArray(known));
}

TEST(CaseSchema, HasTheLibrarysPartitionersAndMethods) {
    EXPECT_THAT(choices("partitioner"), UnorderedElementsAreArray(partitioner_names()));
    std::vector<std::string> methods{"auto"};
    for (const PartitionMethod& way : partition_methods()) {
        if (way.method != "none" && !std::ranges::count(methods, way.method)) {
            methods.push_back(way.method);
        }
    }
    // A build without a library may lack a method.
    EXPECT_THAT(methods, testing::IsSubsetOf(choices("partitioner_method")));
}

TEST(CaseSchema, HasTheLibrarysHaloSchemes) {
    std::vector<std::string> schemes = halo_scheme_names();
    for (const std::string& scheme : device_halo_scheme_names()) {
        schemes.push_back(scheme);
    }
    schemes.insert(schemes.end(), {"auto", "default"});
    EXPECT_THAT(choices("halo_scheme"), UnorderedElementsAreArray(schemes));
}

TEST(CaseSchema, KnowsSectionsKeysAndWhatMustBeGiven) {
    const SectionSchema make = SectionSchema::root().section("mesh").section("make");
    EXPECT_THAT(make.required(), testing::ElementsAre("shape", "nodes"));
    EXPECT_EQ(make.about("levels")["default"], 4);
    EXPECT_THROW((void)make.about("level"), ContractError);
    EXPECT_THROW((void)make.section("nodes"), ContractError);
}

}  // namespace
}  // namespace halocline::solve
